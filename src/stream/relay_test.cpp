// SPDX-License-Identifier: Apache-2.0
// The relay against a scripted sink and an outbox in memory, on a clock that is moved by hand.
#include <gtest/gtest.h>

#include "stream/outbox_fixture.hpp"
#include "stream/relay.hpp"

namespace pawl::stream {
namespace {

using namespace std::chrono_literals;
using Kind = Delivered::Kind;
using Fault = OutboxInMemory::Fault;

class RelayTest : public testing::Test {
  protected:
    void start(RelaySetup setup = {.sink = "shop"}) {
        relay.emplace(hand.loop, outbox, sink, std::move(setup), figures);
        group.spawn(relay->run());
        hand.poll();
    }
    // "1.1 2.1 1.2": entity and version.
    static std::string told(const std::vector<Event>& events) {
        std::string text;
        for (const Event& event : events) {
            const auto at = event.body.find("\"sequence\":\"") + 12;
            text += (text.empty() ? "" : " ") + event.entity + "." +
                    event.body.substr(at, event.body.find('"', at) - at);
        }
        return text;
    }
    void refuse(std::string entity, Kind kind = Kind::refused) {
        sink.script = [entity = std::move(entity), kind](const Event& event) {
            return event.entity == entity ? Delivered{kind, "no"} : Delivered{};
        };
    }

    HandLoop hand;
    OutboxInMemory outbox{hand.clock};
    ScriptedSink sink{hand.loop};
    RelayFigures figures;
    TaskGroup group{hand.loop};
    std::optional<Relay> relay;
};

TEST_F(RelayTest, SendsWhatIsThereInTheOrderOfEachEntity) {
    for (const char* entity : {"1", "2", "1", "1"}) outbox.add(entity);
    start();
    hand.run_for(10ms);
    EXPECT_EQ(told(sink.accepted), "1.1 2.1 1.2 1.3");
    EXPECT_EQ(outbox.sent.size(), 4U);
    EXPECT_EQ(figures.sent.value(), 4U);
}

TEST_F(RelayTest, AHintWakesItAndWithoutOneItLooksNowAndThen) {
    start();
    hand.run_for(10ms);
    outbox.add("1");
    relay->hint_from_anywhere();
    hand.poll();
    EXPECT_EQ(told(sink.accepted), "1.1");
    outbox.add("1");
    hand.poll();
    EXPECT_EQ(told(sink.accepted), "1.1");
    hand.run_for(1s);
    EXPECT_EQ(told(sink.accepted), "1.1 1.2");
}

TEST_F(RelayTest, AnIdleRelayAsksTheStoreOnceASecond) {
    start();
    outbox.readings = 0;
    hand.run_for(10s);
    EXPECT_EQ(outbox.readings, 10);
    EXPECT_EQ(outbox.writings, 0);
}

// Case 70: one row that cannot go holds up its own entity only.
TEST_F(RelayTest, APoisonRowIsParkedAndOnlyItsOwnEntityWaits) {
    for (int i = 1; i <= 100; ++i) outbox.add(std::to_string(i));
    outbox.add("3");
    refuse("3");
    start();
    hand.run_for(100ms);
    EXPECT_EQ(sink.accepted.size(), 99U);
    hand.run_for(10min);
    EXPECT_EQ(sink.accepted.size(), 99U);
    EXPECT_EQ(outbox.parked_rows, (std::map<std::uint64_t, std::string>{{3, "no"}}));
    EXPECT_EQ(figures.refused.value(), RelayLimits{}.tries_max);
    EXPECT_EQ(figures.parked.value(), 1U);

    sink.script = [](const Event&) { return Delivered{}; };
    EXPECT_EQ(hand.run(relay->redrive()), 1U);
    hand.run_for(2s);
    EXPECT_EQ(sink.accepted.size(), 101U);
    EXPECT_EQ(sink.accepted.back().entity, "3");
}

TEST_F(RelayTest, ARefusedRowGoesOneTryBeforeItIsParked) {
    outbox.add("1");
    int calls = 0;
    sink.script = [&](const Event&) {
        return ++calls < static_cast<int>(RelayLimits{}.tries_max) ? Delivered{Kind::refused, "no"}
                                                                   : Delivered{};
    };
    start();
    hand.run_for(10min);
    EXPECT_EQ(told(sink.accepted), "1.1");
    EXPECT_TRUE(outbox.parked_rows.empty());
}

// Case 68: what was not sent has no age, and an outage is not the rows' fault.
TEST_F(RelayTest, AnOutageOfDaysParksNothingAndCountsNoTry) {
    for (int i = 1; i <= 20; ++i) outbox.add(std::to_string(i));
    for (const Kind kind : {Kind::away, Kind::failed}) {
        sink.script = [kind](const Event&) { return Delivered{kind, "it is down"}; };
        if (!relay) start();
        hand.run_for(48h);
        EXPECT_EQ(relay->standing().kind, Standing::Kind::paused);
        EXPECT_EQ(relay->standing().said, "it is down");
    }
    EXPECT_EQ(outbox.writings, 0);
    EXPECT_TRUE(outbox.parked_rows.empty());
    sink.script = [](const Event&) { return Delivered{}; };
    hand.run_for(11s);
    EXPECT_EQ(outbox.sent.size(), 20U);
    EXPECT_EQ(relay->standing().kind, Standing::Kind::working);
    for (const store::OutboxRow& row : outbox.rows) EXPECT_EQ(row.tries, 0U);
}

// Case 76: an endpoint that was away is asked by one, not by all who wait.
TEST_F(RelayTest, OneRowAsksWhetherTheEndpointIsBack) {
    for (int i = 1; i <= 50; ++i) outbox.add(std::to_string(i));
    sink.takes = 2s;
    sink.script = [](const Event&) { return Delivered{Kind::failed, "it is down"}; };
    start();
    hand.run_for(5s);
    EXPECT_EQ(sink.most_under_way, 4U);
    hand.run_for(60s);
    sink.most_under_way = 0;
    sink.given.clear();
    hand.run_for(10min);
    EXPECT_EQ(sink.most_under_way, 1U);
    EXPECT_GE(sink.given.size(), 40U);  // ten seconds of pause at most, two of the call
    EXPECT_LE(sink.given.size(), 140U);
    EXPECT_NE(sink.given[0].entity, sink.given[1].entity);
}

TEST_F(RelayTest, ARowThatFailsWhileOthersPassIsCountedInTheEnd) {
    for (int i = 1; i <= 3; ++i) outbox.add(std::to_string(i));
    refuse("2", Kind::failed);
    start();
    for (int i = 0; i < 600 && outbox.parked_rows.empty(); ++i) {
        outbox.add("7");
        relay->hint();
        hand.run_for(1s);
    }
    EXPECT_EQ(outbox.parked_rows, (std::map<std::uint64_t, std::string>{{2, "no"}}));
    hand.run_for(11s);
    EXPECT_EQ(outbox.sent.size() + 1, outbox.rows.size());
}

TEST_F(RelayTest, ARowThatFailsAloneIsNeverCounted) {
    outbox.add("1");
    refuse("1", Kind::failed);
    start();
    hand.run_for(48h);
    EXPECT_TRUE(outbox.parked_rows.empty());
    EXPECT_EQ(outbox.writings, 0);
}

TEST_F(RelayTest, RetryAfterIsAFloorForAllRows) {
    outbox.add("1");
    outbox.add("2");
    sink.parallel = 1;
    sink.script = [](const Event&) { return Delivered{Kind::away, "slowly", 30s}; };
    start();
    EXPECT_EQ(sink.given.size(), 1U);
    sink.script = [](const Event&) { return Delivered{}; };
    hand.run_for(30s);
    EXPECT_EQ(sink.given.size(), 1U);
    hand.run_for(1s);
    EXPECT_EQ(sink.accepted.size(), 2U);
}

TEST_F(RelayTest, AnEndpointThatIsGoneIsNotAskedAgainUntilAPersonSaysSo) {
    outbox.add("1");
    outbox.add("2");
    sink.parallel = 1;
    sink.script = [](const Event&) { return Delivered{Kind::gone, "the receiver answered 410"}; };
    start();
    hand.run_for(24h);
    EXPECT_EQ(sink.given.size(), 1U);
    EXPECT_EQ(relay->standing().kind, Standing::Kind::stopped);
    EXPECT_EQ(relay->standing().said, "the receiver answered 410");
    EXPECT_TRUE(outbox.parked_rows.empty());
    sink.script = [](const Event&) { return Delivered{}; };
    EXPECT_EQ(hand.run(relay->redrive()), 0U);
    hand.run_for(1s);
    EXPECT_EQ(outbox.sent.size(), 2U);
}

// Case 71: sent is what the sink said and the store has written down, nothing before.
TEST_F(RelayTest, WhatTheStoreDidNotTakeIsWrittenDownAgainAndNotSentAgain) {
    outbox.add("1");
    outbox.add("1");
    int left = 5;
    for (const Fault kind : {Fault::before, Fault::after}) {
        left = 5;
        outbox.fault = [&, kind] {
            if (outbox.writings == 0 || left == 0) return Fault::none;
            return --left == 0 ? Fault::none : kind;
        };
        if (!relay) start();
        hand.run_for(60s);
    }
    EXPECT_EQ(told(sink.given), "1.1 1.2");
    EXPECT_EQ(outbox.sent.size(), 2U);
}

TEST_F(RelayTest, AStoreThatIsAwayIsAskedLaterAndLater) {
    outbox.fault = [] { return Fault::before; };
    start();
    hand.run_for(60s);
    EXPECT_LE(outbox.readings, 120);
    outbox.fault = [] { return Fault::none; };
    outbox.add("1");
    hand.run_for(2s);
    EXPECT_EQ(told(sink.accepted), "1.1");
}

// The process dies after the receiver took it and before the store wrote it down: a consumer sees the same id.
TEST_F(RelayTest, ACrashBetweenDeliveryAndItsNoteRepeatsTheSameEvent) {
    outbox.add("1");
    outbox.fault = [&] { return outbox.writings > 0 ? Fault::before : Fault::none; };
    start();
    hand.run_for(1s);
    ASSERT_EQ(sink.given.size(), 1U);
    outbox.fault = [] { return Fault::none; };

    HandLoop after(2);
    sink.move_to(after.loop);
    Relay next(after.loop, outbox, sink, {.sink = "shop"}, figures);
    TaskGroup tasks(after.loop);
    tasks.spawn(next.run());
    after.run_for(1s);
    ASSERT_EQ(sink.given.size(), 2U);
    EXPECT_EQ(sink.given[0].id, sink.given[1].id);
    EXPECT_EQ(sink.given[0].body, sink.given[1].body);
    EXPECT_EQ(outbox.sent.size(), 1U);
}

TEST_F(RelayTest, WhatASinkDoesNotTakeIsPassedOver) {
    outbox.add("1", "order.created");
    outbox.add("1", "order.paid");
    outbox.add("1", "box.packed");
    start({.sink = "shop", .flows = {"order"}, .types = {"order.p*", "box.packed"}});
    hand.run_for(1s);
    EXPECT_EQ(told(sink.given), "1.2 1.3");
    EXPECT_EQ(outbox.sent.size(), 3U);
    EXPECT_EQ(figures.passed_over.value(), 1U);
}

TEST_F(RelayTest, ABatchIsGivenAtOnceAndJudgedRowByRow) {
    for (int i = 1; i <= 5; ++i) outbox.add(std::to_string(i));
    sink.batch = 3;
    sink.parallel = 1;
    refuse("2");
    start();
    EXPECT_EQ(told(sink.given), "1.1 2.1 3.1 4.1 5.1");
    EXPECT_EQ(outbox.sent.size(), 4U);
}

TEST_F(RelayTest, NoMoreAreUnderWayThanTheSinkTakes) {
    for (int i = 1; i <= 1'000; ++i) outbox.add(std::to_string(i % 300));
    sink.takes = 10ms;
    start();
    hand.run_for(3s);
    EXPECT_EQ(sink.most_under_way, 4U);
    EXPECT_EQ(sink.given.size(), 1'000U);
    EXPECT_LT(outbox.readings, 50);  // not once per row
}

TEST_F(RelayTest, WhatIsUnderWayIsWrittenDownBeforeItLeaves) {
    outbox.add("1");
    outbox.add("1");
    sink.takes = 5s;
    start();
    hand.run_for(1s);
    relay->stop();
    hand.run_for(1s);
    EXPECT_EQ(group.running(), 1U);
    hand.run_for(5s);
    EXPECT_EQ(group.running(), 0U);
    EXPECT_EQ(outbox.sent.size(), 1U);
    EXPECT_EQ(sink.given.size(), 1U);
}

TEST_F(RelayTest, AStoreThatIsAwayDoesNotKeepItFromLeaving) {
    outbox.add("1");
    outbox.fault = [&] { return outbox.writings > 0 ? Fault::before : Fault::none; };
    start();
    relay->stop();
    hand.run_for(60s);
    EXPECT_EQ(group.running(), 0U);
}

}  // namespace
}  // namespace pawl::stream
