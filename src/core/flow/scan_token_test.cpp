// SPDX-License-Identifier: Apache-2.0
// R-PACKING: tokens of a scanner, signed by its station where stations are known.
#include "core/flow/scan_token.hpp"

#include <gtest/gtest.h>

#include "core/flow/world_fixture.hpp"

namespace pawl::flow {
namespace {

constexpr std::string_view kNorth = "the secret of the station north";
constexpr std::string_view kSouth = "the secret of the station south";

Definition boxes() {
    Definition flow = box_flow();
    flow.events[0].fields.push_back({"station", FieldType::text, false});
    flow.events[0].token->station = "station";
    return flow;
}

World station_world(Stations stations) {
    World world(boxes());
    world.machine.know(std::make_shared<const Stations>(std::move(stations)));
    world.create({.values = {{"box", "X1"}}, .caller = "t1"});
    return world;
}
World two_stations() {
    return station_world({{"north", {std::string(kNorth)}}, {"south", {std::string(kSouth)}}});
}

Event scan(std::string_view secret, std::string station, std::int64_t ts_ms = kStart,
           std::string box = "X1", std::string nonce = "n") {
    const std::vector<std::string> seen{std::move(box), std::to_string(ts_ms), nonce};
    Event event{.name = "pack",
                .values = {{"token", scan_token({"box", "pack", seen}, secret)},
                           {"ts_ms", std::to_string(ts_ms)},
                           {"nonce", nonce}},
                .caller = "t1"};
    if (!station.empty()) event.values["station"] = std::move(station);
    return event;
}

using Seen = std::vector<std::string>;

std::string packing(const Seen& seen, std::string_view secret = "") {
    return scan_token({"packing", "pack", seen}, secret);
}

// Made with, where p TEXT prints the eight bytes of its length and then itself:
//   (p pawl.scan.2; p packing; p pack; p X1; p 1777629600000; p n-1) | sha256sum
//   (the same) | openssl dgst -sha256 -binary | openssl dgst -sha256 -hmac "the secret of the station north"
TEST(ScanToken, IsWhatTheRuleGives) {
    const Seen seen{"X1", "1777629600000", "n-1"};
    EXPECT_EQ(packing(seen), "53a4fbbd68077b85074601a1a7429eecd984ba1f2a35a607c423e910b8dca928");
    EXPECT_EQ(packing(seen, kNorth),
              "2795932152ff390b7680988d65db78407967216f249eba551465ff2447c2bcc2");
}

TEST(ScanToken, ValuesDoNotRunTogether) {
    EXPECT_NE(packing({"X1", "7n"}), packing({"X17", "n"}));
    EXPECT_NE(packing({"X1"}), packing({"X1", ""}));
    const Seen seen{"X1"};
    EXPECT_NE(packing({"pack", "X1"}), scan_token({"packing", "packpack", seen}, ""));
}

TEST(ScanToken, OfAnotherFlowOrEventIsAnother) {
    const Seen seen{"X1", "n"};
    EXPECT_NE(packing(seen), scan_token({"packing", "unpack", seen}, ""));
    EXPECT_NE(packing(seen), scan_token({"returns", "pack", seen}, ""));
    EXPECT_NE(packing(seen), scan_token({"pack", "packing", seen}, ""));
    EXPECT_NE(packing(seen, kNorth), scan_token({"returns", "pack", seen}, kNorth));
}

TEST(SignedScan, OfItsStationPacksTheBox) {
    EXPECT_EQ(two_stations().send(scan(kNorth, "north")), "applied packed");
    EXPECT_EQ(two_stations().send(scan(kSouth, "south")), "applied packed");
}

TEST(SignedScan, OfAnotherStationOrOfNobodyIsRefused) {
    for (const auto& [secret, station] :
         {std::pair{kSouth, "north"}, std::pair{kNorth, "south"}, std::pair{kNorth, "west"},
          std::pair{kNorth, ""}, std::pair{std::string_view(), "north"},
          std::pair{std::string_view(), ""}, std::pair{std::string_view("north"), "north"}}) {
        World world = two_stations();
        EXPECT_EQ(world.send(scan(secret, station)), "refused token_invalid") << station;
        EXPECT_EQ(world.entity().version, 1U);
    }
}

TEST(SignedScan, OfAnotherBoxTimeOrScanIsRefused) {
    World world = two_stations();
    EXPECT_EQ(world.send(scan(kNorth, "north", kStart, "X2")), "refused token_invalid");
    for (const auto& [name, value] :
         {std::pair{"ts_ms", std::to_string(kStart + 1)}, std::pair{"nonce", std::string("m")}}) {
        Event other = scan(kNorth, "north");
        other.values[name] = value;
        EXPECT_EQ(world.send(other), "refused token_invalid") << name;
    }
    EXPECT_EQ(world.entity().version, 1U);
}

// What was scanned to weigh the box must not pack it, nor a scan of another line's flow.
TEST(SignedScan, MadeForAnotherEventOrFlowIsRefused) {
    Definition flow = boxes();
    EventRule weigh = flow.events[0];
    weigh.name = "weigh";
    weigh.transitions[0].to = std::string(kSame);
    flow.events.push_back(weigh);
    World world(std::move(flow));
    world.machine.know(
        std::make_shared<const Stations>(Stations{{"north", {std::string(kNorth)}}}));
    world.create({.values = {{"box", "X1"}}, .caller = "t1"});
    Event weighed = scan(kNorth, "north");
    weighed.name = "weigh";
    EXPECT_EQ(world.send(weighed), "refused token_invalid");
    const Seen seen{"X1", std::to_string(kStart), "n"};
    weighed.values["token"] = scan_token({"box", "weigh", seen}, kNorth);
    EXPECT_EQ(world.send(weighed), "applied pending");
    Event packed = weighed;
    packed.name = "pack";
    EXPECT_EQ(world.send(packed), "refused token_invalid");
    packed.values["token"] = scan_token({"returns", "pack", seen}, kNorth);
    EXPECT_EQ(world.send(packed), "refused token_invalid");
    EXPECT_EQ(world.entity().state, "pending");
    EXPECT_EQ(world.send(scan(kNorth, "north")), "applied packed");
}

TEST(SignedScan, IsTheSameScanHoweverOftenItIsSent) {
    World world = two_stations();
    EXPECT_EQ(world.send(scan(kNorth, "north")), "applied packed");
    EXPECT_EQ(world.send(scan(kNorth, "north")), "repeat 2");
    world.now_ms += 3'600'000;
    EXPECT_EQ(world.send(scan(kNorth, "north")), "repeat 2") << "also when it is old";
    EXPECT_EQ(world.send(scan(kSouth, "south", world.now_ms)), "refused transition_refused")
        << "packed is final, whoever scans";
    EXPECT_EQ(world.entity().version, 2U);
}

// Otherwise one scan would be as many facts as it has letters to raise.
TEST(SignedScan, InCapitalsIsNoToken) {
    World world = two_stations();
    auto raised = scan(kNorth, "north");
    for (char& c : raised.values["token"]) c = static_cast<char>(std::toupper(c));
    EXPECT_EQ(world.send(raised), "refused token_invalid");
}

TEST(SignedScan, OfTooOldATimeOrOfOneToComeIsToldSo) {
    World world = two_stations();
    world.now_ms = kStart + 30'001;
    EXPECT_EQ(world.send(scan(kNorth, "north")), "refused token_expired");
    const Event early = scan(kNorth, "north", world.now_ms + 5'001);
    EXPECT_EQ(world.send(early), "refused token_invalid");
    Event judged = early;
    judged.now_ms = world.now_ms;
    const auto refusal = std::get<Refusal>(transition(world.machine, world.entity(), judged));
    EXPECT_EQ(refusal.text,
              "the token is of a time that comes in 5001 ms; set the clock of its "
              "station");
    EXPECT_EQ(world.send(scan(kNorth, "north", world.now_ms + 5'000)), "applied packed");
}

TEST(SignedScan, OfASecretThatIsBeingChangedIsGoodUnderBoth) {
    const Stations both{{"north", {"the coming secret of the station", std::string(kNorth)}}};
    EXPECT_EQ(station_world(both).send(scan(kNorth, "north")), "applied packed");
    EXPECT_EQ(station_world(both).send(scan("the coming secret of the station", "north")),
              "applied packed");
    EXPECT_EQ(station_world(both).send(scan(kSouth, "north")), "refused token_invalid");
}

TEST(SignedScan, WhereNoStationIsKnownTheNameIsOnlyAName) {
    EXPECT_EQ(station_world({}).send(scan("", "north")), "applied packed");
    EXPECT_EQ(station_world({}).send(scan("", "")), "applied packed");
    EXPECT_EQ(station_world({}).send(scan(kNorth, "north")), "refused token_invalid");
}

TEST(SignedScan, OfAFlowThatNamesNoStationIsNotAskedFor) {
    Definition flow = boxes();
    flow.events[0].token->station.clear();
    World world(std::move(flow));
    world.machine.know(
        std::make_shared<const Stations>(Stations{{"north", {std::string(kNorth)}}}));
    world.create({.values = {{"box", "X1"}}, .caller = "t1"});
    EXPECT_EQ(world.send(scan("", "")), "applied packed");
}

}  // namespace
}  // namespace pawl::flow
