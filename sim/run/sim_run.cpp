// SPDX-License-Identifier: Apache-2.0
// Runs single seeds and prints what was found: the tool for looking at a failing seed.
//
//   sim_run --seed N [--count M] [--trace] [--sqlite] [--rare] [--plant NAME]
#include <chrono>

#include <CLI/CLI.hpp>

#include "runtime/plant/planted.hpp"
#include "sim/run/stage.hpp"

int main(int argc, char** argv) {
    using namespace pawl::sim;
    CLI::App app{"Runs the simulation of Pawl for chosen seeds."};
    std::uint64_t seed = 1;
    std::uint64_t count = 1;
    bool trace = false;
    bool sqlite = false;
    bool rare = false;
    std::string plant;
    app.add_option("--seed", seed, "the first seed");
    app.add_option("--count", count, "how many seeds, from the first on");
    app.add_flag("--trace", trace, "print every event");
    app.add_flag("--sqlite", sqlite, "on the embedded store");
    app.add_flag("--rare", rare, "print how often each rare state was reached");
    app.add_option("--plant", plant, "switch a planted bug on");
    CLI11_PARSE(app, argc, argv);
#ifdef PAWL_PLANTED_BUGS
    if (!plant.empty()) pawl::plant(pawl::plant_from(plant).value());
#endif

    Rarities rarities;
    std::uint64_t requests = 0;
    int failed = 0;
    const auto began = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < count; ++i) {
        Scenario scenario = draw_scenario(seed + i, sqlite ? StoreKind::sqlite : StoreKind::memory);
        scenario.printing = trace;
        const Report report = Stage(scenario).run();
        rarities.add(report.rarities);
        requests += report.requests;
        if (!report.findings.empty()) ++failed;
        fmt::print(
            "seed {}: {} requests, {} effects, {} boots, {} store calls, {:.0f} s of virtual time, "
            "{} events, "
            "trace {:016x}\n",
            report.seed, report.requests, report.effects, report.boots, report.store_calls,
            report.virtual_seconds, report.trace_events, report.trace_hash);
        for (const Finding& finding : report.findings)
            fmt::print("  {}: {}\n", finding.invariant, finding.text);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    fmt::print("{} of {} seeds failed; {} requests in {:.2f} s, {:.0f}/s\n", failed, count,
               requests, seconds, static_cast<double>(requests) / seconds);
    if (rare)
        for (int i = 0; i < kRareCount; ++i)
            fmt::print("  {:<28} {}\n", name_of(static_cast<Rare>(i)),
                       rarities.of(static_cast<Rare>(i)));
    return failed == 0 ? 0 : 1;
}
