// SPDX-License-Identifier: Apache-2.0
#include "surface/api/errand_metrics.hpp"

#include <algorithm>
#include <sstream>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include "runtime/task/on_loop.hpp"

namespace pawl::api {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

// `sink` empty: of no sink.
void add(MetricFamily& family, const std::string& sink, double value) {
    ClientMetric metric;
    if (!sink.empty()) metric.label.push_back({"sink", sink});
    (family.type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
    family.metric.push_back(std::move(metric));
}

double value_of(const Counter& counter) { return static_cast<double>(counter.value()); }

struct SinkFamilies {
    MetricFamily unsent{"outbox_unsent", "Events that a sink has not had", MetricType::Gauge, {}};
    MetricFamily parked{"outbox_parked", "Events that wait for a person", MetricType::Gauge, {}};
    MetricFamily oldest{"outbox_oldest_unsent_seconds",
                        "Age of the oldest event that a sink has not had",
                        MetricType::Gauge,
                        {}};
    MetricFamily working{"outbox_sink_working",
                         "1 while the receiver takes events, 0 while it pauses or has stopped",
                         MetricType::Gauge,
                         {}};
    MetricFamily sent{"outbox_sent_total", "Events that a sink took", MetricType::Counter, {}};
    MetricFamily refused{
        "outbox_refused_total", "Tries of events that were refused", MetricType::Counter, {}};
    MetricFamily failed{"outbox_failed_total",
                        "Tries that failed and were not counted of their event",
                        MetricType::Counter,
                        {}};
};

// The time at which it began stands in the history of its entity. nullopt: nobody knows.
Task<std::optional<std::int64_t>> began_ms(ErrandDesk& desk, store::SagaRow saga) {
    const auto steps = co_await desk.flows.history(saga.subject, saga.version - 1, 1);
    if (!steps || steps->empty()) co_return std::nullopt;
    co_return steps->front().history.at_ms;
}

Task<std::vector<MetricFamily>> open_sagas(ErrandDesk& desk) {
    MetricFamily running{"sagas_running",
                         "Sagas whose service has not said yes yet, at most 1000",
                         MetricType::Gauge,
                         {}};
    MetricFamily oldest{"sagas_running_oldest_seconds",
                        "Since when the oldest of them runs",
                        MetricType::Gauge,
                        {}};
    MetricFamily waiting{"sagas_needing_attention",
                         "Sagas that wait for a person, or cannot be read, at most 1000",
                         MetricType::Gauge,
                         {}};
    const auto open = co_await desk.sagas.look_at_sagas({.limit = kErrandsListedMax});
    const auto people =
        co_await desk.sagas.sagas(store::SagaState::needs_attention, 0, kErrandsListedMax);
    std::vector<MetricFamily> families;
    const auto store_now = co_await desk.sagas.due_sagas(0, 1);
    if (!open || !people || !store_now) co_return families;
    const auto runs = [](const store::SagaRow& row) {
        return !row.is_damaged && row.state == store::SagaState::running;
    };
    const auto first = std::ranges::find_if(*open, runs);
    std::int64_t age_ms = 0;
    if (first != open->end())
        if (const auto began = co_await began_ms(desk, *first))
            age_ms = std::max<std::int64_t>(store_now->now_ms - *began, 0);
    add(running, {}, static_cast<double>(std::ranges::count_if(*open, runs)));
    add(oldest, {}, static_cast<double>(age_ms) / 1e3);
    add(waiting, {},
        static_cast<double>(people->size()) +
            static_cast<double>(std::ranges::count_if(*open, &store::SagaRow::is_damaged)));
    families = {std::move(running), std::move(oldest), std::move(waiting)};
    co_return families;
}

Task<bool> is_working(stream::Relays& relays, std::string name) {
    co_return relays.find(name)->standing().kind == stream::Standing::Kind::working;
}

Task<void> add_sink(ErrandDesk& desk, std::string name, SinkFamilies& families) {
    const stream::RelayFigures& counted = desk.relays.figures(name);
    add(families.sent, name, value_of(counted.sent));
    add(families.refused, name, value_of(counted.refused));
    add(families.failed, name, value_of(counted.failed));
    const bool works =
        co_await on_loop(desk.here, desk.relays.loop(), is_working(desk.relays, name));
    add(families.working, name, works ? 1 : 0);
    const auto figures = co_await desk.outbox.outbox_figures(name);
    if (!figures) co_return;
    add(families.unsent, name, static_cast<double>(figures->unsent));
    add(families.parked, name, static_cast<double>(figures->parked));
    add(families.oldest, name, static_cast<double>(figures->oldest_age_ms()) / 1e3);
}

}  // namespace

Task<std::string> errand_metrics(ErrandDesk* desk) {
    if (desk == nullptr) co_return std::string();
    SinkFamilies sinks;
    for (const std::string& name : desk->relays.names()) co_await add_sink(*desk, name, sinks);
    const engine::SagaFigures& counted = desk->runner.figures();
    MetricFamily calls{"saga_calls_total", "Calls that sagas made", MetricType::Counter, {}};
    MetricFamily done{"saga_done_total", "Sagas that ended well", MetricType::Counter, {}};
    add(calls, {}, value_of(counted.calls));
    add(done, {}, value_of(counted.done));
    std::vector<MetricFamily> families{sinks.unsent,  sinks.parked, sinks.oldest,
                                       sinks.working, sinks.sent,   sinks.refused,
                                       sinks.failed,  calls,        done};
    for (MetricFamily& one : co_await open_sagas(*desk)) families.push_back(std::move(one));
    std::ostringstream text;
    prometheus::TextSerializer().Serialize(text, families);
    co_return std::move(text).str();
}

}  // namespace pawl::api
