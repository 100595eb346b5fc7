// SPDX-License-Identifier: Apache-2.0
// Flows through every fault of the simulated server, and what the weaknesses of a store cost them.
#include <gtest/gtest.h>

#include "core/flow/world_fixture.hpp"
#include "runtime/task/group.hpp"
#include "store/conformance/rig.hpp"
#include "store/memory/memory_flows.hpp"
#include "store/memory/simulated_flows.hpp"

namespace pawl::store {
namespace {

using namespace std::chrono_literals;
using conformance::HandLoop;
using flow::sku;

flow::Request request(int key) {
    record::Claim claim;
    claim.identity = sha256(std::to_string(key));
    claim.claim.bytes[0] = static_cast<std::uint8_t>(key);
    claim.lease_ms = 30'000;
    claim.keep = {1'000'000, 2'000'000};
    claim.tenant = "acme";
    return {std::move(claim), {.status = 200, .headers = {}, .body = "done"}};
}

class SimulatedFlowsTest : public testing::Test {
  protected:
    explicit SimulatedFlowsTest(MemoryWeakness weakness = {}) : shelf_(hand_.clock(), weakness) {}

    FlowCommit creation(const std::string& id) {
        flow::Event event = flow::new_order();
        event.name = "create";
        event.now_ms = shelf_.now_ms();
        auto decided = flow::create(machine_, {id, "acme", "B" + id}, event);
        return {.subject = {"acme", "order", id, "B" + id},
                .decision = std::get<flow::Bundle>(std::move(decided))};
    }
    FlowCommit pay(const std::string& id) {
        const auto now = flows_shelf_.load({"acme", "order", id, {}}).value();
        flow::Event event = flow::payment("T" + id);
        event.now_ms = now.now_ms;
        auto decided = flow::transition(machine_, *now.entity, event);
        return {.subject = {"acme", "order", id, {}},
                .decision = std::get<flow::Bundle>(std::move(decided))};
    }
    static FlowCommit with(FlowCommit commit, int key) {
        commit.request = request(key);
        return commit;
    }
    static FlowCommit stock(std::int64_t total, int key) {
        return with({.subject = {.tenant = "acme"},
                     .decision = StockChange{sku("A"), StockChange::Kind::set, total}},
                    key);
    }
    std::string apply(const FlowCommit& commit) {
        return told(flows_shelf_.commit_flows({&commit, 1}).front());
    }
    static std::string told(const Result<FlowReply>& reply) {
        return std::string(reply ? name_of(reply->outcome) : name_of(reply.error().code));
    }
    // What it is told, through the fault; whoever waits is given time.
    std::string send(FlowCommit commit, Fault fault) {
        server_.set_carry_plan([fault](std::uint64_t) { return fault; });
        std::vector<std::string> answers;
        group_.spawn(
            [](SimulatedFlows& to, FlowCommit sent, std::vector<std::string>& out) -> Task<void> {
                out.push_back(told(co_await to.commit(std::move(sent))));
            }(flows_, std::move(commit), answers));
        hand_.poll();
        hand_.pass(10s);
        EXPECT_EQ(answers.size(), 1U);
        return answers.empty() ? "" : answers.front();
    }
    std::uint64_t version(const std::string& id) {
        const auto found = flows_shelf_.load({"acme", "order", id, {}}).value().entity;
        return found ? found->version : 0;
    }
    std::optional<stock::Level> level() { return flows_shelf_.level("acme", sku("A")).value(); }

    HandLoop hand_;
    MemoryShelf shelf_;
    MemoryFlows flows_shelf_{shelf_};
    SimulatedServer server_{hand_.loop(), shelf_};
    SimulatedFlows flows_{server_, flows_shelf_, hand_.loop()};
    TaskGroup group_{hand_.loop()};
    flow::Machine machine_ = flow::Machine::compile(flow::order_flow()).value();
};

// Every commit failed in turn, before and after it took effect: the same again has the effect once.
TEST_F(SimulatedFlowsTest, AnUnknownCommitIsSettledByTheSameAgain) {
    EXPECT_EQ(apply(stock(100, 99)), "applied");
    int key = 0;
    for (const Fault fault :
         {Fault::refused, Fault::busy, Fault::unknown_before, Fault::unknown_after}) {
        const std::string id = std::to_string(++key);
        const bool refused = fault == Fault::refused || fault == Fault::busy;
        const bool took_effect = fault == Fault::unknown_after;
        EXPECT_EQ(apply(creation(id)), "applied");
        const FlowCommit paid = with(pay(id), key);
        EXPECT_EQ(send(paid, fault), refused ? "unavailable" : "unknown");
        EXPECT_EQ(version(id), took_effect ? 2U : 1U);
        EXPECT_EQ(send(paid, Fault::none), took_effect ? "applied_before" : "applied");
        EXPECT_EQ(version(id), 2U);
        EXPECT_EQ(level(), (stock::Level{100 - 2 * key, 0, 2 * key}));
    }
}

// The first one lands after the second: it finds the second's record.
TEST_F(SimulatedFlowsTest, ALateCommitThatWasSentAgainTakesEffectOnce) {
    EXPECT_EQ(apply(stock(100, 99)), "applied");
    EXPECT_EQ(apply(creation("1")), "applied");
    const FlowCommit paid = with(pay("1"), 1);
    EXPECT_EQ(send(paid, Fault::late), "unknown");
    const std::string again = send(paid, Fault::none);
    EXPECT_TRUE(again == "applied" || again == "applied_before") << again;
    hand_.pass(1h);
    EXPECT_EQ(server_.under_way(), 0U);
    EXPECT_EQ(version("1"), 2U);
    EXPECT_EQ(level(), (stock::Level{98, 0, 2}));
}

// Every errand failed in turn, before and after it took effect: the same again says what the first would have.
TEST_F(SimulatedFlowsTest, AnErrandWhoseAnswerIsLostFindsItsOwn) {
    EXPECT_EQ(apply(stock(100, 99)), "applied");
    const auto send = [&](auto task, Fault fault) {
        server_.set_carry_plan([fault](std::uint64_t) { return fault; });
        return hand_.run(std::move(task));
    };
    int order = 0;
    for (const Fault fault : {Fault::unknown_before, Fault::unknown_after}) {
        const std::string id = std::to_string(++order);
        EXPECT_EQ(apply(creation(id)), "applied");
        EXPECT_EQ(apply(pay(id)), "applied");
        const auto rows = send(flows_.unsent("sink", true, 9), Fault::none).value();
        ASSERT_EQ(rows.size(), 1U);
        const std::vector<Delivery> sent{{.number = rows[0].number}};
        EXPECT_EQ(send(flows_.delivered("sink", sent), fault).error().code, Code::unknown);
        EXPECT_TRUE(send(flows_.delivered("sink", sent), Fault::none));
        EXPECT_TRUE(send(flows_.unsent("sink", true, 9), Fault::none)->empty());
        const std::int64_t until_ms = 1'000 * order;
        EXPECT_FALSE(send(flows_.extend({1, 1}, until_ms), fault));
        EXPECT_LE(send(flows_.extend({1, 1}, until_ms), Fault::none).value(), until_ms);
    }
}

// More rows than one reading looks at: the position moves over them, and what comes after is sent.
TEST_F(SimulatedFlowsTest, ASinkGetsPastThousandsOfRowsBehindOneThatIsStuck) {
    const auto send = [&](const std::string& id, flow::Event event) {
        const auto now = flows_shelf_.load({"acme", "order", id, {}}).value();
        event.now_ms = now.now_ms;
        auto decided =
            flow::transition(machine_, *now.entity, event, {.probed = flow::Probed::unpaid});
        EXPECT_EQ(apply({.subject = {"acme", "order", id, {}},
                         .decision = std::get<flow::Bundle>(std::move(decided))}),
                  "applied");
    };
    EXPECT_EQ(apply(stock(10, 1)), "applied");
    EXPECT_EQ(apply(creation("1")), "applied");
    send("1", {.name = "cancel", .caller = "ann"});
    const auto head = hand_.run(flows_.unsent("sink", true, 9)).value();
    ASSERT_EQ(head.size(), 1U);
    EXPECT_TRUE(hand_.run(flows_.delivered(
        "sink", {{.number = head[0].number, .kind = Delivery::Kind::parked, .tries = 1}})));
    for (int n = 0; n < 5'000; ++n) send("1", flow::payment("late-" + std::to_string(n)));
    EXPECT_EQ(apply(creation("2")), "applied");
    EXPECT_EQ(apply(pay("2")), "applied");
    EXPECT_EQ(hand_.run(flows_.outbox_figures("sink"))->unsent, 5'001U);
    EXPECT_TRUE(hand_.run(flows_.unsent("sink", true, 9))->empty());
    const auto rows = hand_.run(flows_.unsent("sink", true, 9)).value();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].subject.id, "2");
}

TEST_F(SimulatedFlowsTest, AServerThatDiesTellsItsCallersUnknown) {
    server_.set_profile({.delay_min = 1ms, .delay_max = 1ms});
    std::string answer;
    group_.spawn([](SimulatedFlows& to, FlowCommit sent, std::string& out) -> Task<void> {
        out = told(co_await to.commit(std::move(sent)));
    }(flows_, creation("1"), answer));
    hand_.poll();
    server_.crash();
    hand_.pass(1s);
    EXPECT_EQ(answer, "unknown");
    EXPECT_EQ(version("1"), 0U);
}

TEST_F(SimulatedFlowsTest, OutOfReachNothingIsAnswered) {
    EXPECT_EQ(apply(creation("1")), "applied");
    server_.set_reachable(false);
    EXPECT_EQ(send(creation("2"), Fault::none), "unavailable");
    const auto due = hand_.run(flows_.due(shelf_.now_ms(), 1));
    ASSERT_FALSE(due);
    EXPECT_EQ(due.error().code, Code::unavailable);
    EXPECT_EQ(hand_.run(flows_.load({"acme", "order", "1", {}})).error().code, Code::unavailable);
}

TEST_F(SimulatedFlowsTest, ANewKeyBeyondTheTenantsBytesIsToldLimited) {
    EXPECT_EQ(apply(stock(10, 1)), "applied");
    shelf_.limit({.stored_bytes_per_tenant = 1});
    const FlowCommit sent = with(creation("1"), 2);
    const auto reply = flows_shelf_.commit_flows({&sent, 1}).front();
    ASSERT_TRUE(reply->lost);
    EXPECT_EQ(reply->lost->verdict->outcome, record::Outcome::limited);
    EXPECT_EQ(version("1"), 0U);
    // What is known is answered as always.
    EXPECT_EQ(apply(stock(10, 1)), "applied_before");
}

TEST_F(SimulatedFlowsTest, AnAnswerOfAnOlderStampGoesWithTheNextOne) {
    const auto stamped = [](int claim, const char* number) {
        flow::Request made = request(1);
        made.claim.claim.bytes[1] = static_cast<std::uint8_t>(claim);
        made.claim.rerunnable = true;
        made.claim.stamp = record::Stamp{record::StampKind::integer, number};
        made.answer.body = number;
        return made;
    };
    FlowCommit first = creation("1");
    first.request = stamped(1, "1");
    EXPECT_EQ(apply(first), "applied");
    FlowCommit second = creation("2");
    second.request = stamped(2, "2");
    EXPECT_EQ(apply(second), "applied");
    const auto kept = shelf_.read(request(1).claim.identity).value();
    EXPECT_EQ(kept->answer->body, "2");
    EXPECT_FALSE(kept->row.beside);
    FlowCommit old = creation("3");
    old.request = stamped(3, "1");
    EXPECT_EQ(flows_shelf_.commit_flows({&old, 1}).front()->lost->verdict->outcome,
              record::Outcome::stale);
}

class LostTailOfFlows : public SimulatedFlowsTest {
  protected:
    LostTailOfFlows() : SimulatedFlowsTest({.lost_tail = 1'000ms}) {}
    void fail_over() {
        flows_shelf_.fail_over();
        shelf_.fail_over();
    }
};

// A commit is lost whole: its record with its entity, its stock and its deadline.
TEST_F(LostTailOfFlows, WhatAFailOverLosesItLosesWhole) {
    EXPECT_EQ(apply(stock(10, 1)), "applied");
    EXPECT_EQ(apply(creation("1")), "applied");
    const std::int64_t next_ms = flows_shelf_.next_due_ms().value();
    hand_.pass(2s);
    const FlowCommit paid = with(pay("1"), 2);
    EXPECT_EQ(apply(paid), "applied");
    EXPECT_EQ(apply(creation("2")), "applied");
    hand_.pass(500ms);
    fail_over();
    EXPECT_EQ(version("1"), 1U);
    EXPECT_EQ(version("2"), 0U);
    EXPECT_EQ(level(), (stock::Level{10, 0, 0}));
    EXPECT_EQ(flows_shelf_.next_due_ms().value(), next_ms);
    EXPECT_EQ(flows_shelf_.history({"acme", "order", "1", {}}, 0, 9).value().size(), 1U);
    EXPECT_FALSE(shelf_.read(request(2).claim.identity).value());
    EXPECT_EQ(apply(paid), "applied");
    EXPECT_EQ(apply(creation("2")), "applied");
}

// Where a sink stands goes with the rows that it stands at: what comes in their place is sent.
TEST_F(LostTailOfFlows, AFailOverLosesRowsAndReportsTogether) {
    const auto carry = [&](Errand errand) {
        EXPECT_TRUE(flows_shelf_.commit_errands({&errand, 1}).front());
    };
    EXPECT_EQ(apply(stock(10, 1)), "applied");
    EXPECT_EQ(apply(creation("1")), "applied");
    carry(OpenSink{"sink", true});
    hand_.pass(2s);
    EXPECT_EQ(apply(pay("1")), "applied");
    const auto before = flows_shelf_.unsent("sink", 9).value().rows;
    ASSERT_EQ(before.size(), 1U);
    carry(Delivered{"sink", {{.number = before[0].number}}});
    EXPECT_TRUE(flows_shelf_.unsent("sink", 9).value().rows.empty());
    hand_.pass(500ms);
    fail_over();
    EXPECT_TRUE(flows_shelf_.unsent("sink", 9).value().rows.empty());
    EXPECT_EQ(apply(pay("1")), "applied");
    EXPECT_EQ(flows_shelf_.unsent("sink", 9).value().rows.size(), 1U);
}

}  // namespace
}  // namespace pawl::store
