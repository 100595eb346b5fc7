// SPDX-License-Identifier: Apache-2.0
#include "core/key/json_parts.hpp"

#include <gtest/gtest.h>

namespace pawl::key {
namespace {

using Kind = JsonValue::Kind;

TEST(JsonParts, MembersComeInTheirOrderWithNumbersAsTheyStand) {
    const auto members = json_members(
        R"( { "b" : 12.50, "a":"x\u0041\n", "t": true ,"n":null, "e":1E+2, "o":{"x":[1, {}]}} )");
    ASSERT_TRUE(members);
    ASSERT_EQ(members->size(), 6U);
    EXPECT_EQ((*members)[0].name, "b");
    EXPECT_EQ((*members)[0].value.text, "12.50");
    EXPECT_EQ((*members)[0].value.kind, Kind::number);
    EXPECT_EQ((*members)[1].value.text, "xA\n");
    EXPECT_EQ((*members)[1].value.kind, Kind::string);
    EXPECT_EQ((*members)[2].value.text, "true");
    EXPECT_EQ((*members)[3].value.text, "null");
    EXPECT_EQ((*members)[3].value.kind, Kind::literal);
    EXPECT_EQ((*members)[4].value.text, "1E+2");
    EXPECT_EQ((*members)[5].value.text, R"({"x":[1, {}]})");
    EXPECT_EQ((*members)[5].value.kind, Kind::composite);
}

TEST(JsonParts, NothingInThemIsNothing) {
    EXPECT_TRUE(json_members("{}")->empty());
    EXPECT_TRUE(json_members(" { } ")->empty());
    EXPECT_TRUE(json_elements("[ ]")->empty());
}

TEST(JsonParts, ElementsComeInTheirOrder) {
    const auto elements = json_elements(R"([1,"two",[3],{"four":4},false])");
    ASSERT_TRUE(elements);
    ASSERT_EQ(elements->size(), 5U);
    EXPECT_EQ((*elements)[1].text, "two");
    EXPECT_EQ((*elements)[2].text, "[3]");
    EXPECT_EQ((*elements)[3].text, R"({"four":4})");
}

TEST(JsonParts, WhatCanBeReadInTwoWaysIsRefused) {
    for (const std::string_view text :
         {"", "[1]", "3", R"({"a":1,"a":2})", R"({"a":{"b":1,"b":1}})", "{\"a\":01}", "{\"a\":1} x",
          "{\"\xff\":1}", R"({"a":"\ud800"})", "{"})
        EXPECT_EQ(json_members(text).error().code, Code::request_invalid) << text;
    EXPECT_EQ(json_elements("{}").error().code, Code::request_invalid);
}

TEST(JsonParts, DepthIsBoundedAsElsewhere) {
    const auto nested = [](int depth) {
        return "{\"a\":" + std::string(static_cast<std::size_t>(depth), '[') +
               std::string(static_cast<std::size_t>(depth), ']') + "}";
    };
    EXPECT_TRUE(json_members(nested(kJsonDepthMax - 1)));
    EXPECT_FALSE(json_members(nested(kJsonDepthMax)));
}

}  // namespace
}  // namespace pawl::key
