// SPDX-License-Identifier: Apache-2.0
#include "surface/api/metrics_text.hpp"

#include <limits>
#include <sstream>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include "surface/api/coverage_report.hpp"

namespace pawl::api {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;
using Families = std::vector<MetricFamily>;

MetricFamily& add_family(Families& families, std::string name, std::string help, MetricType type) {
    families.push_back({std::move(name), std::move(help), type, {}});
    return families.back();
}

void add_value(MetricFamily& family, Labels labels, double value) {
    ClientMetric metric;
    metric.label = std::move(labels);
    metric.counter.value = value;
    metric.gauge.value = value;
    family.metric.push_back(std::move(metric));
}

void add_one(Families& families, std::string name, std::string help, MetricType type,
             double value) {
    add_value(add_family(families, std::move(name), std::move(help), type), {}, value);
}

void add_histogram(MetricFamily& family, Labels labels, const LatencyHistogram& histogram) {
    ClientMetric metric;
    metric.label = std::move(labels);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i <= LatencyHistogram::kBoundsSeconds.size(); ++i) {
        count += histogram.bucket(i);
        const bool last = i == LatencyHistogram::kBoundsSeconds.size();
        metric.histogram.bucket.push_back({count, last ? std::numeric_limits<double>::infinity()
                                                       : LatencyHistogram::kBoundsSeconds[i]});
    }
    metric.histogram.sample_count = count;
    metric.histogram.sample_sum = histogram.sum_seconds();
    family.metric.push_back(std::move(metric));
}

// The figures of requests, route by route; the label of what matches no route is "-".
void add_routes(Families& families, const Measured& measured) {
    const gateway::Routes& routes = *measured.routes;
    MetricFamily requests{"idempotent_requests_total",
                          "Requests on protected routes, by how they came out",
                          MetricType::Counter,
                          {}};
    MetricFamily latency{"idempotent_latency_seconds",
                         "Time from a request's head to its answer",
                         MetricType::Histogram,
                         {}};
    MetricFamily unprotected{"unprotected_writes_total",
                             "Writes that were passed on without protection",
                             MetricType::Counter,
                             {}};
    MetricFamily rate{"idempotency_hit_rate",
                      "Share of requests answered without running again, over one minute",
                      MetricType::Gauge,
                      {}};
    const auto add_requests = [&](const std::string& name, const gateway::RouteFigures& figures) {
        for (int seen = 0; seen < gateway::kSeenCount; ++seen)
            add_value(
                requests,
                {{"route", name},
                 {"status", std::string(name_of(static_cast<gateway::Seen>(seen)))}},
                static_cast<double>(figures.requests[static_cast<std::size_t>(seen)].value()));
        add_histogram(latency, {{"route", name}}, figures.latency);
    };
    for (const auto& [name, figures] : measured.flows) add_requests(name, *figures);
    for (std::size_t i = 0; i < routes.figures.size(); ++i) {
        const gateway::RouteFigures& figures = routes.figures[i];
        const std::string& name = routes.table.routes()[i].route.name;
        add_requests(name, figures);
        add_value(unprotected, {{"route", name}},
                  static_cast<double>(figures.unprotected_writes.value()));
        const auto share =
            measured.hit_rate == nullptr ? std::nullopt : measured.hit_rate->of(name);
        if (share) add_value(rate, {{"route", name}}, *share);
    }
    add_value(unprotected, {{"route", "-"}},
              static_cast<double>(routes.unmatched.unprotected_writes.value()));
    families.push_back(std::move(requests));
    families.push_back(std::move(latency));
    families.push_back(std::move(unprotected));
    add_one(families, "protected_writes_share",
            "Of the writes since the routes were loaded, the share on protected routes",
            MetricType::Gauge, protected_share(routes));
    if (!rate.metric.empty()) families.push_back(std::move(rate));
}

void add_homes(Families& families, const std::vector<const gateway::HomeFigures*>& homes) {
    const auto sum = [&homes](auto member) {
        double total = 0;
        for (const gateway::HomeFigures* home : homes)
            total += static_cast<double>((home->*member).value());
        return total;
    };
    using gateway::HomeFigures;
    add_one(families, "idempotent_cache_hits_total", "Repeats answered from memory",
            MetricType::Counter, sum(&HomeFigures::cache_hits));
    add_one(families, "idempotent_read_hits_total",
            "Repeats answered from a reading of the store, which claims nothing",
            MetricType::Counter, sum(&HomeFigures::read_hits));
    add_one(
        families, "idempotent_cache_bytes",
        "Memory of the answers that are held for repeats; at most `limits.cache_bytes_max` a loop",
        MetricType::Gauge, sum(&HomeFigures::cached_bytes));
    add_one(families, "attempts_running", "Attempts that are under way", MetricType::Gauge,
            sum(&HomeFigures::running));
    add_one(families, "attempts_settling", "Attempts whose end the store has not taken yet",
            MetricType::Gauge, sum(&HomeFigures::settling));
    add_one(families, "attempts_lost_total", "Attempts whose fence was passed", MetricType::Counter,
            sum(&HomeFigures::lost));
    add_one(families, "stored_late_total",
            "Results that came after their record was called not applied", MetricType::Counter,
            sum(&HomeFigures::stored_late));
    add_one(families, "store_retries_total", "Calls sent to the store again", MetricType::Counter,
            sum(&HomeFigures::store_retries));
}

void add_callbacks(Families& families, const gateway::CallbackFigures& figures) {
    MetricFamily& reports =
        add_family(families, "callback_reports_total",
                   "Outcomes that upstreams reported by themselves", MetricType::Counter);
    for (int heard = 0; heard < gateway::kHeardCount; ++heard)
        add_value(reports, {{"heard", std::string(name_of(static_cast<gateway::Heard>(heard)))}},
                  static_cast<double>(figures.reports[static_cast<std::size_t>(heard)].value()));
}

void add_deadlines(Families& families, const engine::SweepFigures& figures) {
    add_one(families, "flow_deadlines_fired_total", "Deadlines of flows that were sent their event",
            MetricType::Counter, static_cast<double>(figures.fired));
    add_one(families, "flow_deadline_late_seconds",
            "How late the latest one was, by the store's clock", MetricType::Gauge,
            static_cast<double>(figures.late_ms) / 1e3);
    add_one(families, "flow_deadline_paced_steps_total",
            "Steps that were slowed down after a jump of the clock or a heap of due deadlines",
            MetricType::Counter, static_cast<double>(figures.paced));
    add_one(families, "flow_deadline_failures_total",
            "Readings and events of deadlines that the store did not take", MetricType::Counter,
            static_cast<double>(figures.failed));
}

void add_parking(Families& families, const engine::ParkingFigures& figures) {
    add_one(families, "flow_facts_waiting",
            "Facts that wait for their order, as of the latest look", MetricType::Gauge,
            static_cast<double>(figures.waiting));
    add_one(families, "flow_facts_given_up_total",
            "Facts that waited in vain and are on the attention list now", MetricType::Counter,
            static_cast<double>(figures.given_up));
}

void add_totals(Families& families, const store::Totals& totals) {
    add_one(families, "uncertain_records", "Operations whose outcome is not known",
            MetricType::Gauge, static_cast<double>(totals.uncertain));
    add_one(families, "uncertain_oldest_seconds", "Age of the oldest of them", MetricType::Gauge,
            static_cast<double>(totals.oldest_uncertain_ms) / 1e3);
    add_one(families, "open_records", "Operations that wait for a retry", MetricType::Gauge,
            static_cast<double>(totals.open));
    add_one(families, "in_progress_records", "Claims that are held", MetricType::Gauge,
            static_cast<double>(totals.in_progress));
}

void add_store(Families& families, const StoreFigures& store) {
    if (store.commit_seconds != nullptr)
        add_histogram(add_family(families, "store_commit_seconds",
                                 "Time of one commit, its flush included", MetricType::Histogram),
                      {}, *store.commit_seconds);
    if (store.stored_bytes != nullptr)
        add_one(families, "stored_bytes",
                "Records and answers of the tenant that has most of them; new keys are refused at "
                "stored_bytes_per_tenant_max",
                MetricType::Gauge, static_cast<double>(store.stored_bytes->value()));
    if (store.upkeep_failures != nullptr)
        add_one(families, "store_upkeep_failures_total",
                "Times that removing what is over, indexing, or writing timelines failed",
                MetricType::Counter, static_cast<double>(store.upkeep_failures->value()));
    if (store.damaged_rows != nullptr)
        add_one(
            families, "store_damaged_rows",
            "Rows of flows that were met since the start and cannot be read; the log names them",
            MetricType::Gauge, static_cast<double>(store.damaged_rows->value()));
    if (store.commits == nullptr || store.calls == nullptr) return;
    const auto commits = static_cast<double>(store.commits->value());
    const auto calls = static_cast<double>(store.calls->value());
    add_one(families, "store_commits_total", "Commits", MetricType::Counter, commits);
    add_one(families, "store_calls_total", "Calls that these commits carried", MetricType::Counter,
            calls);
    add_one(families, "store_batch_size", "Calls to a commit, on average since the start",
            MetricType::Gauge, commits > 0 ? calls / commits : 0);
}

void add_process(Families& families, const Measured& measured) {
    const ProcessFigures& process = measured.process;
    add_one(families, "process_cpu_seconds_total", "Processor time, user and system",
            MetricType::Counter, process.cpu_seconds);
    add_one(families, "process_resident_memory_bytes", "Memory in use", MetricType::Gauge,
            static_cast<double>(process.resident_bytes));
    add_one(families, "process_virtual_memory_bytes", "Address space in use", MetricType::Gauge,
            static_cast<double>(process.virtual_bytes));
    add_one(families, "process_open_fds", "Open files and sockets", MetricType::Gauge,
            static_cast<double>(process.open_files));
    add_one(families, "process_threads", "Threads", MetricType::Gauge,
            static_cast<double>(process.threads));
    add_one(families, "process_start_time_seconds", "When this process started, since 1970",
            MetricType::Gauge, static_cast<double>(milliseconds_of(measured.started)) / 1e3);
    add_value(add_family(families, "pawl_build_info", "What is running", MetricType::Gauge),
              {{"version", measured.version}}, 1);
}

}  // namespace

std::string metrics_text(const Measured& measured) {
    Families families;
    if (measured.routes != nullptr) add_routes(families, measured);
    add_homes(families, measured.homes);
    if (measured.callbacks != nullptr) add_callbacks(families, *measured.callbacks);
    if (measured.deadlines != nullptr) add_deadlines(families, *measured.deadlines);
    if (measured.parking != nullptr) add_parking(families, *measured.parking);
    if (measured.totals) add_totals(families, *measured.totals);
    add_store(families, measured.store);
    add_process(families, measured);
    std::ostringstream out;
    prometheus::TextSerializer{}.Serialize(out, families);
    return std::move(out).str();
}

}  // namespace pawl::api
