// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "net/http/problem.hpp"

namespace pawl::http {
namespace {

using namespace std::chrono_literals;

boost::json::object document_of(const Response& response) {
    return boost::json::parse(response.body).as_object();
}

TEST(Problem, SaysEverythingThatIsSetAndNothingElse) {
    Problem problem;
    problem.code = Code::uncertain;
    problem.detail = "Run `pawl resolve op_1`.";
    problem.retry_after = 2s;
    problem.safe_new_key = false;
    problem.operation_ref = "op_1";
    problem.first_seen_at = wall_time(1'700'000'000'123);
    problem.members["state"] = "paid";
    const Response response = to_response(problem);
    EXPECT_EQ(response.status, 409);
    EXPECT_EQ(first_of(response.headers, "content-type"), "application/problem+json");
    EXPECT_EQ(first_of(response.headers, "retry-after"), "2");
    EXPECT_EQ(
        response.body,
        R"({"type":"urn:pawl:problem:uncertain","title":"The outcome of this operation is not known yet.",)"
        R"("status":409,"detail":"Run `pawl resolve op_1`.","code":"uncertain","retryable":true,)"
        R"("retry_after":2,"safe_new_key":false,"operation_ref":"op_1",)"
        R"("first_seen_at":"2023-11-14T22:13:20.123Z","state":"paid"})"
        "\n");
    const auto bare = document_of(to_response(Problem{.code = Code::key_missing}));
    EXPECT_EQ(bare.size(), 5U);
    EXPECT_FALSE(bare.at("retryable").as_bool());
}

TEST(Problem, StatusAndNameMayDifferFromTheTable) {
    const auto uncertain = to_response(Problem{.code = Code::uncertain, .status = 502});
    EXPECT_EQ(uncertain.status, 502);
    EXPECT_EQ(document_of(uncertain).at("status").as_int64(), 502);
    const auto own = document_of(to_response(Problem{.name = "out_of_stock", .status = 409}));
    EXPECT_EQ(own.at("type").as_string(), "urn:pawl:problem:out_of_stock");
    EXPECT_FALSE(own.contains("title"));
    EXPECT_FALSE(own.at("retryable").as_bool());
}

TEST(Problem, EscapesTextAndMendsWhatIsNotUtf8) {
    Problem problem;
    problem.detail = "a\"\\\n\x01 \xc3\xa4 \xff \xed\xa0\x80 \xf0\x9f\x98\x80 \xe2\x82";
    const auto document = document_of(to_response(problem));
    EXPECT_EQ(
        document.at("detail").as_string(),
        "a\"\\\n\x01 \xc3\xa4 \xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xf0\x9f\x98\x80 "
        "\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Problem, AnErrorsCauseIsNotShown) {
    const Response response =
        to_response(Error{Code::unavailable, "The store is away.", "secret driver text", "x"});
    EXPECT_EQ(response.status, 503);
    EXPECT_EQ(response.body.find("secret"), std::string::npos);
    EXPECT_NE(response.body.find("The store is away."), std::string::npos);
}

TEST(Problem, FurtherMembersNeverReplaceTheStablePart) {
    Problem problem;
    problem.code = Code::limited;
    problem.members["code"] = "other";
    EXPECT_EQ(document_of(to_response(problem)).at("code").as_string(), "limited");
}

TEST(Problem, ARefusalByNameTakesTheTablesWords) {
    const auto known = document_of(refusal(503, "unavailable", "No upstream."));
    EXPECT_TRUE(known.at("retryable").as_bool());
    const auto unknown = document_of(refusal(501, "upgrade_refused", "No."));
    EXPECT_FALSE(unknown.at("retryable").as_bool());
    EXPECT_EQ(unknown.at("status").as_int64(), 501);
}

}  // namespace
}  // namespace pawl::http
