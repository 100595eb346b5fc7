// SPDX-License-Identifier: Apache-2.0
#include "net/http/problem.hpp"

#include <boost/json/serialize.hpp>

#include "runtime/codec/text.hpp"

namespace pawl::http {
namespace {

constexpr std::chrono::seconds kRetryAfterAway{1};  // what is away now may be back soon

const CodeRow* row_named(std::string_view name) {
    for (int i = 0; i < kCodeCount; ++i)
        if (row_of(static_cast<Code>(i)).name == name) return &row_of(static_cast<Code>(i));
    return nullptr;
}

}  // namespace

std::string problem_type(std::string_view code) { return "urn:pawl:problem:" + std::string(code); }

Response to_response(const Problem& problem) {
    const CodeRow& row = row_of(problem.code);
    const bool own_name = !problem.name.empty() && problem.name != row.name;
    const std::string name = own_name ? problem.name : std::string(row.name);
    const int status = problem.status.value_or(row.http_status);

    boost::json::object document;
    document["type"] = problem_type(name);
    if (!own_name) document["title"] = row.title;
    document["status"] = status;
    if (!problem.detail.empty()) document["detail"] = to_utf8(problem.detail);
    document["code"] = name;
    document["retryable"] = problem.retryable.value_or(!own_name && row.retryable);
    if (problem.retry_after) document["retry_after"] = problem.retry_after->count();
    if (problem.safe_new_key) document["safe_new_key"] = *problem.safe_new_key;
    if (!problem.operation_ref.empty()) document["operation_ref"] = problem.operation_ref;
    if (problem.first_seen_at) document["first_seen_at"] = to_rfc3339(*problem.first_seen_at);
    for (const auto& member : problem.members) document.emplace(member.key(), member.value());

    Response response;
    response.status = status;
    response.headers.emplace_back("Content-Type", kProblemType);
    if (problem.retry_after)
        response.headers.emplace_back("Retry-After", std::to_string(problem.retry_after->count()));
    response.body =
        boost::json::serialize(document) + "\n";  // for people who read it in a terminal
    return response;
}

Response to_response(const Error& error) {
    Problem problem;
    problem.code = error.code;
    problem.detail = error.text;
    return to_response(problem);
}

Response refusal(int status, std::string_view name, std::string_view detail) {
    Problem problem;
    if (const CodeRow* row = row_named(name))
        problem.code = row->code;
    else
        problem.name = name;
    problem.status = status;
    problem.detail = detail;
    if (status == 503) problem.retry_after = kRetryAfterAway;
    return to_response(problem);
}

}  // namespace pawl::http
