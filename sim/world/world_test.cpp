// SPDX-License-Identifier: Apache-2.0
#include "sim/world/world.hpp"

#include <gtest/gtest.h>

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

TEST(World, TimePassesOnlyWhenEveryRoomIsIdle) {
    World world(1);
    Room room(world, "room", 1);
    const MonotonicTime began = world.now();
    std::vector<std::chrono::nanoseconds> seen;
    boost::asio::post(room.context(), [&] {
        seen.push_back(world.now() - began);
        boost::asio::post(room.context(), [&] { seen.push_back(world.now() - began); });
    });
    world.after(5ms, [&] { seen.push_back(world.now() - began); });
    world.run_until(began + 1s);
    EXPECT_EQ(seen, (std::vector<std::chrono::nanoseconds>{0ns, 0ns, 5ms}));
    EXPECT_EQ(world.now(), began + 1s);
}

TEST(World, RunsUntilTheConditionHolds) {
    World world(1);
    int fired = 0;
    for (int i = 1; i <= 10; ++i) world.after(std::chrono::seconds{i}, [&] { ++fired; });
    world.run_until(world.now() + 1h, [&] { return fired == 3; });
    EXPECT_EQ(fired, 3);
}

TEST(World, TheSeedDecidesWhoseTurnIsNext) {
    const auto order_of = [](std::uint64_t seed) {
        World world(seed);
        Room a(world, "a", 1);
        Room b(world, "b", 2);
        std::string order;
        for (int i = 0; i < 20; ++i) {
            boost::asio::post(a.context(), [&] { order += 'a'; });
            boost::asio::post(b.context(), [&] { order += 'b'; });
        }
        world.run_until(world.now());
        return order;
    };
    EXPECT_EQ(order_of(7), order_of(7));
    EXPECT_NE(order_of(7), order_of(8));
}

TEST(World, AFrozenRoomRunsNothingAndCatchesUp) {
    World world(1);
    Room room(world, "room", 1);
    int ran = 0;
    room.loop().alarms().set(world.now() + 1s, [&] { ++ran; });
    boost::asio::post(room.context(), [&] { ++ran; });
    room.freeze(true);
    world.run_until(world.now() + 10s);
    EXPECT_EQ(ran, 0);
    room.freeze(false);
    world.run_until(world.now());
    EXPECT_EQ(ran, 2);
}

TEST(World, ARoomThatEndsTakesSuspendedAndReadyWorkWithIt) {
    World world(1);
    auto room = std::make_unique<Room>(world, "room", 1);
    const auto kept = std::make_shared<int>(0);
    const auto work = [](Loop& loop, std::shared_ptr<int> reached) -> Task<void> {
        co_await loop.sleep_for(1h);
        ++*reached;
    };
    boost::asio::co_spawn(room->context(), work(room->loop(), kept), boost::asio::detached);
    world.run_until(world.now());
    EXPECT_EQ(kept.use_count(), 2);  // suspended
    boost::asio::co_spawn(room->context(), work(room->loop(), kept), boost::asio::detached);
    EXPECT_EQ(kept.use_count(), 3);  // ready
    room.reset();
    EXPECT_EQ(kept.use_count(), 1);
    world.run_until(world.now() + 2h);
    EXPECT_EQ(*kept, 0);
}

TEST(World, WhatIsDeferredIsDoneBetweenTwoHandlers) {
    World world(1);
    auto room = std::make_unique<Room>(world, "room", 1);
    int ran = 0;
    boost::asio::post(room->context(), [&] {
        ++ran;
        world.defer([&] { room.reset(); });
    });
    boost::asio::post(room->context(), [&] { ++ran; });
    world.run_until(world.now() + 1s);
    EXPECT_EQ(ran, 1);
    EXPECT_EQ(room, nullptr);
}

TEST(World, WorkThatNeverLetsTimePassIsNoticed) {
    World world(1);
    std::function<void()> spin = [&] { boost::asio::post(world.outside().context(), spin); };
    spin();
    world.run_until(world.now() + 1s);
    EXPECT_TRUE(world.spins());
}

TEST(World, AlarmsThatNeverLetTimePassAreNoticed) {
    World world(1);
    std::function<void()> spin = [&] { world.after(0ns, spin); };
    spin();
    world.run_until(world.now() + 1s);
    EXPECT_TRUE(world.spins());
}

TEST(Trace, EveryPartOfAnEventCounts) {
    const VirtualClock clock;
    const auto hash_of = [&clock](std::string_view what, std::uint64_t a, std::uint64_t b) {
        Trace trace(clock, false);
        trace.mark(what, a, b);
        return trace.hash();
    };
    EXPECT_EQ(hash_of("x", 1, 2), hash_of("x", 1, 2));
    EXPECT_NE(hash_of("x", 1, 2), hash_of("y", 1, 2));
    EXPECT_NE(hash_of("x", 1, 2), hash_of("x", 2, 1));
    EXPECT_NE(hash_of("x", 1, 2), hash_of("x", 1, 3));
}

TEST(Chance, StreamsOfOneSeedAreIndependent) {
    Chance a(1, "a");
    Chance again(1, "a");
    Chance b(1, "b");
    Chance other(2, "a");
    const std::uint64_t drawn = a.below(UINT64_MAX);
    EXPECT_EQ(drawn, again.below(UINT64_MAX));
    EXPECT_NE(drawn, b.below(UINT64_MAX));
    EXPECT_NE(drawn, other.below(UINT64_MAX));
}

TEST(Chance, NothingHappensAtZeroAndEverythingAtAThousand) {
    Chance chance(1, "edge");
    for (int i = 0; i < 1'000; ++i) {
        EXPECT_FALSE(chance.hit(0));
        EXPECT_TRUE(chance.hit(1'000));
        const std::uint64_t drawn = chance.between(3, 4);
        EXPECT_TRUE(drawn == 3 || drawn == 4);
    }
}

TEST(VirtualClock, TheWallStepsAndMonotonicTimeDoesNot) {
    VirtualClock clock;
    const auto wall = clock.wall();
    const auto monotonic = clock.monotonic();
    clock.step_wall(-24h);
    EXPECT_EQ(clock.monotonic(), monotonic);
    EXPECT_EQ(clock.wall(), wall - 24h);
    clock.advance(monotonic + 1500us);
    EXPECT_EQ(clock.wall(), wall - 24h + 1ms);
}

}  // namespace
}  // namespace pawl::sim
