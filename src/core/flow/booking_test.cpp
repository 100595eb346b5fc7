// SPDX-License-Identifier: Apache-2.0
// Slots that are held once, values that are unique while something is open, and scan tokens.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/world_fixture.hpp"

namespace pawl::flow {
namespace {

Definition room_flow() {
    Definition flow;
    flow.name = "room";
    flow.initial = "asked";
    flow.fields = {{"room", FieldType::text}, {"start", FieldType::time}, {"end", FieldType::time}};
    flow.states = {{"asked", false, {}, {}},
                   {"confirmed", false, {}, {compensated("paid")}},
                   {"gone", true, {}, {compensated("paid")}}};
    EventRule confirm = event("confirm", {"asked"}, "confirmed");
    confirm.transitions[0].exclusive = ExclusiveRule{"room", "start", "end", {"confirmed"}};
    EventRule paid = confirm;
    paid.name = "paid";
    paid.external = true;
    paid.unique = {{{"provider", "transaction_id"}, {}}};
    paid.transitions[0].taken = Branch{"gone", "refund"};
    flow.events = {confirm, paid, event("drop", {"asked", "confirmed"}, "gone")};
    flow.correlate = Correlate{"out_trade_no", "business_key"};
    flow.sagas = {{"refund", "POST http://pay/refunds", {"provider", "transaction_id"}, {}}};
    flow.create.unique = {{{"room"}, {"asked"}}};
    flow.create.transitions[0].to = "asked";
    return flow;
}

Event ask(std::string room, std::string start, std::string end) {
    return {.values = {{"room", std::move(room)},
                       {"start", "2026-05-01T" + start + ":00Z"},
                       {"end", "2026-05-01T" + end + ":00Z"}},
            .caller = "ann"};
}

World rooms(const std::vector<Event>& asked) {
    Definition flow = room_flow();
    flow.create.unique.clear();
    World world(flow);
    for (std::size_t i = 0; i < asked.size(); ++i) world.create(asked[i], std::to_string(i + 1));
    return world;
}

// Two requests wait for one slot; both are confirmed at once, and one after the other.
TEST(Booking, OfTwoThatOverlapTheSecondIsRefusedInItsCommit) {
    const std::vector<Event> asked{ask("A", "10:00", "11:00"), ask("A", "10:30", "11:30")};
    World one_by_one = rooms(asked);
    EXPECT_EQ(one_by_one.send("confirm", "1"), "applied confirmed");
    EXPECT_EQ(one_by_one.send("confirm", "2"), "refused slot_taken");
    World at_once = rooms(asked);
    at_once.before_commit = [&] { at_once.send("confirm", "1"); };
    EXPECT_EQ(at_once.send("confirm", "2"), "refused slot_taken");
    EXPECT_EQ(at_once.slots.size(), 1U);
}

TEST(Booking, SlotsThatTouchOrLieElsewhereAreFree) {
    World world = rooms({ask("A", "10:00", "11:00"), ask("A", "11:00", "12:00"),
                         ask("B", "10:00", "11:00"), ask("A", "09:00", "10:00")});
    for (const auto* id : {"1", "2", "3", "4"})
        EXPECT_EQ(world.send("confirm", id), "applied confirmed");
}

TEST(Booking, ASlotIsFreeAgainWhenItsStateEnds) {
    World world = rooms({ask("A", "10:00", "11:00"), ask("A", "10:00", "11:00")});
    world.send("confirm", "1");
    EXPECT_EQ(world.send("drop", "1"), "applied gone");
    EXPECT_TRUE(world.slots.empty());
    EXPECT_EQ(world.send("confirm", "2"), "applied confirmed");
}

TEST(Booking, MoneyForALostSlotIsRefunded) {
    World world = rooms({ask("A", "10:00", "11:00"), ask("A", "10:00", "11:00")});
    world.send("confirm", "1");
    const Event paid{.name = "paid",
                     .values = {{"provider", "wx"}, {"transaction_id", "T1"}},
                     .sender = Sender::callback};
    EXPECT_EQ(world.send(paid, "2"), "branched gone");
    EXPECT_EQ(world.sagas.size(), 1U);
    EXPECT_EQ(world.types(), std::vector<std::string>{"room.slot_taken"});
}

// Not when the money for it is in.
TEST(Booking, ASlotThatEndsBeforeItBeginsIsRefusedAtCreation) {
    World world = rooms({});
    EXPECT_EQ(world.create(ask("A", "11:00", "10:00")), "refused field_invalid");
    EXPECT_EQ(world.create(ask("A", "10:00", "10:00")), "refused field_invalid");
    EXPECT_EQ(world.create(ask("A", "10:00", "10:01")), "created asked");
}

TEST(Booking, ASlotIsNotMovedSoThatItEndsBeforeItBegins) {
    Definition flow = room_flow();
    EventRule move = event("move", {"asked"}, "same");
    move.set = {"start", "end"};
    flow.events.push_back(move);
    World world(flow);
    world.create(ask("A", "10:00", "11:00"));
    const auto moved = [&](const char* start, const char* end) {
        Event event = ask("A", start, end);
        event.name = "move";
        event.values.erase("room");
        return world.send(event);
    };
    EXPECT_EQ(moved("12:00", "11:00"), "refused field_invalid");
    EXPECT_EQ(moved("12:00", "13:00"), "applied asked");
}

TEST(Booking, ValuesAreUniqueWhileTheStateLastsAndARepeatGetsTheFirst) {
    World world(room_flow());
    EXPECT_EQ(world.create(ask("A", "10:00", "11:00"), "1"), "created asked");
    EXPECT_EQ(world.create(ask("A", "10:00", "11:00"), "2", "B1"), "repeat 1");
    EXPECT_EQ(world.create(ask("A", "12:00", "13:00"), "2", "B1"), "refused duplicate_request");
    Event other = ask("A", "12:00", "13:00");
    other.caller = "bob";
    EXPECT_EQ(world.create(other, "2"), "refused duplicate_request");
    world.send("drop", "1");
    EXPECT_EQ(world.create(other, "2"), "created asked");
}

Event scan(std::int64_t ts_ms, std::string nonce, std::string terminal = "t1") {
    const std::vector<std::string> seen{"X1", std::to_string(ts_ms), nonce};
    return {.name = "pack",
            .values = {{"token", scan_token({"box", "pack", seen}, "")},
                       {"ts_ms", std::to_string(ts_ms)},
                       {"nonce", nonce}},
            .caller = std::move(terminal)};
}

World box() {
    World world(box_flow());
    world.create({.values = {{"box", "X1"}}, .caller = "t1"});
    return world;
}

TEST(Packing, TheFirstScanWinsAndItsRetryGetsTheFirstAnswerForEver) {
    World world = box();
    EXPECT_EQ(world.send(scan(kStart, "a")), "applied packed");
    world.now_ms += 100;
    EXPECT_EQ(world.send(scan(kStart + 100, "b")), "refused transition_refused")
        << "the scanner bounced";
    EXPECT_EQ(world.send(scan(kStart, "a", "t2")), "refused duplicate_request")
        << "another terminal";
    world.now_ms += 3'600'000;
    EXPECT_EQ(world.send(scan(kStart, "a")), "repeat 2");
    EXPECT_EQ(world.entity().version, 2U);
}

// The token is over what is written on the box, and the box is there twice.
TEST(Packing, AScanOfABoxThatIsPackedDoesNotPassForOneOfTheBoxThatCameAfterIt) {
    World world = box();
    world.send(scan(kStart, "a"));
    world.create({.values = {{"box", "X1"}}, .caller = "t1"}, "2");
    EXPECT_EQ(world.send(scan(kStart, "a"), "2"), "refused duplicate_request");
    EXPECT_EQ(world.entity("2").state, "pending");
    EXPECT_EQ(world.send(scan(kStart, "b"), "2"), "applied packed");
}

TEST(Packing, TheOtherTerminalIsToldWhoWonAndWhen) {
    World world = box();
    world.send(scan(kStart, "a"));
    Event second = scan(kStart, "b", "t2");
    second.now_ms = kStart;
    const auto refusal = std::get<Refusal>(transition(world.machine, world.entity(), second));
    ASSERT_TRUE(refusal.winner);
    EXPECT_EQ(refusal.winner->by, "t1");
    EXPECT_EQ(refusal.winner->at_ms, kStart);
}

TEST(Packing, ATokenIsValidForItsTimeAndNotLonger) {
    World world = box();
    world.now_ms = kStart + 30'001;
    EXPECT_EQ(world.send(scan(kStart, "a")), "refused token_expired");
    world.now_ms = kStart + 30'000;
    EXPECT_EQ(world.send(scan(kStart, "a")), "applied packed");
}

TEST(Packing, AScannersClockMayBeAheadByItsSkew) {
    World world = box();
    EXPECT_EQ(world.send(scan(kStart + 5'001, "a")), "refused token_invalid");
    EXPECT_EQ(world.send(scan(kStart + 5'000, "a")), "applied packed");
}

TEST(Packing, ATokenThatIsTooOldSaysHowLongItWasValid) {
    World world = box();
    Event old = scan(kStart, "a");
    old.now_ms = kStart + 30'001;
    EXPECT_EQ(std::get<Refusal>(transition(world.machine, world.entity(), old)).text,
              "the token was valid for 30s only");
}

TEST(Packing, ATokenThatDoesNotFitIsNone) {
    World world = box();
    Event wrong = scan(kStart, "a");
    wrong.values["nonce"] = "b";
    EXPECT_EQ(world.send(wrong), "refused token_invalid");
    wrong = scan(kStart, "a");
    wrong.values["token"] = "zz";
    EXPECT_EQ(world.send(wrong), "refused token_invalid");
    wrong.values["ts_ms"] = "soon";
    EXPECT_EQ(world.send(wrong), "refused field_invalid");
    EXPECT_EQ(world.entity().version, 1U);
}

}  // namespace
}  // namespace pawl::flow
