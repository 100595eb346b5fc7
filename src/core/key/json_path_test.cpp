// SPDX-License-Identifier: Apache-2.0
// Paths: their syntax, what a chosen part of a document is, and the value at one place. Field case 12.
#include <gtest/gtest.h>

#include "core/key/json.hpp"

namespace pawl::key {
namespace {

std::vector<JsonPath> paths(const std::vector<std::string_view>& texts) {
    std::vector<JsonPath> out;
    for (const std::string_view text : texts) {
        auto path = parse_json_path(text);
        EXPECT_TRUE(path) << text;
        out.push_back(*std::move(path));
    }
    return out;
}

std::string chosen(std::string_view text, const std::vector<std::string_view>& include,
                   const std::vector<std::string_view>& exclude = {}) {
    auto out = canonical_json(text, {paths(include), paths(exclude)});
    return out ? *std::move(out) : "refused: " + out.error().text;
}

TEST(JsonPath, ReadsNamesQuotedNamesAndIndices) {
    const JsonPath path = *parse_json_path(R"($.order['a.b']["c\"d"][0].sent-at[12])");
    ASSERT_EQ(path.steps.size(), 6U);
    EXPECT_EQ(path.steps[0].member, "order");
    EXPECT_EQ(path.steps[1].member, "a.b");
    EXPECT_EQ(path.steps[2].member, "c\"d");
    EXPECT_EQ(path.steps[3].index, 0U);
    EXPECT_EQ(path.steps[4].member, "sent-at");
    EXPECT_EQ(path.steps[5].index, 12U);
    EXPECT_TRUE(parse_json_path("$")->steps.empty());
    EXPECT_EQ(parse_json_path("$['']")->steps[0].member, "");
    EXPECT_FALSE(parse_json_path("$['0']")->steps[0].index);
    EXPECT_EQ(path.text, R"($.order['a.b']["c\"d"][0].sent-at[12])");
}

TEST(JsonPath, SaysWhatIsWrongAndWhere) {
    for (const char* text : {"",          "a",      ".a",      "$a",     "$.",
                             "$..a",      "$.a.",   "$[",      "$[]",    "$[a]",
                             "$[-1]",     "$[01]",  "$[1",     "$['a",   "$['a'",
                             "$['a\\b']", "$['a\\", "$.*",     "$[*]",   "$[1:2]",
                             "$[?(@.a)]", "$.a b",  "$.a]",    "$.a\"b", "$[1234567890]",
                             " $.a",      "$.a'b",  "$.a\x7f", "$['a\\"}) {
        const auto path = parse_json_path(text);
        ASSERT_FALSE(path) << text;
        EXPECT_EQ(path.error().code, Code::config_invalid);
    }
    EXPECT_TRUE(parse_json_path("$.a.*").error().text.contains("character 5"));
    EXPECT_TRUE(parse_json_path("$[123456789]"));
    std::string deep = "$";
    for (int i = 0; i < kJsonDepthMax; ++i) deep += ".a";
    EXPECT_TRUE(parse_json_path(deep));
    EXPECT_FALSE(parse_json_path(deep + ".a"));
}

TEST(Exclude, DropsWhatIsNamedAndKeepsTheRest) {
    EXPECT_EQ(chosen(R"({"b":1,"sent_at":"x","a":2})", {}, {"$.sent_at"}), R"({"a":2,"b":1})");
    EXPECT_EQ(chosen(R"({"sent_at":"x"})", {}, {"$.sent_at"}), "{}");
    EXPECT_EQ(chosen(R"({"o":{"t":1,"k":2},"t":3})", {}, {"$.o.t"}), R"({"o":{"k":2},"t":3})");
    EXPECT_EQ(chosen(R"({"i":[{"t":1,"k":2},{"t":3}]})", {}, {"$.i[0].t"}),
              R"({"i":[{"k":2},{"t":3}]})");
    EXPECT_EQ(chosen("[1,2,3]", {}, {"$[1]"}), "[1,3]");
    EXPECT_EQ(chosen("[1,2,3]", {}, {"$[0]", "$[1]", "$[2]"}), "[]");
    EXPECT_EQ(chosen("[1]", {}, {"$"}), "null");
    EXPECT_EQ(chosen(R"({"a\n":1,"b":2})", {}, {"$['b']"}), R"({"a\n":1})");
    EXPECT_EQ(chosen(R"({"\u0061":1,"b":2})", {}, {"$.a"}), R"({"b":2})");
}

TEST(Exclude, OneSpelledAsAnIndexIsNoMember) {
    EXPECT_EQ(chosen(R"({"0":1})", {}, {"$[0]"}), R"({"0":1})");
    EXPECT_EQ(chosen(R"({"":1})", {}, {"$[0]"}), R"({"":1})");
    EXPECT_EQ(chosen("[1]", {}, {"$['0']"}), "[1]");
}

TEST(Exclude, WhatIsDroppedIsStillJudged) {
    EXPECT_TRUE(chosen(R"({"x":{"a":1,"a":2}})", {}, {"$.x"}).contains("twice"));
    EXPECT_TRUE(chosen(R"({"x":1,"x":2})", {}, {"$.x"}).contains("twice"));
    EXPECT_TRUE(chosen(R"({"x":1,"b":3,"x":2})", {}, {"$.x"}).contains("twice"));
    EXPECT_TRUE(chosen(R"({"x":[1,}})", {}, {"$.x"}).contains("refused"));
    EXPECT_TRUE(chosen("[1,}", {}, {"$[5]"}).contains("refused"));
    EXPECT_TRUE(chosen(R"({"a":1,"b":{"c":1,"d":2,"c":2}})", {"$.a"}).contains("twice"));
}

TEST(Include, KeepsWhatIsNamedInTheContainersThatLeadToIt) {
    EXPECT_EQ(chosen(R"({"c":3,"b":{"y":2,"x":1},"a":1})", {"$.b", "$.a"}),
              R"({"a":1,"b":{"x":1,"y":2}})");
    EXPECT_EQ(chosen(R"({"o":{"k":{"v":[2,1]},"t":2},"t":3})", {"$.o.k"}),
              R"({"o":{"k":{"v":[2,1]}}})");
    EXPECT_EQ(chosen("[1,2,3]", {"$[1]"}), "[2]");
    EXPECT_EQ(chosen("[1,2,3]", {"$"}), "[1,2,3]");
    EXPECT_EQ(chosen("5", {"$"}), "5");
    EXPECT_EQ(chosen(R"({"a":1,"b":2})", {"$"}, {"$.b"}), R"({"a":1})");
    EXPECT_EQ(chosen(R"({"a":{"x":1,"t":2},"b":2})", {"$.a"}, {"$.a.t"}), R"({"a":{"x":1}})");
}

TEST(Include, WhatIsNotThereIsNoValueAndNullIsOne) {
    EXPECT_EQ(chosen(R"({"b":1})", {"$.a"}), "null");
    EXPECT_EQ(chosen(R"({"a":null})", {"$.a"}), R"({"a":null})");
    for (const char* nothing :
         {R"({"a":5})", R"({"a":{}})", R"({"a":[]})", R"({"a":{"c":1}})", "{}", "[]", "7", "null"})
        EXPECT_EQ(chosen(nothing, {"$.a.b"}), "null") << nothing;
}

TEST(Include, ElementsKeepTheirPlace) {
    const std::vector<std::string_view> both = {"$[0].x", "$[1].x"};
    EXPECT_EQ(chosen(R"([{"x":1},{"x":2}])", both), R"([{"x":1},{"x":2}])");
    EXPECT_EQ(chosen(R"([{"x":1},{"y":2}])", both), R"([{"x":1}])");
    EXPECT_EQ(chosen(R"([{"x":1}])", both), R"([{"x":1}])");
    EXPECT_EQ(chosen(R"([{"y":1},{"x":1}])", both), R"([null,{"x":1}])");
    EXPECT_EQ(chosen(R"([9,8,{"x":1}])", both), "null");
    EXPECT_EQ(chosen("[1,2,3]", {"$[0]", "$[2]"}), "[1,3]");
    EXPECT_EQ(chosen("[1,2]", {"$[0]", "$[2]"}), "[1]");
    EXPECT_EQ(chosen("[1,2,3]", {"$[0]", "$[1]"}, {"$[0]"}), "[null,2]");
}

TEST(JsonAt, GivesTheDecodedStringOrTheExactNumber) {
    const std::string_view text =
        R"({"id":"a\u00e9\n","n":1.50,"t":true,"z":null,"e":"","o":{"b":1,"a":[10]},"l":[[],"x"]})";
    const auto at = [&text](std::string_view path) {
        return *json_at(text, *parse_json_path(path));
    };
    EXPECT_EQ(at("$.id")->text, "a\u00e9\n");
    EXPECT_EQ(at("$.id")->kind, JsonValue::Kind::string);
    EXPECT_EQ(at("$.n")->text, "1.50");
    EXPECT_EQ(at("$.n")->kind, JsonValue::Kind::number);
    EXPECT_EQ(at("$.t")->text, "true");
    EXPECT_EQ(at("$.t")->kind, JsonValue::Kind::literal);
    EXPECT_EQ(at("$.z")->text, "null");
    EXPECT_EQ(at("$.z")->kind, JsonValue::Kind::literal);
    EXPECT_EQ(at("$.e")->text, "");  // field case 7: empty is not absent
    EXPECT_EQ(at("$.e")->kind, JsonValue::Kind::string);
    EXPECT_EQ(at("$.o")->text, R"({"a":[1e1],"b":1})");
    EXPECT_EQ(at("$.o")->kind, JsonValue::Kind::composite);
    EXPECT_EQ(at("$.o.a[0]")->text, "10");
    EXPECT_EQ(at("$.l[1]")->text, "x");
    for (const char* missing :
         {"$.x", "$.o.x", "$.o.a[1]", "$.id.x", "$.l[0][0]", "$.l[2]", "$[0]"})
        EXPECT_EQ(at(missing), std::nullopt) << missing;
}

TEST(JsonAt, UndoesEveryEscape) {
    const auto found = json_at(R"(["\b\t\n\f\r\"\\\/\u0001\u001F"])", *parse_json_path("$[0]"));
    EXPECT_EQ((*found)->text, "\b\t\n\f\r\"\\/\x01\x1f");
}

TEST(JsonAt, JudgesTheWholeText) {
    const JsonPath path = *parse_json_path("$.a");
    EXPECT_FALSE(json_at(R"({"a":"k","b":})", path));
    EXPECT_FALSE(json_at(R"({"a":"k","a":"l"})", path));
    EXPECT_FALSE(json_at(R"({"a":"k"} x)", path));
    EXPECT_EQ((*json_at("[7]", *parse_json_path("$")))->text, "[7]");
}

}  // namespace
}  // namespace pawl::key
