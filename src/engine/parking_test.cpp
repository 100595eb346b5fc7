// SPDX-License-Identifier: Apache-2.0
// Facts that no commit woke: sent again from time to time, and put before a person when their time is over.
#include "engine/parking.hpp"
#include "engine/engine_fixture.hpp"

namespace pawl::engine {
namespace {

TEST(ParkedFacts, AreTriedAfterFiveFifteenAndThirtyFiveSeconds) {
    EXPECT_FALSE(is_tried_between(0, 0, 4'999));
    EXPECT_TRUE(is_tried_between(0, 4'999, 5'000));
    EXPECT_FALSE(is_tried_between(0, 5'000, 14'999));
    EXPECT_TRUE(is_tried_between(0, 14'999, 15'000));
    EXPECT_FALSE(is_tried_between(0, 15'000, 34'999));
    EXPECT_TRUE(is_tried_between(0, 34'999, 35'000));
}

// However the time is cut into passes, each time of trying falls into one of them; at last every ten minutes.
TEST(ParkedFacts, AreTriedAsOftenHoweverOftenTheSweepComes) {
    constexpr std::int64_t kDay = 24 * 3'600'000;
    int fine = 0;
    for (std::int64_t at = 0; at < kDay; at += 1'000) fine += is_tried_between(0, at, at + 1'000);
    int coarse = 0;
    for (std::int64_t at = 0; at < kDay; at += 5'000) coarse += is_tried_between(0, at, at + 5'000);
    EXPECT_EQ(fine, coarse);
    EXPECT_GT(fine, 144);
    EXPECT_LT(fine, 155);
    EXPECT_TRUE(is_tried_between(0, kDay, kDay + 600'000));
}

class ParkedFactsTest : public EngineTest {
  protected:
    void SetUp() override { stock_up(10); }
    ~ParkedFactsTest() override {
        run([](Parking& parking, Loop& loop) -> Task<bool> {
            co_return co_await parking.end(loop.now() + 20s);
        }(parking_, hand_.loop()));
    }
    void start() {
        parking_.start();
        hand_.poll();
    }
    void pass(std::chrono::milliseconds time) {
        for (auto passed = 0ms; passed < time; passed += 1s) hand_.pass(1s);
    }
    Parking parking_{hand_.loop(), flows_, committer_};
};

// The process ended between the commit of the order and the waking.
TEST_F(ParkedFactsTest, OneThatNobodyWokeIsFoundAndApplied) {
    say(payment("B1", "T1"));
    desk_.wakes(by_key("B1"), {});
    run(desk_.end(hand_.loop().now()));  // nobody wakes anything from now on
    say(creation("B1"));
    EXPECT_EQ(state("B1"), "created");
    start();
    pass(15s);
    EXPECT_EQ(state("B1"), "paid");
    EXPECT_EQ(waiting(), 0U);
}

TEST_F(ParkedFactsTest, AfterAStartAllAreTriedOnce) {
    say(payment("B1", "T1"));
    pass(1h);
    start();
    EXPECT_EQ(parking_.figures().sent, 1U);
    EXPECT_EQ(waiting(), 1U);
}

TEST_F(ParkedFactsTest, WhenItsTimeIsOverAPersonLooks) {
    start();
    say(payment("B1", "T1"));
    pass(flow::kFactHorizon - 20s);
    EXPECT_EQ(waiting(), 1U);
    EXPECT_EQ(attention(), 0U);
    pass(40s);
    EXPECT_EQ(waiting(), 0U);
    EXPECT_EQ(attention(), 1U);
    EXPECT_EQ(parking_.figures().given_up, 1U);
    const auto entry = flows_shelf_.attention(0, 1).value().front();
    EXPECT_EQ(entry.event->values.at("transaction_id"), "T1");
    // An order that comes later still meets the next notification.
    say(creation("B1"));
    EXPECT_EQ(say(payment("B1", "T1")), "applied paid");
}

TEST_F(ParkedFactsTest, OneOfAFlowThatIsNotServedWaitsAndThenGoesToAPerson) {
    say(payment("B1", "T1"));
    committer_.reload(std::make_shared<const Machines>());
    start();
    pass(1h);
    EXPECT_EQ(waiting(), 1U);
    pass(flow::kFactHorizon);
    EXPECT_EQ(attention(), 1U);
    EXPECT_EQ(waiting(), 0U);
}

TEST_F(ParkedFactsTest, AStoreThatIsAwayIsAskedAgain) {
    say(payment("B1", "T1"));
    run(desk_.end(hand_.loop().now()));
    say(creation("B1"));
    server_.set_reachable(false);
    start();
    pass(1min);
    server_.set_reachable(true);
    pass(1min);
    EXPECT_EQ(state("B1"), "paid");
}

TEST_F(ParkedFactsTest, ManyAreReadAsSeldomAsTheyAreMany) {
    for (std::size_t i = 0; i < 2 * kParkedFew; ++i) say(payment("B" + std::to_string(i), "T"));
    start();
    EXPECT_EQ(parking_.figures().passes, 1U);
    pass(3 * kParkingPassEvery - 1s);
    EXPECT_EQ(parking_.figures().passes, 1U);
    pass(1s);
    EXPECT_EQ(parking_.figures().passes, 2U);
}

// More than a page, of several tenants' worth, each once.
TEST_F(ParkedFactsTest, AllPagesAreLookedThrough) {
    for (int i = 0; i < 250; ++i) say(payment("B" + std::to_string(i), "T"));
    pass(6s);
    start();
    hand_.poll();
    EXPECT_EQ(parking_.figures().sent, 250U);
    EXPECT_EQ(parking_.figures().waiting, 250U);
}

}  // namespace
}  // namespace pawl::engine
