// SPDX-License-Identifier: Apache-2.0
// What is left of one run of a world, and of many. The records' world and the shop add what they counted: `made`, what
// their requests came to, and `rarities`.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/audit/auditor.hpp"
#include "sim/run/scenario.hpp"

namespace pawl::sim {

struct RunReport {
    std::uint64_t seed = 0;
    std::uint64_t trace_hash = 0;
    std::uint64_t trace_events = 0;
    std::uint64_t requests = 0;
    std::uint64_t made = 0;
    std::uint64_t store_calls = 0;
    std::uint64_t boots = 0;
    double virtual_seconds = 0;
    std::vector<Finding> findings;
};

template <class Report>
struct SummaryOf {
    std::vector<Report> failed;
    decltype(Report::rarities) rarities;
    std::uint64_t seeds = 0;
    std::uint64_t requests = 0;
    std::uint64_t events = 0;
    std::uint64_t fewest_requests = UINT64_MAX;
};

template <class Report>
void add(SummaryOf<Report>& summary, Report report) {
    ++summary.seeds;
    summary.requests += report.requests;
    summary.events += report.trace_events;
    summary.fewest_requests = std::min(summary.fewest_requests, report.requests);
    summary.rarities.add(report.rarities);
    if (!report.findings.empty()) summary.failed.push_back(std::move(report));
}

// One line a finding, with how to look at it: Report::kFlag is the world's at sim_run.
template <class Report>
std::string describe(const std::vector<Report>& failed, StoreKind store) {
    std::string text;
    for (const Report& report : failed) {
        for (const Finding& finding : report.findings)
            text += fmt::format("seed {}: {}: {}\n", report.seed, finding.invariant, finding.text);
        text += fmt::format("  look at it: sim_run{} --seed {}{} --trace\n", Report::kFlag,
                            report.seed, store == StoreKind::sqlite ? " --sqlite" : "");
    }
    return text;
}

}  // namespace pawl::sim
