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
                  "stock":[{"sku":"A","available":-2,"reserved":0,"sold":2}],
                  "sagas":[{"saga":"refund","key":"00"}]}]})");
    const std::string text = render_entity(document.as_object(), kPlain);
    for (const std::string_view part :
         {"17  order B1", "paid, version 2", "amount", "12.50", "ann", "callback",
          "sends order.paid, A -2 available +2 sold, begins refund"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(RenderFlow, WhatCameFromOutsideCannotMoveTheCursor) {
    const json::value document =
        json::parse(R"({"entities":[{"id":"1","business_key":"\u001b[2J"}]})");
    EXPECT_EQ(render_entities(document.as_object(), kPlain).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace pawl::cli
