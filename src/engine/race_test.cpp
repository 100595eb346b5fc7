// SPDX-License-Identifier: Apache-2.0
// Two nodes and one order: payment against timeout, a notification against the creation of its order, clicks
// that come at once. Ten thousand rounds each, with the store's answers on their way for a time that is drawn.
#include "engine/engine_fixture.hpp"

namespace pawl::engine {
namespace {

constexpr int kRounds = 10'000;

class Races : public EngineTest {
  protected:
    Races() : EngineTest(touched_order(), 7) { other_desk_.send_through(other_); }

    void SetUp() override {
        stock_up(2 * kRounds);
        server_.set_profile({.delay_min = 0us, .delay_max = 3ms});
    }
    void spawn(Committer& through, Sent sent, std::string& told_as) {
        group_.spawn([](Committer& to, Sent one, std::string& into) -> Task<void> {
            into = told(co_await to.send(std::move(one)));
        }(through, std::move(sent), told_as));
    }
    void finish() {
        hand_.poll();
        for (int step = 0; group_.running() > 0 && step < 60'000; ++step) hand_.pass(1ms);
        ASSERT_EQ(group_.running(), 0U);
    }

    Desk other_desk_{hand_.loop(), observer_};
    Committer other_{{hand_.loop(), flows_, inquiry_, ids_, other_desk_}, machines_};
    TaskGroup group_{hand_.loop()};
};

// L3, field cases 37 and X18: exactly one transition per round, and the loser's side effects never run.
TEST_F(Races, PaymentAgainstTimeoutHasExactlyOneWinner) {
    int paid = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::string key = "B" + std::to_string(round);
        say(creation(key));
        hand_.pass(15min);
        std::string pay, expire;
        spawn(committer_, payment(key, "T" + key), pay);
        spawn(other_, timer(key, "created", "expire"), expire);
        finish();
        const bool was_paid = state(key) == "paid";
        paid += was_paid ? 1 : 0;
        const auto rows = history(key);
        ASSERT_EQ(rows.size(), was_paid ? 2U : 3U) << key << " " << pay << " " << expire;
        ASSERT_EQ(pay, was_paid ? "applied paid" : "applied cancelled");
        ASSERT_EQ(expire, was_paid ? "ignored" : "applied cancelled");
        ASSERT_EQ(rows.back().sagas.size(), was_paid ? 0U : 1U);
        ASSERT_EQ(level().sold, paid);
    }
    EXPECT_GT(paid, kRounds / 10);
    EXPECT_LT(paid, kRounds * 9 / 10 + 1);
}

// Field case 29: a notification and the creation of its order in the same moment; never lost.
TEST_F(Races, AnEarlyFactAndItsOrderNeverMissEachOther) {
    int parked = 0;
    for (int round = 0; round < kRounds; ++round) {
        const std::string key = "B" + std::to_string(round);
        std::string made, pay;
        spawn(other_, payment(key, "T" + key), pay);
        settle(std::chrono::milliseconds(round % 9));
        spawn(committer_, creation(key), made);
        finish();
        parked += pay == "parked" ? 1 : 0;
        for (int step = 0; waiting() > 0 && step < 1'000; ++step) hand_.pass(1ms);
        ASSERT_EQ(state(key), "paid") << key << " " << pay;
        ASSERT_EQ(version(key), 2U);
    }
    EXPECT_EQ(waiting(), 0U);
    EXPECT_GT(parked, kRounds / 10);
    EXPECT_LT(parked, kRounds);
}

// Field case X19: two clicks at once make one shipment; the second conflicts.
TEST_F(Races, TwoClicksShipOnce) {
    for (int round = 0; round < 500; ++round) {
        const std::string key = "B" + std::to_string(round);
        say(creation(key));
        say(payment(key, "T" + key));
        std::string first, second;
        spawn(committer_, keyed(request(key, "ship"), key + "a"), first);
        spawn(other_, keyed(request(key, "ship"), key + "b"), second);
        finish();
        ASSERT_NE(first, second);
        ASSERT_TRUE(first == "applied shipped" || second == "applied shipped");
        ASSERT_TRUE(first == "refused transition_refused" ||
                    second == "refused transition_refused");
        ASSERT_EQ(version(key), 3U);
    }
}

}  // namespace
}  // namespace pawl::engine
