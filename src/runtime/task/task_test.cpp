// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "runtime/task/bell.hpp"
#include "runtime/task/group.hpp"
#include "runtime/task/hand_loop_fixture.hpp"
#include "runtime/task/promise.hpp"
#include "runtime/task/within.hpp"

namespace pawl {
namespace {

using namespace std::chrono_literals;

Task<void> note(Task<std::optional<int>> waiting, std::vector<int>& out) {
    const auto value = co_await std::move(waiting);
    out.push_back(value.value_or(-1));
}

TEST(Promise, WakesEveryWaiterWithACopy) {
    HandLoop hand;
    TaskGroup group(hand.loop);
    Promise<int> promise(hand.loop);
    std::vector<int> out;
    group.spawn(note(promise.wait(), out));
    group.spawn(note(promise.wait(), out));
    hand.poll();
    EXPECT_TRUE(out.empty());
    promise.set(7);
    hand.poll();
    EXPECT_EQ(out, (std::vector{7, 7}));
    EXPECT_EQ(group.running(), 0U);
}

TEST(Promise, AWaiterWhoseDeadlineCameFirstGetsNothing) {
    HandLoop hand;
    TaskGroup group(hand.loop);
    Promise<int> promise(hand.loop);
    std::vector<int> out;
    group.spawn(note(promise.wait(hand.loop.now() + 5s), out));
    hand.poll();
    hand.advance(5s);
    EXPECT_EQ(out, (std::vector{-1}));
    promise.set(1);  // nobody is woken twice
    hand.poll();
    EXPECT_EQ(out.size(), 1U);
}

TEST(Loop, DestroysTheCoroutinesThatAreSuspendedOnIt) {
    auto kept = std::make_shared<int>(0);
    const std::weak_ptr<int> seen = kept;
    {
        HandLoop hand;
        TaskGroup group(hand.loop);
        Promise<int> promise(hand.loop);
        group.spawn([](std::shared_ptr<int> held, Promise<int> waiting) -> Task<void> {
            co_await waiting.wait();
            ++*held;
        }(std::move(kept), promise));
        hand.poll();
        EXPECT_FALSE(seen.expired());
    }
    EXPECT_TRUE(seen.expired());
}

TEST(TaskGroup, DrainsWhenTheLastTaskEndsAndGivesUpAtItsDeadline) {
    HandLoop hand;
    TaskGroup work(hand.loop);
    TaskGroup waiting(hand.loop);
    work.spawn(hand.loop.sleep_for(10s));
    std::vector<bool> drained;
    const auto drain = [&](std::chrono::seconds limit) -> Task<void> {
        drained.push_back(co_await work.drain(hand.loop.now() + limit));
    };
    waiting.spawn(drain(5s));
    waiting.spawn(drain(60s));
    hand.poll();
    hand.advance(5s);
    EXPECT_EQ(drained, (std::vector{false}));
    hand.advance(5s);
    EXPECT_EQ(drained, (std::vector{false, true}));
}

TEST(Within, ALostRaceLeavesTheTaskRunning) {
    HandLoop hand;
    TaskGroup group(hand.loop);
    bool ended = false;
    std::vector<int> out;
    const auto work = [&]() -> Task<int> {
        co_await hand.loop.sleep_for(10s);
        ended = true;
        co_return 3;
    };
    group.spawn(note(within(hand.loop, group, hand.loop.now() + 1s, work()), out));
    hand.poll();
    hand.advance(1s);
    EXPECT_EQ(out, (std::vector{-1}));
    hand.advance(9s);
    EXPECT_TRUE(ended);
}

Task<void> hear(Bell bell, MonotonicTime deadline, std::vector<bool>& out) {
    out.push_back(co_await bell.wait(deadline));
}

TEST(Bell, ManyRingsBeforeAWaitAreOne) {
    HandLoop hand;
    TaskGroup group(hand.loop);
    Bell bell(hand.loop);
    std::vector<bool> out;
    bell.ring();
    bell.ring_from_anywhere();
    bell.ring_from_anywhere();
    hand.poll();
    group.spawn(hear(bell, hand.loop.now() + 1s, out));
    hand.poll();
    EXPECT_EQ(out, (std::vector{true}));
    group.spawn(hear(bell, hand.loop.now() + 1s, out));
    hand.poll();
    EXPECT_EQ(out.size(), 1U);
    hand.advance(1s);
    EXPECT_EQ(out, (std::vector{true, false}));
}

TEST(Bell, WakesItsWaiterFromAnywhere) {
    HandLoop hand;
    TaskGroup group(hand.loop);
    Bell bell(hand.loop);
    std::vector<bool> out;
    group.spawn(hear(bell, kNever, out));
    hand.poll();
    bell.ring_from_anywhere();
    hand.poll();
    EXPECT_EQ(out, (std::vector{true}));
    bell.ring();  // kept for the next wait
    group.spawn(hear(bell, kNever, out));
    hand.poll();
    EXPECT_EQ(out, (std::vector{true, true}));
}

}  // namespace
}  // namespace pawl
