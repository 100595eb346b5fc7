// SPDX-License-Identifier: Apache-2.0
#include "surface/api/attention_metrics.hpp"

#include <algorithm>
#include <sstream>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

namespace pawl::api {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

MetricFamily family(std::string name, std::string help, MetricType type, double value) {
    ClientMetric metric;
    (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
    return {std::move(name), std::move(help), type, {std::move(metric)}};
}

}  // namespace

Task<std::string> attention_metrics(store::Flows* flows, const engine::FactFigures* counted,
                                    Loop& here) {
    if (flows == nullptr) co_return std::string();
    std::vector<MetricFamily> families;
    const auto open = co_await flows->attention(0, kAttentionCountedMax);
    if (open) {
        const std::int64_t age_ms =
            open->empty() ? 0 : milliseconds_of(here.clock().wall()) - open->front().at_ms;
        families.push_back(family(
            "attention_open", "Entries of the attention list that wait for a person, at most 1000",
            MetricType::Gauge, static_cast<double>(open->size())));
        families.push_back(family("attention_oldest_seconds", "Age of the oldest of them",
                                  MetricType::Gauge,
                                  static_cast<double>(std::max<std::int64_t>(age_ms, 0)) / 1e3));
    }
    if (counted != nullptr)
        families.push_back(family("second_payments_total",
                                  "Facts of events that had taken effect already; each is "
                                  "compensated, and somebody may have been charged twice",
                                  MetricType::Counter,
                                  static_cast<double>(counted->second_payments.value())));
    std::ostringstream text;
    prometheus::TextSerializer().Serialize(text, families);
    co_return std::move(text).str();
}

}  // namespace pawl::api
