// SPDX-License-Identifier: Apache-2.0
#include "surface/api/flow_metrics.hpp"

#include <sstream>

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

namespace pawl::api {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

void add(MetricFamily& family, std::vector<ClientMetric::Label> labels, std::uint64_t count) {
    ClientMetric metric;
    metric.label = std::move(labels);
    metric.counter.value = static_cast<double>(count);
    family.metric.push_back(std::move(metric));
}

MetricFamily counted(std::string name, std::string help, std::uint64_t count) {
    MetricFamily family{std::move(name), std::move(help), MetricType::Counter, {}};
    add(family, {}, count);
    return family;
}

}  // namespace

std::string flow_metrics(const engine::DeskFigures& figures) {
    MetricFamily transitions{
        "flow_transitions_total",
        "Events of flows, by the states that they led between and what came of "
        "them",
        MetricType::Counter,
        {}};
    for (const auto& [labels, count] : figures.transitions)
        add(transitions,
            {{"flow", labels.flow},
             {"event", labels.event},
             {"from", labels.from},
             {"to", labels.to},
             {"result", std::string(engine::name_of(labels.told))}},
            count);
    std::vector<MetricFamily> families{
        counted("flow_contended_total", "Events that were given up because others were faster",
                figures.contended),
        counted("flow_facts_woken_total", "Facts that were sent again once they could go on",
                figures.woken),
        counted("flow_facts_forgotten_total",
                "Facts that found no room to be sent again at once, and are left to the next look",
                figures.forgotten),
        counted("flow_unsound_total", "Events that met rows which contradict each other",
                figures.unsound)};
    if (!transitions.metric.empty()) families.push_back(std::move(transitions));
    std::ostringstream text;
    prometheus::TextSerializer().Serialize(text, families);
    return std::move(text).str();
}

}  // namespace pawl::api
