// SPDX-License-Identifier: Apache-2.0
// Commits whose outcome nobody hears: sent again they find their own, with a key and without one.
#include "engine/engine_fixture.hpp"

namespace pawl::engine {
namespace {

class Unknown : public EngineTest, public testing::WithParamInterface<Fault> {
  protected:
    void SetUp() override {
        stock_up(10);
        say(creation("B1"));
    }
    // The fault meets the next commit.
    std::string through(Sent sent) {
        plan({GetParam()});
        const std::string said = say(std::move(sent));
        server_.set_carry_plan({});
        settle(2s);
        hand_.pass(2min);
        return said;
    }
};

TEST_P(Unknown, ARequestWithAKeyTakesEffectOnce) {
    EXPECT_EQ(through(keyed(request("B1", "touch"), "k1")), "applied created");
    EXPECT_EQ(version("B1"), 2U);
    EXPECT_EQ(through(keyed(creation("B2"), "k2")), "applied created");
    EXPECT_EQ(version("B2"), 1U);
}

TEST_P(Unknown, ARequestWithoutAKeyTakesEffectOnce) {
    EXPECT_EQ(through(request("B1", "touch")), "applied created");
    EXPECT_EQ(version("B1"), 2U);
    EXPECT_EQ(through(creation("B2")), "applied created");
    EXPECT_EQ(version("B2"), 1U);
}

TEST_P(Unknown, AFactTakesEffectOnce) {
    EXPECT_EQ(through(payment("B1", "T1")), "applied paid");
    EXPECT_EQ(version("B1"), 2U);
    EXPECT_EQ(level(), (stock::Level{9, 0, 1}));
    EXPECT_EQ(through(payment("B2", "T2")), "parked");
    EXPECT_EQ(waiting(), 1U);
    // Found again by its record, the commit tells what waits there; without one, the sweep finds it.
    EXPECT_EQ(through(keyed(creation("B2"), "k2")), "applied created");
    EXPECT_EQ(state("B2"), "paid");
    EXPECT_EQ(waiting(), 0U);
}

TEST_P(Unknown, ADeadlineFiresOnce) {
    hand_.pass(15min);
    EXPECT_EQ(through(timer("B1", "created", "expire")), "applied cancelled");
    EXPECT_EQ(version("B1"), 2U);
}

TEST_P(Unknown, StockIsChangedOnce) {
    plan({GetParam()});
    const auto changed = run(committer_.change_stock(
        "acme", {sku("A"), store::StockChange::Kind::adjust, 5}, claim("k1")));
    EXPECT_EQ(told(changed), "applied ");
    hand_.pass(2min);
    EXPECT_EQ(level().available, 15);
}

TEST_P(Unknown, WhatIsTakenMeanwhileIsSeen) {
    server_.set_carry_plan([&, call = 0](std::uint64_t) mutable -> std::optional<Fault> {
        if (++call == 1) return GetParam();
        if (call == 2) meddle("B1");
        return {};
    });
    EXPECT_EQ(say(request("B1", "touch")), "applied created");
    hand_.pass(2min);
    EXPECT_EQ(version("B1"), 3U);
}

INSTANTIATE_TEST_SUITE_P(Faults, Unknown,
                         testing::Values(Fault::unknown_before, Fault::unknown_after, Fault::late),
                         [](const auto& one) {
                             return one.param == Fault::unknown_before  ? "Before"
                                    : one.param == Fault::unknown_after ? "After"
                                                                        : "Late";
                         });

using GivenUp = EngineTest;

TEST_F(GivenUp, TheSameAgainFindsItsOwn) {
    for (const Fault fault : {Fault::unknown_before, Fault::unknown_after}) {
        const std::string key = fault == Fault::unknown_before ? "B1" : "B2";
        server_.set_carry_plan([fault](std::uint64_t) { return fault; });
        const Sent sent = keyed(creation(key), "k" + key);
        const MonotonicTime begun = hand_.loop().now();
        EXPECT_EQ(say(sent), "unknown");
        EXPECT_GE(hand_.loop().now() - begun, kCommitPatience);
        server_.set_carry_plan({});
        const auto again = send(sent);
        EXPECT_EQ(told(again), fault == Fault::unknown_before ? "applied created" : "repeated");
        EXPECT_EQ(again->answer->status, 201);
        EXPECT_EQ(version(key), 1U);
    }
}

TEST_F(GivenUp, WhatWasRefusedIsToldAtOnceAndNothingIsWritten) {
    plan({Fault::refused});
    EXPECT_EQ(say(keyed(creation("B1"), "k1")), "unavailable");
    EXPECT_EQ(version("B1"), 0U);
    server_.set_reachable(false);
    EXPECT_EQ(say(request("B1", "touch")), "unavailable");
    server_.set_reachable(true);
}

// What an earlier sending may have done, no later error takes back.
TEST_F(GivenUp, AStoreThatIsAwayAfterwardsMakesNothingOfItUndone) {
    stock_up(10);
    server_.set_carry_plan([call = 0](std::uint64_t) mutable -> std::optional<Fault> {
        return ++call == 1 ? Fault::unknown_after : Fault::refused;
    });
    const store::StockChange lost{sku("A"), store::StockChange::Kind::adjust, -3};
    EXPECT_EQ(told(run(committer_.change_stock("acme", lost, claim("k1")))), "unknown");
    server_.set_carry_plan({});
    EXPECT_EQ(told(run(committer_.change_stock("acme", lost, claim("k1")))), "repeated");
    EXPECT_EQ(level().available, 7);
}

// The first sending is on its way yet when the second one finds too little.
TEST_F(GivenUp, AChangeOfStockThatWasRefusedTakesNoEffectLater) {
    stock_up(5);
    server_.set_profile({.late_max = 60s});
    plan({Fault::late});
    const store::StockChange lost{sku("A"), store::StockChange::Kind::adjust, -6};
    EXPECT_EQ(told(run(committer_.change_stock("acme", lost, claim("k1")))),
              "refused out_of_stock");
    server_.set_carry_plan({});
    stock_up(20);
    hand_.pass(2min);
    EXPECT_EQ(level().available, 20);
}

// And nobody knows how it ends when the refusal cannot be kept.
TEST_F(GivenUp, ARefusalThatCannotBeKeptAfterAnUnknownSendingIsUnknown) {
    stock_up(5);
    const store::StockChange lost{sku("A"), store::StockChange::Kind::adjust, -6};
    server_.set_profile({.late_max = 60s});
    plan({Fault::late, Fault::none, Fault::refused});
    EXPECT_EQ(told(run(committer_.change_stock("acme", lost, claim("k1")))), "unknown");
    server_.set_carry_plan({});
    plan({Fault::none, Fault::refused});
    EXPECT_EQ(told(run(committer_.change_stock("acme", lost, claim("k2")))), "unavailable");
}

// Without a record to find, the earlier sending may still be the one that counts.
TEST_F(GivenUp, ARefusalThatAnEarlierSendingMayOvertakeIsUnknown) {
    stock_up(1);
    say(creation("B1"));
    say(request("B1", "begin_payment"));
    server_.set_carry_plan([&, call = 0](std::uint64_t) mutable -> std::optional<Fault> {
        if (++call == 1) return Fault::late;
        store::FlowCommit sold_out{{.tenant = "acme"},
                                   store::StockChange{sku("A"), store::StockChange::Kind::set, 0}};
        sold_out.request = flow::Request{claim("sold out"), {.status = 200}};
        flows_shelf_.commit_flows({&sold_out, 1});
        return Fault::none;
    });
    EXPECT_EQ(say(request("B1", "reserve")), "unknown");
    server_.set_carry_plan({});
    EXPECT_EQ(say(keyed(request("B1", "reserve"), "k1")), "refused out_of_stock");
}

// Unknown stays unknown when the store goes away for good.
TEST_F(GivenUp, AStoreThatGoesAwayInBetweenLeavesItUnknown) {
    say(creation("B1"));
    server_.set_carry_plan([&, call = 0](std::uint64_t) mutable -> std::optional<Fault> {
        if (++call == 2) server_.set_reachable(false);
        return Fault::unknown_after;
    });
    EXPECT_EQ(say(keyed(request("B1", "touch"), "k1")), "unknown");
    server_.set_carry_plan({});
    server_.set_reachable(true);
    EXPECT_EQ(say(keyed(request("B1", "touch"), "k1")), "repeated");
    EXPECT_EQ(version("B1"), 2U);
}

}  // namespace
}  // namespace pawl::engine
