// SPDX-License-Identifier: Apache-2.0
// I1, ids are unique, and I2, rising per worker, over any walk of the clock with crashes in between, with windows
// kept as window.hpp says; and over machines that work at the same time.
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "core/id/logical_time.hpp"
#include "core/id/window.hpp"

namespace pawl::id {
namespace {

constexpr std::int64_t kNow = 1'764'000'000'000;

// A worker with its store: what is in `stored_until` survives a crash.
struct Node {
    explicit Node(Machine of) : machine(of) {}
    void start(std::int64_t wall, std::int64_t steady) {
        time.emplace(wall, steady, stored_until);
        ids.emplace(Layout{}, machine, stored_until);
        extend(time->read(wall, steady));
    }
    void extend(std::int64_t now) {
        stored_until = extended(ids->high_water_ms(), now);
        ids->permit_until(stored_until);
    }
    std::expected<Id, NoId> next(std::int64_t wall, std::int64_t steady, bool store_answers) {
        const std::int64_t now = time->read(wall, steady);
        if (store_answers && extension_is_due(stored_until, ids->high_water_ms(), now)) extend(now);
        return ids->next(now);
    }

    Machine machine;
    std::int64_t stored_until = 0;
    std::optional<LogicalTime> time;
    std::optional<Snowflake> ids;
};

RC_GTEST_PROP(SnowflakeProperty, RisesOverEveryWalkOfTheClockAndEveryCrash, ()) {
    Node node({3, 7});
    std::int64_t wall = kNow;
    std::int64_t steady = 0;
    node.start(wall, steady);
    Id last = 0;
    const int steps = *rc::gen::inRange(1, 400);
    for (int i = 0; i < steps; ++i) {
        const auto passed = *rc::gen::element<std::int64_t>(0, 0, 1, 1, 3, 100, 4'000);
        steady += passed;
        wall += passed + *rc::gen::element<std::int64_t>(0, 0, 0, 0, 1'000, -1'000, -9'000, 60'000,
                                                         -86'400'000, 86'400'000);
        const bool answers = *rc::gen::inRange(0, 4) != 0;
        switch (*rc::gen::inRange(0, 10)) {
            case 0:
                node.start(wall, steady);  // after a crash: only what was stored is known
                break;
            case 1:  // a burst that fills milliseconds
                for (int k = 0; k < 4'500; ++k) {
                    const auto id = node.next(wall, steady, answers);
                    if (!id) break;
                    RC_ASSERT(*id > last);
                    last = *id;
                }
                break;
            default:
                if (const auto id = node.next(wall, steady, answers)) {
                    RC_ASSERT(*id > last);
                    RC_ASSERT(unpack(Layout{}, *id).time_ms <= node.stored_until);
                    last = *id;
                }
        }
    }
}

RC_GTEST_PROP(SnowflakeProperty, WithAStoreThatAnswersThereIsAlwaysAnId, ()) {
    Node node({0, 0});
    std::int64_t wall = kNow;
    std::int64_t steady = 0;
    node.start(wall, steady);
    for (int i = 0; i < 200; ++i) {
        const auto passed = *rc::gen::inRange<std::int64_t>(0, 20'000);
        steady += passed;
        wall += passed + *rc::gen::element<std::int64_t>(0, 0, -86'400'000, 86'400'000);
        if (*rc::gen::inRange(0, 8) == 0) node.start(wall, steady);
        RC_ASSERT(node.next(wall, steady, true).has_value());
    }
}

RC_GTEST_PROP(SnowflakeProperty, MachinesNeverMeet, ()) {
    const int bits = *rc::gen::inRange(0, kMachineBits + 1);
    const Layout layout{kEpochMsDefault, bits};
    std::set<Machine> machines;
    const auto count = *rc::gen::inRange(1, 6);
    for (int i = 0; i < count; ++i)
        machines.insert(
            {*rc::gen::inRange(0U, layout.buckets()), *rc::gen::inRange(0U, layout.workers())});
    std::set<Id> seen;
    for (const Machine& machine : machines) {
        Snowflake ids(layout, machine, 0);
        for (int i = 0; i < 4'200; ++i) RC_ASSERT(seen.insert(ids.next(kNow).value()).second);
    }
}

}  // namespace
}  // namespace pawl::id
