// SPDX-License-Identifier: Apache-2.0
#include "surface/api/operation_view.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "gateway/operation.hpp"
#include "surface/api/operation_status.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;
using record::State;

constexpr std::int64_t kNow = 1'795'963'652'123;

record::Row row_in(State state) {
    record::Row row;
    row.state = state;
    row.identity = sha256("x");
    row.key_label = "k1";
    row.operation = "create-order";
    row.fence = {9'007'199'254'740'993};  // 2^53 + 1
    row.owner = {"node-a:8080", 1};
    row.created_ms = kNow - 5'000;
    row.changed_ms = kNow - 4'000;
    row.lease_until_ms = kNow + 20'000;
    row.attempts = 1;
    if (state == State::completed || state == State::tombstone) {
        row.settled = record::Settled{};
        row.settled->status = 201;
        row.settled->fence = row.fence;
        row.settled->settled_ms = kNow - 4'000;
        row.settled->result_until_ms = kNow + 1'000;
        row.key_until_ms = record::kForever;
    }
    return row;
}

const json::object* step_named(const json::array& steps, std::string_view action) {
    for (const json::value& step : steps)
        if (step.at("action").as_string() == action) return &step.as_object();
    return nullptr;
}

TEST(OperationView, CallersOfOneKeyAreToldApartByATag) {
    record::Row row = row_in(State::uncertain);
    EXPECT_FALSE(summary_json(row, kNow).contains("caller")) << "a caller without a name";
    row.caller = record::caller_digest(row.tenant, "ada");
    const std::string ada(summary_json(row, kNow).at("caller").as_string());
    row.caller = record::caller_digest(row.tenant, "grace");
    EXPECT_EQ(ada.size(), 8U);
    EXPECT_NE(summary_json(row, kNow).at("caller").as_string(), ada);
}

// R-VERSION
TEST(OperationView, ACorrectionShowsWhatItIsToReplace) {
    store::Stored stored;
    stored.row = row_in(State::uncertain);
    stored.row.stamp = record::parse_stamp("2").value();
    record::Settled first = *row_in(State::completed).settled;
    first.stamp = record::parse_stamp("1").value();
    stored.row.beside = first;
    const json::object shown = operation_json(stored, {}, kNow);
    EXPECT_EQ(shown.at("version").as_string(), "2");
    const json::object& replaced = shown.at("replaced_result").as_object();
    EXPECT_EQ(replaced.at("version").as_string(), "1");
    EXPECT_EQ(replaced.at("status").as_int64(), 201);
    EXPECT_TRUE(replaced.contains("kept_until"));
    EXPECT_FALSE(replaced.contains("kept")) << "it is, whether it was loaded or not";
}

TEST(OperationView, WhatIsLeftOfAVersionedKeyIsNotSaidToHaveHadNoEffect) {
    record::Row row = row_in(State::freed);
    row.stamp = record::parse_stamp("5").value();
    row.claim.bytes[0] = 1;
    EXPECT_TRUE(meaning_of(row, kNow).starts_with("did not take effect"));
    row.claim = {};
    EXPECT_TRUE(meaning_of(row, kNow).starts_with("its key's time ended 4 s ago;"));
}

TEST(OperationView, APersonsWordIsDatedByWhenItWasSaid) {
    record::Row row = row_in(State::completed);
    EXPECT_EQ(meaning_of(row, kNow), "took effect 4 s ago, answered 201");
    row.settled->source = record::Source::person;
    EXPECT_EQ(meaning_of(row, kNow),
              "took effect: a person said so 4 s ago; repeats are answered 201");
    row.state = State::tombstone;
    row.settled->status = 0;
    EXPECT_EQ(meaning_of(row, kNow),
              "took effect: a person said so 4 s ago, without an answer for repeats");
    EXPECT_EQ(meaning_of(row_in(State::freed), kNow),
              "did not take effect; the key was freed 4 s ago");
}

TEST(OperationView, WhatIsOnlyAcknowledgedIsNotSaidToHaveTakenEffect) {
    record::Row row = row_in(State::completed);
    row.operation = "POST /v1/flows/order/events/deliver";
    EXPECT_EQ(meaning_of(row, kNow), "took effect 4 s ago, answered 201");
    row.settled->status = 202;
    EXPECT_EQ(meaning_of(row, kNow),
              "acknowledged 4 s ago, answered 202; it waits for what has to come first, or for a "
              "person: `pawl flow list FLOW --waiting` and `pawl attention list` show it");
    row.operation = "callback hmac/shop";
    row.settled->status = 200;
    EXPECT_EQ(meaning_of(row, kNow),
              "acknowledged 4 s ago, answered 200; the timeline of what it is about says what "
              "became of it");
    row.state = State::tombstone;
    EXPECT_TRUE(meaning_of(row, kNow).starts_with("acknowledged; its answer has not been kept"));
    row.operation = "POST /orders";
    EXPECT_TRUE(meaning_of(row, kNow).starts_with("took effect"));
}

TEST(OperationView, ARefusalIsNotSaidToHaveTakenEffect) {
    record::Row row = row_in(State::completed);
    row.settled->status = 400;
    EXPECT_EQ(meaning_of(row, kNow),
              "refused by the service 4 s ago, answered 400; repeats are answered the same");
    const store::TimelineEntry declared{
        row.identity, kNow, "complete", std::string(gateway::kDeclaredApplied), row.fence, "", 1};
    const json::object applied = operation_json({row, std::nullopt}, {declared}, kNow);
    EXPECT_EQ(applied.at("meaning"), "took effect 4 s ago, answered 400");
    row.settled->source = record::Source::person;
    EXPECT_TRUE(meaning_of(row, kNow).starts_with("took effect: a person said so"));
    row.settled->source = record::Source::owner;
    row.settled->status = 399;
    EXPECT_TRUE(meaning_of(row, kNow).starts_with("took effect"));
    row.settled->status = 500;
    EXPECT_EQ(meaning_of(row, kNow),
              "ended by an error of the service 4 s ago, answered 500; repeats are answered the "
              "same");
    row.state = State::tombstone;
    row.settled->status = 404;
    EXPECT_EQ(meaning_of(row, kNow),
              "refused by the service, answered 404; this answer has not been kept for 4 s");
}

std::vector<std::string> steps_of(const record::Row& row,
                                  const std::vector<store::TimelineEntry>& journal) {
    std::vector<std::string> steps;
    const json::object shown = operation_json({row, std::nullopt}, journal, kNow);
    for (const json::value& one : shown.at("timeline").as_array())
        steps.push_back(std::string(one.at("step").as_string()) + " " +
                        std::string(one.at("outcome").as_string()));
    return steps;
}

TEST(OperationView, WhatIsSaidOfAnAttemptStaysWhenItIsSettled) {
    record::Row row = row_in(State::uncertain);
    row.owner_gone_ms = row.changed_ms;
    const store::TimelineEntry suspect{
        row.identity, row.changed_ms, "suspect", "suspected", row.fence, "", 1};
    EXPECT_EQ(steps_of(row, {suspect}),
              (std::vector<std::string>{"claim acquired", "state uncertain", "suspect suspected"}));
    EXPECT_EQ(steps_of(row, {}),
              (std::vector<std::string>{"claim acquired", "attempt over", "state uncertain"}))
        << "its process ended";
    store::TimelineEntry before = suspect;
    before.at_ms = row.owner_gone_ms - 1'000;
    EXPECT_EQ(steps_of(row, {before}).size(), 3U);
    before.at_ms -= 1;
    EXPECT_EQ(steps_of(row, {before}).size(), 4U) << "it had gone on listening";
    record::Row settled = row_in(State::completed);
    settled.owner_gone_ms = row.owner_gone_ms;
    settled.changed_ms = kNow;
    settled.settled->settled_ms = kNow;
    EXPECT_EQ(steps_of(settled, {suspect}),
              (std::vector<std::string>{"claim acquired", "suspect suspected", "complete stored"}));
}

TEST(OperationView, TheFirstClaimIsSeenBesideLaterOnes) {
    record::Row row = row_in(State::completed);
    row.attempts = 2;
    const store::TimelineEntry again{row.identity, kNow - 4'500, "claim", "acquired",
                                     row.fence,    "attempt 2",  1};
    EXPECT_EQ(steps_of(row, {again}),
              (std::vector<std::string>{"claim acquired", "claim acquired", "complete stored"}));
    row.stamp = record::parse_stamp("2").value();
    const store::TimelineEntry newer{row.identity, row.created_ms, "claim", "superseded",
                                     row.fence,    "attempt 2",    1};
    EXPECT_EQ(steps_of(row, {newer}),
              (std::vector<std::string>{"claim superseded", "complete stored"}))
        << "the record dates from the newer version";
}

TEST(OperationView, NumbersAbove53BitsAreStrings) {
    const auto shown = operation_json({row_in(State::completed), std::nullopt}, {}, kNow);
    EXPECT_EQ(shown.at("fence"), "9007199254740993");
    EXPECT_EQ(shown.at("result").at("fence"), "9007199254740993");
}

TEST(OperationView, ShowsNoBodyAndOfHeadersOnlyLocation) {  // A3: no secret in what is shown
    record::Answer answer{
        201,
        {{"Content-Type", "text/plain"}, {"location", "/orders/1"}, {"X-Token", "t0p"}},
        "s3cret"};
    const auto shown =
        json::serialize(operation_json({row_in(State::completed), answer}, {}, kNow));
    EXPECT_EQ(shown.find("s3cret"), std::string::npos);
    EXPECT_EQ(shown.find("t0p"), std::string::npos);
    EXPECT_NE(shown.find("\"location\":\"/orders/1\""), std::string::npos);
    EXPECT_NE(shown.find("\"body_bytes\":6"), std::string::npos);
}

TEST(OperationView, ClaimAndResultAreInTheTimelineWithoutAJournal) {
    const auto shown = operation_json({row_in(State::completed), std::nullopt}, {}, kNow);
    const json::array& timeline = shown.at("timeline").as_array();
    ASSERT_EQ(timeline.size(), 2U);
    EXPECT_EQ(timeline[0].at("step"), "claim");
    EXPECT_EQ(timeline[1].at("step"), "complete");
    EXPECT_EQ(timeline[1].at("source"), "record");
}

TEST(OperationView, JournalLinesStandInTheirPlaceAndReplaceWhatIsReadOffTheRecord) {
    const record::Row row = row_in(State::completed);
    const store::TimelineEntry replay{row.identity, kNow - 1'000, "replay", "replayed",
                                      row.fence,    "",           3};
    const store::TimelineEntry settled{row.identity, kNow - 4'000, "settle", "stored",
                                       row.fence,    "by ada",     1};
    const auto shown = operation_json({row, std::nullopt}, {replay, settled}, kNow);
    const json::array& timeline = shown.at("timeline").as_array();
    ASSERT_EQ(timeline.size(), 3U);
    EXPECT_EQ(timeline[1].at("step"), "settle");
    EXPECT_EQ(timeline[2].at("count"), 3);
}

TEST(NextSteps, OfAnUncertainRecordNameTheTimeFromWhichNotAppliedIsBelieved) {
    record::Row row = row_in(State::uncertain);
    EXPECT_EQ(step_named(next_steps(row, kNow), "resolve_not_applied")->at("allowed"),
              false);  // the owner may live
    row.owner_gone_ms = kNow - 1'000;
    row.horizon_ms = 1'001;
    const json::array steps = next_steps(row, kNow);
    const json::object* step = step_named(steps, "resolve_not_applied");
    EXPECT_EQ(step->at("allowed"), false);
    EXPECT_EQ(step->at("from"), "2026-11-29T14:47:32.124Z");
    row.horizon_ms = 1'000;
    EXPECT_EQ(step_named(next_steps(row, kNow), "resolve_not_applied")->at("allowed"), true);
    EXPECT_NE(step_named(next_steps(row, kNow), "look"), nullptr);
}

TEST(NextSteps, EveryStateHasOneButTheAbsent) {
    for (const State state : {State::in_progress, State::open, State::uncertain, State::completed,
                              State::tombstone, State::freed})
        EXPECT_FALSE(next_steps(row_in(state), kNow).empty()) << name_of(state);
    EXPECT_TRUE(next_steps(row_in(State::absent), kNow).empty());
}

TEST(NextSteps, OnlySettledRecordsMayBeForgotten) {
    EXPECT_NE(step_named(next_steps(row_in(State::completed), kNow), "forget"), nullptr);
    EXPECT_NE(step_named(next_steps(row_in(State::tombstone), kNow), "forget"), nullptr);
    EXPECT_EQ(step_named(next_steps(row_in(State::uncertain), kNow), "forget"), nullptr);
    EXPECT_EQ(step_named(next_steps(row_in(State::in_progress), kNow), "forget"), nullptr);
}

TEST(SpanText, ChangesItsUnitWhereItStaysExact) {
    EXPECT_EQ(span_text(-5), "0 ms");
    EXPECT_EQ(span_text(999), "999 ms");
    EXPECT_EQ(span_text(1'000), "1 s");
    EXPECT_EQ(span_text(119'999), "119 s");
    EXPECT_EQ(span_text(120'000), "2 min");
    EXPECT_EQ(span_text(7'200'000), "2 h");
    EXPECT_EQ(span_text(172'800'000), "2 d");
}

TEST(OperationStatus, IsOneWordForEveryState) {
    const auto word = [](State state) {
        return json::parse(operation_status(row_in(state)).body).at("status").as_string();
    };
    EXPECT_EQ(word(State::in_progress), "running");
    EXPECT_EQ(word(State::open), "uncertain");
    EXPECT_EQ(word(State::uncertain), "uncertain");
    EXPECT_EQ(word(State::completed), "done");
    EXPECT_EQ(word(State::tombstone), "done");
    EXPECT_EQ(word(State::freed), "failed");
}

}  // namespace
}  // namespace pawl::api
