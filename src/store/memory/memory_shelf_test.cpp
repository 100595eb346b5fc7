// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "store/conformance/rig.hpp"
#include "store/memory/memory_shelf.hpp"

namespace pawl::store {
namespace {

using namespace std::chrono_literals;
using record::Outcome;
using record::State;

Digest identity(int n) { return sha256(std::to_string(n)); }

record::Claim claim(int key, std::uint8_t id) {
    record::Claim made;
    made.identity = identity(key);
    made.lease_ms = 30'000;
    made.keep = {100'000, 200'000};
    made.claim.bytes[0] = id;
    return made;
}

class MemoryShelfTest : public testing::Test {
  protected:
    static record::Complete done(int key, record::Fence fence) {
        return {identity(key), claim(key, 1).claim, fence, {200, {}, "done"}};
    }
    static State state(MemoryShelf& shelf, int key) {
        const auto stored = shelf.read(identity(key)).value();
        return stored ? stored->row.state : State::absent;
    }
    conformance::HandClock clock_;
};

// What asynchronous replication does: acknowledged changes are gone, and the fences that were given out are
// not given out again.
TEST_F(MemoryShelfTest, AFailOverLosesItsTailAndNoMore) {
    MemoryShelf shelf(clock_, {.lost_tail = 1'000ms});
    const Reply first = shelf.apply(claim(1, 1));
    const Reply second = shelf.apply(claim(2, 1));
    shelf.apply(done(2, second.row.fence));
    clock_.pass(1'500ms);
    shelf.apply(done(1, first.row.fence));
    const Reply third = shelf.apply(claim(3, 1));
    shelf.apply(record::Forget{identity(2), second.row.fence});
    shelf.fail_over();
    EXPECT_EQ(state(shelf, 1), State::in_progress);
    EXPECT_EQ(state(shelf, 2), State::completed);
    EXPECT_EQ(shelf.read(identity(2)).value()->answer->body, "done");
    EXPECT_EQ(state(shelf, 3), State::absent);
    const Reply again = shelf.apply(claim(3, 2));
    EXPECT_GT(again.row.fence, third.row.fence);
    EXPECT_EQ(again.row.fence.number >> 48, 1U);
    EXPECT_FALSE(shelf.capabilities().survives_failover);
}

TEST_F(MemoryShelfTest, WithoutTheWeaknessAFailOverLosesNothing) {
    MemoryShelf shelf(clock_);
    shelf.apply(claim(1, 1));
    shelf.fail_over();
    EXPECT_EQ(state(shelf, 1), State::in_progress);
}

TEST_F(MemoryShelfTest, WallClockExpiryEndsALeaseWhenTheClockSteps) {
    MemoryShelf weak(clock_, {.wall_clock_expiry = true});
    MemoryShelf sound(clock_);
    weak.apply(claim(1, 1));
    sound.apply(claim(1, 1));
    clock_.step_wall(24h);
    EXPECT_EQ(weak.apply(claim(1, 2)).outcome, Outcome::uncertain);
    EXPECT_EQ(sound.apply(claim(1, 2)).outcome, Outcome::in_progress);
}

TEST_F(MemoryShelfTest, ARestartLosesTheNotesThatWereNotWritten) {
    MemoryShelf shelf(clock_);
    shelf.apply(claim(1, 1));
    shelf.note({.identity = identity(1), .step = "claim"});
    shelf.tend();
    shelf.note({.identity = identity(1), .step = "sent"});
    shelf.restart();
    shelf.tend();
    EXPECT_EQ(shelf.timeline(identity(1)).value().size(), 1U);
}

}  // namespace
}  // namespace pawl::store
