// SPDX-License-Identifier: Apache-2.0
// Any order of adding and asking, with a clock that goes both ways: everything comes out once, never early,
// and everything that is due has come out once the clock stands at its farthest.
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/timer/wheel.hpp"

namespace pawl::timer {
namespace {

constexpr std::int64_t kStart = 1'700'000'000'000;

TEST(WheelProperty, EverythingComesOnceAndNeverEarly) {
    EXPECT_TRUE(rc::check([] {
        Wheel wheel(kStart, 50);
        std::map<std::uint64_t, std::int64_t> waiting;
        std::int64_t now = kStart;
        std::int64_t farthest = now;
        const auto drain = [&](std::int64_t at, std::size_t most) {
            const auto out = wheel.due(at, most);
            RC_ASSERT(out.size() <= most);
            for (const auto& entry : out) {
                RC_ASSERT(entry.due_ms <= at);
                RC_ASSERT(waiting.erase(entry.entity) == 1U);
            }
            return out.size();
        };
        const auto steps =
            *rc::gen::container<std::vector<std::pair<int, std::int64_t>>>(rc::gen::pair(
                rc::gen::inRange(0, 4), rc::gen::inRange<std::int64_t>(-50'000, 600'000)));
        std::uint64_t id = 0;
        for (const auto& [kind, span] : steps) {
            if (kind == 0) {
                now += span;
                farthest = std::max(farthest, now);
                drain(now, 3);
            } else if (wheel.add({++id, now + span}) == Wheel::Added::taken) {
                waiting[id] = now + span;
            }
            RC_ASSERT(wheel.size() == waiting.size());
        }
        while (drain(farthest, 3) > 0) continue;
        for (const auto& [entity, due_ms] : waiting) RC_ASSERT(due_ms > farthest);
    }));
}

}  // namespace
}  // namespace pawl::timer
