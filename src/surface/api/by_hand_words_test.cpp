// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "surface/api/by_hand.hpp"
#include "surface/api/query.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;

const std::string kRef = record::reference_of(sha256("x"));

std::string word(json::object more) {
    json::object document{{"ref", kRef}, {"outcome", "applied"}, {"reason", "because"}};
    for (const auto& member : more) document[member.key()] = member.value();
    return json::serialize(document);
}

void expect_refused(const std::string& body, std::string_view part) {
    const auto asked = parse_resolve(body);
    ASSERT_FALSE(asked) << body;
    EXPECT_EQ(asked.error().code, Code::request_invalid);
    EXPECT_NE(asked.error().text.find(part), std::string::npos) << asked.error().text;
}

TEST(Words, WhatCouldBeHalfUnderstoodIsRefused) {
    expect_refused("", "one JSON object");
    expect_refused("[]", "one JSON object");
    expect_refused(word({{"ref", "op_"}}), "`ref`");
    expect_refused(word({{"ref", 7}}), "`ref`");
    expect_refused(word({{"reason", ""}}), "`reason`");
    expect_refused(word({{"reason", std::string(501, 'r')}}), "`reason`");
    expect_refused(word({{"outcome", "maybe"}}), "`outcome`");
    expect_refused(word({{"force", true}}), "`force`");
    expect_refused(word({{"force", "yes"}}), "`force`");
    expect_refused(word({{"outcome", "not_applied"}, {"status", 201}}), "status");
    expect_refused(word({{"status", 199}}), "200 to 599");
    expect_refused(word({{"status", 600}}), "200 to 599");
    expect_refused(word({{"body", "x"}}), "`status`");
    expect_refused(word({{"status", 200}, {"body", "x"}, {"body_base64", "eA=="}}), "once");
    expect_refused(word({{"status", 200}, {"body_base64", "eA="}}), "base64");
    expect_refused(word({{"status", 200}, {"headers", {{"X", "a\r\nSet-Cookie: b"}}}}),
                   "line breaks");
    expect_refused(word({{"status", 200}, {"headers", {{"X y", "a"}}}}), "name");
    expect_refused(word({{"status", 200}, {"headers", json::array{1}}}), "[name, value]");
    expect_refused(word({{"statuss", 200}}), "not known");
    expect_refused(R"({"ref":"x","ref":"y"})", "in one way only");
}

TEST(Words, AtTheirLimitsAreTaken) {
    EXPECT_TRUE(
        parse_resolve(word({{"reason", std::string(500, 'r')}, {"by", std::string(100, 'b')}})));
    EXPECT_FALSE(parse_resolve(word({{"by", std::string(101, 'b')}})));
    EXPECT_EQ(parse_resolve(word({{"status", 200}}))->answer->status, 200);
    EXPECT_EQ(parse_resolve(word({{"status", 599}}))->answer->status, 599);
}

TEST(Words, HeadersKeepOrderAndRepetition) {
    const auto asked =
        parse_resolve(word({{"status", 200},
                            {"headers", json::array{{"Link", "a"}, {"X-A", "b"}, {"Link", "c"}}},
                            {"body_base64", "AP8="}}));
    ASSERT_TRUE(asked);
    const std::vector<std::pair<std::string, std::string>> lines{
        {"Link", "a"}, {"X-A", "b"}, {"Link", "c"}, {"Content-Type", "application/octet-stream"}};
    EXPECT_EQ(asked->answer->headers, lines);
    EXPECT_EQ(asked->answer->body, std::string("\0\xff", 2));
}

TEST(Words, ForgettingNeedsAReason) {
    EXPECT_TRUE(
        parse_forget(json::serialize(json::object{{"ref", kRef}, {"reason", "a test order"}})));
    EXPECT_FALSE(parse_forget(json::serialize(json::object{{"ref", kRef}})));
    EXPECT_FALSE(parse_forget(
        json::serialize(json::object{{"ref", kRef}, {"reason", "x"}, {"outcome", "applied"}})));
}

TEST(Query, KeepsEveryByteOfAKey) {
    const std::string key = "a+b &=%\xc3\xa9\x01";
    const auto query = parse_query("/admin/v1/explain?key=" + percent_encoded(key) + "&x");
    ASSERT_TRUE(query);
    EXPECT_EQ(query->path, "/admin/v1/explain");
    EXPECT_EQ(query->parameter("key"), key);
    EXPECT_EQ(query->parameter("x"), "");
    EXPECT_EQ(query->parameter("y"), std::nullopt);
    EXPECT_EQ(parse_query("/e?key=a+b")->parameter("key"), "a+b");
    EXPECT_FALSE(parse_query("/e?key=%zz"));
}

}  // namespace
}  // namespace pawl::api
