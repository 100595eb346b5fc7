// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/render_flow.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>

namespace pawl::cli {
namespace {

namespace json = boost::json;

const Paint kPlain{false};

TEST(RenderFlow, EntitiesAreATableAndWhatIsBehindItIsNamed) {
    const json::value document = json::parse(R"({"entities":[{"id":"17","flow":"order",
        "state":"created","version":1,"business_key":"B1","created_at":"2026-12-01T01:02:03.004Z",
        "deadlines":[{"name":"created","event":"expire","due_at":"2026-12-01T01:17:03.004Z"}]}],
        "next":"17"})");
    const std::string text = render_entities(document.as_object(), kPlain);
    for (const std::string_view part :
         {"id", "17", "created", "2026-12-01 01:02:03.004", "B1", "expire 2026-12-01 01:17:03.004",
          "there are more: --after 17"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(render_entities(json::parse(R"({"entities":[]})").as_object(), kPlain),
              "There is none.\n");
}

TEST(RenderFlow, WhatWaitsIsATableAndSaysUntilWhen) {
    const json::value document = json::parse(R"({"facts":[{"number":"3","business_key":"B1",
        "event":"deliver","sender":"callback","values":{"parcel":"P1"},
        "since":"2026-12-01T01:02:03.004Z","until":"2026-12-02T07:02:03.004Z"}],"next":"3"})");
    const std::string text = render_waiting(document.as_object(), kPlain);
    for (const std::string_view part :
         {"deliver", "B1", "parcel P1", "2026-12-01 01:02:03.004", "2026-12-02 07:02:03.004",
          "`pawl attention list`", "there are more: --after 3"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(render_waiting(json::parse(R"({"facts":[]})").as_object(), kPlain),
              "Nothing waits.\n");
}

TEST(RenderFlow, AnEntityIsShownWithWhatHappenedToIt) {
    const json::value document = json::parse(R"({"flow":"order","id":"17",
        "entity":{"id":"17","state":"paid","version":2,"business_key":"B1",
                  "fields":{"amount":"12.50"}},
        "steps":[{"version":1,"event":"create","from":"","to":"created","sender":"caller",
                  "caller":"ann","at":"2026-12-01T01:02:03.004Z"},
                 {"version":2,"event":"pay","from":"created","to":"paid","sender":"callback",
                  "at":"2026-12-01T01:02:04.004Z","type":"order.paid",
                  "values":{"amount":"12.50","transaction_id":"T1"},
                  "stock":[{"sku":"A","available":-2,"reserved":0,"sold":2}],
                  "sagas":[{"saga":"refund","key":"00"}]}]})");
    const std::string text = render_entity(document.as_object(), kPlain);
    for (const std::string_view part :
         {"17  order B1", "paid, version 2", "amount", "12.50", "ann", "callback",
          "amount 12.50, transaction_id T1, sends order.paid, A -2 available +2 sold, begins "
          "refund"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
}

// What a person has to look at and what one has closed stand between the steps, where they happened.
constexpr std::string_view kEntries = R"([{"number":"4","flow":"order","id":"17",
    "reason":"amount_mismatch: `amount` is `99`, the entity's is `12.50`",
    "at":"2026-12-01T01:02:03.500Z","event":{"name":"pay","sender":"callback",
        "values":{"amount":"99","transaction_id":"T1"}},"about":[{"transaction_id":"T1"}],
    "closed":{"at":"2026-12-01T01:02:05.000Z","as":"settled","by":"ann","reason":"paid back"}},
   {"number":"5","flow":"order","id":"17","reason":"`probe_payment` gave up",
    "at":"2026-12-01T01:02:03.600Z","event":{"name":"expire","sender":"timer",
        "deadline":"unpaid","values":{}},"about":[]}])";

TEST(RenderFlow, EntriesForPeopleStandInTheTimelineAtTheirTime) {
    json::value document = json::parse(R"({"flow":"order","id":"17",
        "entity":{"id":"17","state":"paid","version":2,"fields":{"amount":"12.50"},
            "deadlines":[{"name":"unpaid","event":"expire","due_at":"2026-12-01T01:17:03.004Z"}]},
        "steps":[{"version":1,"event":"create","to":"created","sender":"caller",
                  "at":"2026-12-01T01:02:03.004Z"},
                 {"version":2,"event":"pay","from":"created","to":"paid","sender":"callback",
                  "at":"2026-12-01T01:02:04.004Z",
                  "values":{"amount":"12.50","transaction_id":"T2"}}]})");
    document.as_object()["entries"] = json::parse(kEntries);
    const std::string text = render_entity(document.as_object(), kPlain);
    std::size_t behind = text.find("timeline (UTC)");
    ASSERT_NE(behind, std::string::npos) << text;
    for (const std::string_view part :
         {"create",
          "for a person: the amount or currency differs: `amount` is `99`, the entity's "
          "is `12.50` (pay by callback: amount 99, transaction_id T1)",
          "for a person: `probe_payment` gave up (expire of deadline unpaid by timer)",
          "amount 12.50, transaction_id T2", "settled by hand by ann: paid back"}) {
        behind = text.find(part, behind);
        ASSERT_NE(behind, std::string::npos) << part << " is not there, or too early:\n" << text;
    }
    const std::size_t open = text.find("waits for a person, entry 5, 2026-12-01 01:02:03.600");
    EXPECT_LT(open, text.find("timeline (UTC)")) << text;
    EXPECT_EQ(text.find("waits for a person, entry 4"), std::string::npos) << "it is closed";
    EXPECT_NE(text.find("unpaid: expire at 2026-12-01 01:17:03.004"), std::string::npos) << text;
}

TEST(RenderFlow, WhatIsFoundShowsWhatWaitsForAPersonAndWhatOneHasClosed) {
    json::value document = json::parse(R"({"found":[{"by":"business_key",
        "entity":{"id":"17","flow":"order","state":"created"}}],"waiting":[],"attention":[
        {"number":"9","flow":"order","reason":"it names no order","at":"2026-12-01T01:02:03.500Z",
         "closed":{"at":"2026-12-01T01:02:05.000Z","as":"taken"}}]})");
    document.as_object()["found"].as_array()[0].as_object()["entries"] = json::parse(kEntries);
    const std::string text = render_found(document.as_object(), kPlain);
    for (const std::string_view part :
         {"order 17: entry 4, 2026-12-01 01:02:03.500: the amount or currency differs",
          "transaction_id T1); settled by hand by ann: paid back",
          "order 17: waits for a person, entry 5, 2026-12-01 01:02:03.600",
          "entry 9, 2026-12-01 01:02:03.500: it names no order; closed: the flow has taken its "
          "fact"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST(RenderFlow, AScanSaysItsStationAndALongValueIsCut) {
    const std::string token(64, 'a');
    const json::value document = json::parse(
        R"({"flow":"packing","id":"17","entity":{"id":"17"},"steps":[{"version":2,"event":"pack",
            "caller":"terminal-7","values":{"station":"north","token":")" +
        token + R"(","said":")" + std::string(47, 'b') + R"(\u00e4\u00e4"}}]})");
    const std::string text = render_entity(document.as_object(), kPlain);
    for (const std::string& part : {std::string("terminal-7"), std::string("station north"),
                                    std::string(48, 'a') + "…", std::string(47, 'b') + "…"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
    EXPECT_EQ(text.find(token), std::string::npos);
}

TEST(RenderFlow, WhatBecameOfARefundStandsWhereItBegan) {
    const auto shown = [](std::string_view saga) {
        return render_entity(
            json::parse(R"({"flow":"order","id":"17","entity":{"id":"17"},"steps":[{"version":3,
                "event":"pay","sagas":[{"saga":"refund","key":"00aa"}]}],"sagas":[{"saga":"7",
                "name":"refund","key":"00aa",)" +
                        std::string(saga) + R"(},{"saga":"8",
                "name":"refund","key":"00bb","state":"running","tries":1,"said":"another's"}]})")
                .as_object(),
            kPlain);
    };
    const std::string running =
        shown(R"("state":"running","tries":3,"said":"its service answered 503",
        "next_at":"2026-12-01T01:02:03.004Z")");
    EXPECT_NE(running.find("begins refund (saga 7 is running, tries 3, next 2026-12-01 "
                           "01:02:03.004: its service answered 503)"),
              std::string::npos)
        << running;
    EXPECT_EQ(running.find("another's"), std::string::npos) << running;
    const std::string done = shown(R"("state":"done","tries":1,"said":"its service answered 200")");
    EXPECT_NE(done.find("(saga 7 is done: its service answered 200)"), std::string::npos) << done;
    const std::string stuck = shown(R"("state":"needs_attention","tries":1,"said":"answered 422")");
    EXPECT_NE(stuck.find("(saga 7 needs a person: answered 422)"), std::string::npos) << stuck;
    EXPECT_NE(shown(R"("state":"damaged","said":"it cannot be read")")
                  .find("(saga 7 is damaged: it cannot be read)"),
              std::string::npos);
}

TEST(RenderFlow, ALongTimelineSaysWhereItGoesOn) {
    const json::value document = json::parse(R"({"flow":"order","id":"17","entity":{"id":"17"},
        "steps":[{"version":1000,"event":"pack"}],"more":true,"entries":[],"entries_more":true})");
    const std::string text = render_entity(document.as_object(), kPlain);
    EXPECT_NE(text.find("/v1/flows/order/17/timeline?after=1000"), std::string::npos) << text;
    EXPECT_NE(text.find("there are earlier entries"), std::string::npos) << text;
}

TEST(RenderFlow, WhatCameFromOutsideCannotMoveTheCursor) {
    const json::value document =
        json::parse(R"({"entities":[{"id":"1","business_key":"\u001b[2J"}]})");
    EXPECT_EQ(render_entities(document.as_object(), kPlain).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace pawl::cli
