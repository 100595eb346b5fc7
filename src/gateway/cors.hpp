// SPDX-License-Identifier: Apache-2.0
// The CORS protocol of the Fetch standard: what a browser asks before it sends a page's request to another origin
// (a preflight), and what each answer says so that the page may read it. Both are made for each request from the
// rule and the Origin that asks; nothing of it is stored, and what an upstream says of it is dropped.
#pragma once

#include "core/policy/compiled_route.hpp"
#include "net/http/answer_edit.hpp"
#include "net/http/message.hpp"

namespace pawl::caller {
struct Callers;
}

namespace pawl::gateway {

// The method that the preflight asks for; empty for any other request.
std::string_view preflighted_method(const http::RequestHead& head);

// `route`: of the method that is asked for; nullptr: none matches, and the rule is the process's.
http::Response preflight_answer(const policy::CorsRule& rule, const policy::CompiledRoute* route,
                                const caller::Callers& callers, const http::RequestHead& head);

// What every answer to this request gets.
http::AnswerEdit cors_edit(const policy::CorsRule& rule, const policy::CompiledRoute* route,
                           const http::RequestHead& head);

}  // namespace pawl::gateway
