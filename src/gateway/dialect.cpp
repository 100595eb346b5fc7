// SPDX-License-Identifier: Apache-2.0
#include "gateway/dialect.hpp"

#include <boost/json/serialize.hpp>

#include "runtime/codec/text.hpp"

namespace pawl::gateway {
namespace {

struct Words {
    int status = 0;  // 0: the problem's own
    std::string_view type;
    std::string_view code;  // empty: the problem's own
};

std::string_view stripe_type(int status) {
    if (status == 401) return "authentication_error";
    if (status == 429) return "rate_limit_error";
    return status >= 500 ? "api_error" : "invalid_request_error";
}

Words stripe_words(Code code, int status) {
    switch (code) {
        case Code::key_reused:
        case Code::rule_changed:
            return {400, "idempotency_error", {}};
        case Code::in_progress:
            return {409, "idempotency_error", "idempotency_key_in_use"};
        case Code::uncertain:
            return {500, "api_error", {}};
        default:
            return {0, stripe_type(status), {}};
    }
}

std::string_view acp_type(int status) {
    if (status == 429) return "rate_limit_exceeded";
    if (status == 503) return "service_unavailable";
    return status >= 500 ? "processing_error" : "invalid_request";
}

Words acp_words(Code code, int status) {
    switch (code) {
        case Code::key_reused:
        case Code::rule_changed:
            return {422, "invalid_request", "idempotency_conflict"};
        case Code::in_progress:
            return {409, "invalid_request", "idempotency_in_flight"};
        case Code::key_missing:
            return {400, "invalid_request", "idempotency_key_required"};
        case Code::uncertain:
            return {500, "processing_error", {}};
        default:
            return {0, acp_type(status), {}};
    }
}

}  // namespace

http::Response in_dialect(policy::Dialect dialect, const http::Problem& problem) {
    if (dialect == policy::Dialect::problem) return http::to_response(problem);
    const CodeRow& row = row_of(problem.code);
    const int own = problem.status.value_or(row.http_status);
    const bool stripe = dialect == policy::Dialect::stripe;
    const Words words = stripe ? stripe_words(problem.code, own) : acp_words(problem.code, own);
    boost::json::object error{
        {"type", words.type},
        {"code", words.code.empty() ? row.name : words.code},
        {"message", to_utf8(problem.detail.empty() ? row.title : problem.detail)}};
    http::Response response;
    response.status = words.status == 0 ? own : words.status;
    response.headers.emplace_back("Content-Type", "application/json");
    if (problem.retry_after)
        response.headers.emplace_back("Retry-After", std::to_string(problem.retry_after->count()));
    if (!problem.operation_ref.empty())
        response.headers.emplace_back("Pawl-Operation", problem.operation_ref);
    if (stripe) error = boost::json::object{{"error", boost::json::object(std::move(error))}};
    response.body = boost::json::serialize(error);
    response.body += '\n';
    return response;
}

}  // namespace pawl::gateway
