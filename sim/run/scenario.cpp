// SPDX-License-Identifier: Apache-2.0
#include "sim/run/scenario.hpp"

#include "runtime/result/assert.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

Scenario draw_scenario(std::uint64_t seed, StoreKind store) {
    Chance chance(seed, "scenario");
    Scenario scenario;
    scenario.seed = seed;
    scenario.store = store;
    scenario.shared = store == StoreKind::memory && chance.hit(350);
    scenario.nodes = scenario.shared ? 2 : 1;
    scenario.seats = chance.between(1, 3);
    scenario.traffic.pause = chance.between(15ms, 45ms);
    scenario.dose = draw_dose(chance, scenario.shared);
    constexpr std::array<std::chrono::milliseconds, 3> kLeases{3'000ms, 6'000ms, 12'000ms};
    scenario.lease = kLeases[chance.below(kLeases.size())];
    scenario.wait = std::chrono::milliseconds{chance.between(300, 6'000)};
    scenario.hold_max = std::chrono::milliseconds{chance.between(8'000, 25'000)};
    scenario.horizon = std::chrono::milliseconds{chance.between(2'000, 12'000)};
    scenario.sealed = seed % 2 == 1;
    scenario.limits.waiters_per_key_max = 8;
    scenario.limits.cache_bytes_max = chance.hit(300) ? 20'000 : 4'000'000;
    scenario.limits.replays_kept_max = 200;
    scenario.permission_kept =
        std::chrono::milliseconds{chance.hit(200) ? 0 : chance.between(500, 5'000)};
    scenario.rules.natural_window = 3'000ms;
    scenario.rules.result_kept = 40'000ms;
    scenario.rules.refusal_kept = 6'000ms;
    scenario.rules.answer_bytes_max = 4'096;
    return scenario;
}

std::shared_ptr<const gateway::Routes> routes_of(const Scenario& scenario) {
    std::vector<policy::Route> routes;
    for (int i = 0; i < kPromiseCount; ++i) {
        const auto promise = static_cast<Promise>(i);
        policy::Route route;
        route.name = fmt::format("{}.create", name_of(promise));
        route.method = "POST";
        route.path = path_of(promise);
        route.upstream = {.host = "upstream.test", .port = 80};
        route.caller = {policy::CallerRule::Source::header, "X-Caller"};
        if (promise == kPermitted) {
            route.authorize.emplace();
            route.authorize->upstream = {.host = "permits.test", .port = 80};
            route.authorize->path = "/check";
            route.authorize->headers = {"X-Caller"};
            route.authorize->cache = scenario.permission_kept;
        }
        route.key.source = promise == Promise::natural ? policy::KeyRule::Source::none
                                                       : policy::KeyRule::Source::header;
        route.key.window = promise == Promise::natural ? scenario.rules.natural_window : 0ms;
        route.wait = scenario.wait;
        route.lease = scenario.lease;
        route.hold_max = scenario.hold_max;
        route.retention = {.result = scenario.rules.result_kept,
                           .key = std::nullopt,
                           .refused = scenario.rules.refusal_kept};
        route.answer_bytes_max = scenario.rules.answer_bytes_max;
        route.transactional = promise == Promise::transactional;
        route.declares_outcome = promise == Promise::declaring;
        if (promise == Promise::closing)
            route.uncertain.close = "POST /closing/close/{operation_key}";
        if (promise == Promise::probed) route.uncertain.probe = "GET /probed/find/{operation_key}";
        if (promise == Promise::calling)
            route.uncertain.callback.emplace().value = "not asked for here";
        if (promise == Promise::rerunnable || promise == Promise::versioned)
            route.upstream_remembers = 400 * 24h;
        if (promise == Promise::versioned)
            route.version = {policy::VersionRule::Source::header, "Pawl-Version", ""};
        const bool horizon = promise != Promise::closing && promise != Promise::silent;
        if (horizon) route.uncertain.effect_horizon = scenario.horizon;
        routes.push_back(std::move(route));
    }
    auto table = policy::RouteTable::build(std::move(routes));
    PAWL_ASSERT(table.has_value());
    return std::make_shared<const gateway::Routes>(std::move(*table), std::nullopt);
}

}  // namespace pawl::sim
