// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_seeds.hpp"

namespace pawl::sim {

ShopReport run_shop_seed(std::uint64_t seed, StoreKind store) {
    return ShopStage(draw_shop_scenario(seed, store)).run();
}

void add(ShopSummary& summary, ShopReport report) {
    ++summary.seeds;
    summary.sent += report.sent;
    summary.rarities.add(report.rarities);
    if (!report.findings.empty()) summary.failed.push_back(std::move(report));
}

std::string describe(const std::vector<ShopReport>& failed, StoreKind store) {
    std::string text;
    for (const ShopReport& report : failed) {
        for (const Finding& finding : report.findings)
            text += fmt::format("seed {}: {}: {}\n", report.seed, finding.invariant, finding.text);
        text += fmt::format("  look at it: sim_run --flows --seed {}{} --trace\n", report.seed,
                            store == StoreKind::sqlite ? " --sqlite" : "");
    }
    return text;
}

}  // namespace pawl::sim
