// SPDX-License-Identifier: Apache-2.0
// Runs single seeds and prints what was found: the tool for looking at a failing seed.
//
//   sim_run --seed N [--count M] [--trace] [--flows] [--sqlite] [--rare] [--plant NAME]
#include <chrono>

#include <CLI/CLI.hpp>

#include "runtime/plant/planted.hpp"
#include "sim/run/stage.hpp"
#include "sim/shop/shop_stage.hpp"

namespace pawl::sim {
namespace {

struct Wanted {
    std::uint64_t seed = 1;
    std::uint64_t count = 1;
    bool trace = false;
    StoreKind store = StoreKind::memory;
};

struct Sum {
    std::uint64_t failed = 0;
    std::uint64_t requests = 0;
    std::uint64_t events = 0;
};

void print(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings)
        fmt::print("  {}: {}\n", finding.invariant, finding.text);
}

template <class State, int kCount>
void print(const RaritiesOf<State, kCount>& rarities) {
    for (int i = 0; i < kCount; ++i)
        fmt::print("  {:<28} {}\n", name_of(static_cast<State>(i)),
                   rarities.of(static_cast<State>(i)));
}

Sum run_records(const Wanted& wanted, Rarities& rarities) {
    Sum sum;
    for (std::uint64_t i = 0; i < wanted.count; ++i) {
        Scenario scenario = draw_scenario(wanted.seed + i, wanted.store);
        scenario.printing = wanted.trace;
        const Report report = Stage(scenario).run();
        rarities.add(report.rarities);
        sum.requests += report.requests;
        sum.events += report.trace_events;
        if (!report.findings.empty()) ++sum.failed;
        fmt::print(
            "seed {}: {} requests, {} effects, {} boots, {} store calls, {:.0f} s of virtual time, "
            "{} events, "
            "trace {:016x}\n",
            report.seed, report.requests, report.effects, report.boots, report.store_calls,
            report.virtual_seconds, report.trace_events, report.trace_hash);
        print(report.findings);
    }
    return sum;
}

Sum run_flows(const Wanted& wanted, ShopRarities& rarities) {
    Sum sum;
    for (std::uint64_t i = 0; i < wanted.count; ++i) {
        ShopScenario scenario = draw_shop_scenario(wanted.seed + i, wanted.store);
        scenario.printing = wanted.trace;
        const ShopReport report = ShopStage(scenario).run();
        rarities.add(report.rarities);
        sum.requests += report.sent;
        sum.events += report.trace_events;
        if (!report.findings.empty()) ++sum.failed;
        fmt::print(
            "seed {}: {} sendings, {} entities, {} boots, {} store calls, {:.0f} s of virtual "
            "time, {} events, trace {:016x}\n",
            report.seed, report.sent, report.entities, report.boots, report.store_calls,
            report.virtual_seconds, report.trace_events, report.trace_hash);
        print(report.findings);
    }
    return sum;
}

}  // namespace
}  // namespace pawl::sim

int main(int argc, char** argv) {
    using namespace pawl::sim;
    CLI::App app{"Runs the simulation of Pawl for chosen seeds."};
    Wanted wanted;
    bool flows = false;
    bool sqlite = false;
    bool rare = false;
    std::string plant;
    app.add_option("--seed", wanted.seed, "the first seed");
    app.add_option("--count", wanted.count, "how many seeds, from the first on");
    app.add_flag("--trace", wanted.trace, "print every event");
    app.add_flag("--flows", flows, "the shop, which runs flows, instead of the records");
    app.add_flag("--sqlite", sqlite, "on the embedded store");
    app.add_flag("--rare", rare, "print how often each rare state was reached");
    app.add_option("--plant", plant, "switch a planted bug on");
    CLI11_PARSE(app, argc, argv);
    if (sqlite) wanted.store = StoreKind::sqlite;
#ifdef PAWL_PLANTED_BUGS
    if (!plant.empty()) pawl::plant(pawl::plant_from(plant).value());
#endif

    Rarities rarities;
    ShopRarities shop_rarities;
    const auto began = std::chrono::steady_clock::now();
    const Sum sum = flows ? run_flows(wanted, shop_rarities) : run_records(wanted, rarities);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    fmt::print("{} of {} seeds failed; {} requests in {:.2f} s, {:.0f}/s; {:.0f} events/s\n",
               sum.failed, wanted.count, sum.requests, seconds,
               static_cast<double>(sum.requests) / seconds,
               static_cast<double>(sum.events) / seconds);
    if (rare && flows) print(shop_rarities);
    if (rare && !flows) print(rarities);
    return sum.failed == 0 ? 0 : 1;
}
