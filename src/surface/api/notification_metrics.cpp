// SPDX-License-Identifier: Apache-2.0
#include "surface/api/notification_metrics.hpp"

#include <limits>
#include <sstream>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

namespace pawl::api {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

void add_count(MetricFamily& family, Labels labels, const Counter& counter) {
    ClientMetric metric;
    metric.label = std::move(labels);
    metric.counter.value = static_cast<double>(counter.value());
    family.metric.push_back(std::move(metric));
}

void add_durations(MetricFamily& family, Labels labels,
                   const engine::NotificationDurations& durations) {
    constexpr auto& kBounds = engine::NotificationDurations::kBoundsSeconds;
    ClientMetric metric;
    metric.label = std::move(labels);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i <= kBounds.size(); ++i) {
        count += durations.bucket(i);
        const double bound =
            i == kBounds.size() ? std::numeric_limits<double>::infinity() : kBounds[i];
        metric.histogram.bucket.push_back({count, bound});
    }
    metric.histogram.sample_count = count;
    metric.histogram.sample_sum = static_cast<double>(durations.sum_microseconds()) / 1e6;
    family.metric.push_back(std::move(metric));
}

}  // namespace

std::string notification_metrics(const engine::CallbackAccounts& accounts) {
    if (accounts.all().empty()) return {};
    MetricFamily outcomes{"callback_notifications_total",
                          "Notifications of payment providers, by what became of them",
                          MetricType::Counter,
                          {}};
    MetricFamily alarms{"callback_alarms_total",
                        "Notifications that a person has to look at",
                        MetricType::Counter,
                        {}};
    MetricFamily late{"callback_late_total",
                      "Notifications that were answered before their outcome was known",
                      MetricType::Counter,
                      {}};
    MetricFamily durations{"callback_seconds",
                           "Time from a notification to its acknowledgement",
                           MetricType::Histogram,
                           {}};
    for (const auto& [key, account] : accounts.all()) {
        const Labels labels{{"provider", key.first}, {"account", key.second}};
        for (int i = 0; i < callback::kOutcomeCount; ++i) {
            const auto outcome = static_cast<callback::Outcome>(i);
            Labels with = labels;
            with.push_back({"outcome", std::string(name_of(outcome))});
            add_count(outcomes, std::move(with), account.figures->of(outcome));
        }
        add_count(alarms, labels, account.figures->alarms);
        add_count(late, labels, account.figures->late);
        add_durations(durations, labels, account.figures->durations);
    }
    std::ostringstream text;
    prometheus::TextSerializer().Serialize(text, {outcomes, alarms, late, durations});
    return std::move(text).str();
}

}  // namespace pawl::api
