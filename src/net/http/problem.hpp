// SPDX-License-Identifier: Apache-2.0
// Problem documents (RFC 9457): one shape for every answer that is Pawl's own refusal. The stable part is
// `code` and the type URN made of it; status, title and "may be sent again" come from the error table unless
// they are overridden. The document never carries the other side's words nor anything stored.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "net/http/message.hpp"
#include "runtime/clock/clock.hpp"
#include "runtime/result/error.hpp"

namespace pawl::http {

inline constexpr std::string_view kProblemType = "application/problem+json";

struct Problem {
    Code code = Code::internal;
    std::string name = {};  // for codes outside the table ("out_of_stock"); empty: the table's
    std::optional<int> status = {};      // else the table's
    std::optional<bool> retryable = {};  // else the table's
    std::string detail = {};             // what happened and the remedy; safe to show
    std::optional<std::chrono::seconds> retry_after = {};  // also the header Retry-After
    std::optional<bool> safe_new_key = {};
    std::string operation_ref = {};  // empty: left out
    std::optional<WallTime> first_seen_at = {};
    boost::json::object members =
        {};  // further members, appended in order; never replace those above
};

// Shape: type, title, status, detail, code, retryable, then what is set. Headers: Content-Type and, when
// set, Retry-After; callers append theirs (Link, ETag, Location).
Response to_response(const Problem& problem);

// Code and text of the error; its cause stays out.
Response to_response(const Error& error);

// For Service::refuse: `name` is looked up in the error table; an unknown name is not retryable.
Response refusal(int status, std::string_view name, std::string_view detail);

// "urn:pawl:problem:key_reused".
std::string problem_type(std::string_view code);

}  // namespace pawl::http
