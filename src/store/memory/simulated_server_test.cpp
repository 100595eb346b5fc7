// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "runtime/task/group.hpp"
#include "store/conformance/rig.hpp"
#include "store/memory/simulated_records.hpp"

namespace pawl::store {
namespace {

using namespace std::chrono_literals;
using conformance::HandLoop;
using record::Outcome;

Digest identity(int n) { return sha256(std::to_string(n)); }

record::Claim claim(int key, std::uint8_t id) {
    record::Claim made;
    made.identity = identity(key);
    made.lease_ms = 30'000;
    made.keep = {1'000, 2'000};
    made.claim.bytes[0] = id;
    return made;
}

// A server and one client node, each on a loop of its own over the same clock.
class SimulatedServerTest : public testing::Test {
  protected:
    // Its answers, in the order in which they came: the outcome's name, or the error's.
    void send(record::Call call) {
        group_.spawn([](SimulatedRecords& to, record::Call sent,
                        std::vector<std::string>& out) -> Task<void> {
            const auto reply = co_await to.apply(std::move(sent));
            out.emplace_back(reply ? name_of(reply->outcome) : name_of(reply.error().code));
        }(records_, std::move(call), answers_));
        hand_.poll();
    }
    std::string only_answer(record::Call call) {
        answers_.clear();
        send(std::move(call));
        hand_.pass(1h);
        EXPECT_EQ(answers_.size(), 1U);
        return answers_.empty() ? "" : answers_.front();
    }
    void plan(Fault fault) {
        server_.set_plan([fault](std::uint64_t, const record::Call&) { return fault; });
    }

    HandLoop hand_;
    MemoryShelf shelf_{hand_.clock()};
    SimulatedServer server_{hand_.loop(), shelf_};
    SimulatedRecords records_{server_, hand_.loop()};
    TaskGroup group_{hand_.loop()};
    std::vector<std::string> answers_;
};

// Every call failed in turn, before and after it took effect: sent again it has the answer it would have
// had, and the record is never owned twice.
TEST_F(SimulatedServerTest, ACallThatFailedIsSettledByTheSameCallAgain) {
    int key = 0;
    for (const Fault fault :
         {Fault::refused, Fault::busy, Fault::unknown_before, Fault::unknown_after}) {
        ++key;
        plan(fault);
        const std::string failed =
            fault == Fault::refused || fault == Fault::busy ? "unavailable" : "unknown";
        EXPECT_EQ(only_answer(claim(key, 1)), failed);
        plan(Fault::none);
        EXPECT_EQ(only_answer(claim(key, 1)), "acquired");
        const record::Fence fence = shelf_.read(identity(key)).value()->row.fence;
        const record::Complete done{identity(key), claim(key, 1).claim, fence, {200, {}, {}}};
        plan(fault);
        EXPECT_EQ(only_answer(done), failed);
        plan(Fault::none);
        EXPECT_EQ(only_answer(done), "stored");
    }
}

// field case X1: a claim that failed has bought nothing, a completion that failed frees nothing
TEST_F(SimulatedServerTest, RefusedCallsChangeNothing) {
    plan(Fault::refused);
    EXPECT_EQ(only_answer(claim(1, 1)), "unavailable");
    EXPECT_EQ(shelf_.rows(), 0U);
    plan(Fault::unknown_before);
    EXPECT_EQ(only_answer(claim(1, 1)), "unknown");
    EXPECT_EQ(shelf_.rows(), 0U);
    server_.set_plan({});
    server_.set_reachable(false);
    EXPECT_EQ(only_answer(claim(1, 1)), "unavailable");
    EXPECT_EQ(shelf_.rows(), 0U);
}

TEST_F(SimulatedServerTest, ALateClaimArrivesAfterItsCallerWasToldUnknown) {
    plan(Fault::late);
    send(claim(1, 1));
    hand_.pass(0ms);
    ASSERT_EQ(answers_, (std::vector<std::string>{"unknown"}));
    EXPECT_EQ(shelf_.rows(), 0U);
    EXPECT_EQ(server_.under_way(), 1U);
    hand_.pass(60s);
    EXPECT_EQ(shelf_.rows(), 1U);
    EXPECT_EQ(server_.under_way(), 0U);
}

TEST_F(SimulatedServerTest, AWithdrawalRefusesTheClaimThatArrivesLate) {
    plan(Fault::late);
    send(claim(1, 1));
    hand_.pass(0ms);
    plan(Fault::none);
    EXPECT_EQ(shelf_.apply(record::Withdraw{identity(1), claim(1, 1).claim}).outcome,
              Outcome::freed);
    hand_.pass(60s);
    EXPECT_EQ(shelf_.read(identity(1)).value()->row.state, record::State::freed);
}

TEST_F(SimulatedServerTest, DelaysHoldCallsOnTheirWayAndReorderThem) {
    server_.set_profile({.delay_min = 1ms, .delay_max = 500ms});
    for (int key = 1; key <= 50; ++key) send(claim(key, 1));
    EXPECT_EQ(server_.under_way(), 50U);
    EXPECT_TRUE(answers_.empty());
    hand_.pass(1s);
    EXPECT_EQ(answers_.size(), 50U);
    std::vector<std::uint64_t> fences;
    for (int key = 1; key <= 50; ++key)
        fences.push_back(shelf_.read(identity(key)).value()->row.fence.number);
    EXPECT_FALSE(std::ranges::is_sorted(fences));
}

TEST_F(SimulatedServerTest, ACrashTellsEveryCallerUnknownAndDropsWhatHasNotArrived) {
    server_.set_profile({.delay_min = 10ms, .delay_max = 10ms});
    send(claim(1, 1));
    hand_.pass(10ms);  // arrived, the answer is on its way
    send(claim(2, 1));
    EXPECT_EQ(shelf_.rows(), 1U);
    server_.crash();
    hand_.poll();
    EXPECT_EQ(answers_, (std::vector<std::string>{"unknown", "unknown"}));
    hand_.pass(1h);
    EXPECT_EQ(shelf_.rows(), 1U);
    EXPECT_EQ(server_.under_way(), 0U);
}

TEST_F(SimulatedServerTest, ACallOutlivesTheNodeThatMadeIt) {
    server_.set_profile({.delay_min = 10ms, .delay_max = 10ms});
    {
        boost::asio::io_context context{1};
        Alarms alarms;
        SeededEntropy entropy(2);
        Loop node(context, hand_.clock(), alarms, entropy);
        SimulatedRecords records(server_, node);
        TaskGroup group(node);
        group.spawn([](SimulatedRecords& to) -> Task<void> {
            (void)co_await to.apply(claim(1, 1));
        }(records));
        context.poll();
        EXPECT_EQ(server_.under_way(), 1U);
    }
    hand_.pass(1s);
    EXPECT_EQ(shelf_.rows(), 1U);
}

TEST_F(SimulatedServerTest, ChancesAreDrawnInTheProportionOfTheProfile) {
    server_.set_profile({.refused = 100'000, .unknown_before = 200'000, .unknown_after = 300'000});
    std::map<std::string, int> counts;
    for (int key = 1; key <= 10'000; ++key) {
        answers_.clear();
        send(claim(key, 1));
        ++counts[answers_.at(0)];
    }
    EXPECT_NEAR(counts["unavailable"], 1'000, 150);
    EXPECT_NEAR(counts["unknown"], 5'000, 250);
    EXPECT_NEAR(counts["acquired"], 4'000, 250);
    EXPECT_NEAR(static_cast<int>(shelf_.rows()), 7'000, 250);
}

TEST_F(SimulatedServerTest, AReadFailsOnlyWhileTheServerCannotBeReached) {
    EXPECT_EQ(only_answer(claim(1, 1)), "acquired");
    EXPECT_TRUE(hand_.run(records_.read(identity(1))).value());
    server_.set_reachable(false);
    EXPECT_EQ(hand_.run(records_.read(identity(1))).error().code, Code::unavailable);
    EXPECT_EQ(hand_.run(records_.totals()).error().code, Code::unavailable);
}

}  // namespace
}  // namespace pawl::store
