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
    bool rare = false;
    StoreKind store = StoreKind::memory;
};

template <class State, int kCount>
void print(const RaritiesOf<State, kCount>& rarities) {
    for (int i = 0; i < kCount; ++i)
        fmt::print("  {:<28} {}\n", name_of(static_cast<State>(i)),
                   rarities.of(static_cast<State>(i)));
}

template <class Report>
void print(const Report& report) {
    fmt::print(
        "seed {}: {} requests, {} {}, {} boots, {} store calls, {:.0f} s of virtual time, {} "
        "events, trace {:016x}\n",
        report.seed, report.requests, report.made, Report::kMade, report.boots, report.store_calls,
        report.virtual_seconds, report.trace_events, report.trace_hash);
    for (const Finding& finding : report.findings)
        fmt::print("  {}: {}\n", finding.invariant, finding.text);
}

// `Stage` is a world, `draw` makes its scenario. The number of seeds that failed.
template <class Stage, class Draw>
std::size_t run_all(const Wanted& wanted, Draw draw) {
    SummaryOf<decltype(std::declval<Stage>().run())> summary;
    const auto began = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < wanted.count; ++i) {
        auto scenario = draw(wanted.seed + i, wanted.store);
        scenario.printing = wanted.trace;
        auto report = Stage(scenario).run();
        print(report);
        add(summary, std::move(report));
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    fmt::print("{} of {} seeds failed; {} requests in {:.2f} s, {:.0f}/s; {:.0f} events/s\n",
               summary.failed.size(), wanted.count, summary.requests, seconds,
               static_cast<double>(summary.requests) / seconds,
               static_cast<double>(summary.events) / seconds);
    if (wanted.rare) print(summary.rarities);
    return summary.failed.size();
}

}  // namespace
}  // namespace pawl::sim

int main(int argc, char** argv) {
    using namespace pawl::sim;
    CLI::App app{"Runs the simulation of Pawl for chosen seeds."};
    Wanted wanted;
    bool flows = false;
    bool sqlite = false;
    std::string plant;
    app.add_option("--seed", wanted.seed, "the first seed");
    app.add_option("--count", wanted.count, "how many seeds, from the first on");
    app.add_flag("--trace", wanted.trace, "print every event");
    app.add_flag("--flows", flows, "the shop, which runs flows, instead of the records");
    app.add_flag("--sqlite", sqlite, "on the embedded store");
    app.add_flag("--rare", wanted.rare, "print how often each rare state was reached");
    app.add_option("--plant", plant, "switch a planted bug on");
    CLI11_PARSE(app, argc, argv);
    if (sqlite) wanted.store = StoreKind::sqlite;
#ifdef PAWL_PLANTED_BUGS
    if (!plant.empty()) pawl::plant(pawl::plant_from(plant).value());
#endif

    const std::size_t failed = flows ? run_all<ShopStage>(wanted, draw_shop_scenario)
                                     : run_all<Stage>(wanted, draw_scenario);
    return failed == 0 ? 0 : 1;
}
