// SPDX-License-Identifier: Apache-2.0
// The table of dialect.hpp, row by row (rulings 12).
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "gateway/dialect.hpp"

namespace pawl::gateway {
namespace {

using policy::Dialect;

struct Row {
    Code code;
    std::optional<int> status;
    int stripe_status;
    std::string_view stripe_type;
    std::string_view stripe_code;
    int acp_status;
    std::string_view acp_type;
    std::string_view acp_code;
};

constexpr std::array kRows{
    Row{Code::key_reused,
        {},
        400,
        "idempotency_error",
        "key_reused",
        422,
        "invalid_request",
        "idempotency_conflict"},
    Row{Code::rule_changed,
        {},
        400,
        "idempotency_error",
        "rule_changed",
        422,
        "invalid_request",
        "idempotency_conflict"},
    Row{Code::in_progress,
        {},
        409,
        "idempotency_error",
        "idempotency_key_in_use",
        409,
        "invalid_request",
        "idempotency_in_flight"},
    Row{Code::key_missing,
        {},
        400,
        "invalid_request_error",
        "key_missing",
        400,
        "invalid_request",
        "idempotency_key_required"},
    Row{Code::key_invalid,
        {},
        400,
        "invalid_request_error",
        "key_invalid",
        400,
        "invalid_request",
        "key_invalid"},
    Row{Code::uncertain, {}, 500, "api_error", "uncertain", 500, "processing_error", "uncertain"},
    Row{Code::uncertain, 502, 500, "api_error", "uncertain", 500, "processing_error", "uncertain"},
    Row{Code::caller_unknown,
        {},
        401,
        "authentication_error",
        "caller_unknown",
        401,
        "invalid_request",
        "caller_unknown"},
    Row{Code::body_too_large,
        {},
        413,
        "invalid_request_error",
        "body_too_large",
        413,
        "invalid_request",
        "body_too_large"},
    Row{Code::limited,
        {},
        429,
        "rate_limit_error",
        "limited",
        429,
        "rate_limit_exceeded",
        "limited"},
    Row{Code::unavailable,
        {},
        503,
        "api_error",
        "unavailable",
        503,
        "service_unavailable",
        "unavailable"},
    Row{Code::result_expired,
        {},
        410,
        "invalid_request_error",
        "result_expired",
        410,
        "invalid_request",
        "result_expired"},
};

TEST(Dialect, EveryRefusalIsSpokenInTheWordsOfItsProfile) {
    for (const Row& row : kRows) {
        http::Problem problem;
        problem.code = row.code;
        problem.status = row.status;
        problem.detail = "What to do.";
        problem.operation_ref = "op_x";
        problem.retry_after = std::chrono::seconds(2);

        const http::Response stripe = in_dialect(Dialect::stripe, problem);
        const auto error = boost::json::parse(stripe.body).at("error").as_object();
        EXPECT_EQ(stripe.status, row.stripe_status) << name_of(row.code);
        EXPECT_EQ(error.at("type").as_string(), row.stripe_type) << name_of(row.code);
        EXPECT_EQ(error.at("code").as_string(), row.stripe_code) << name_of(row.code);

        const http::Response acp = in_dialect(Dialect::acp, problem);
        const auto document = boost::json::parse(acp.body).as_object();
        EXPECT_EQ(acp.status, row.acp_status) << name_of(row.code);
        EXPECT_EQ(document.at("type").as_string(), row.acp_type) << name_of(row.code);
        EXPECT_EQ(document.at("code").as_string(), row.acp_code) << name_of(row.code);

        for (const http::Response& response : {stripe, acp}) {
            EXPECT_EQ(http::first_of(response.headers, "Content-Type"), "application/json");
            EXPECT_EQ(http::first_of(response.headers, "Retry-After"), "2");
            EXPECT_EQ(http::first_of(response.headers, "Pawl-Operation"), "op_x");
            EXPECT_NE(response.body.find("What to do."), std::string::npos);
        }
    }
}

TEST(Dialect, AProblemStaysAProblem) {
    http::Problem problem;
    problem.code = Code::key_reused;
    EXPECT_EQ(in_dialect(Dialect::problem, problem).body, http::to_response(problem).body);
}

}  // namespace
}  // namespace pawl::gateway
