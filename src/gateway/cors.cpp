// SPDX-License-Identifier: Apache-2.0
#include "gateway/cors.hpp"

#include <array>

#include <fmt/format.h>

#include "gateway/who.hpp"
#include "net/http/problem.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::gateway {
namespace {

using namespace std::string_view_literals;

// What Pawl says beside the service's own lines, and what of those a client that repeats needs.
constexpr std::array kExposed{"Location"sv,     "ETag"sv,           "Retry-After"sv,       "Link"sv,
                              "Pawl-Outcome"sv, "Pawl-Operation"sv, "Pawl-Result-Source"sv};

class Names {
  public:
    void add(std::string_view name) {
        if (name.empty()) return;
        for (const std::string_view known : names_)
            if (equal_ignoring_case(known, name)) return;
        names_.push_back(name);
    }
    std::string joined() const {
        std::string text;
        for (const std::string_view name : names_)
            text.append(text.empty() ? "" : ", ").append(name);
        return text;
    }

  private:
    std::vector<std::string_view> names_;  // of the route and its rule, which outlive this
};

// Empty: pages of this origin may not read the answer.
std::string allowed_origin(const policy::CorsRule& rule, const http::RequestHead& head) {
    const auto origins = http::values_of(head.headers, "origin");
    if (origins.size() != 1 || origins.front().empty()) return {};
    if (rule.any_origin()) return "*";
    for (const std::string& origin : rule.origins)
        if (origin == origins.front()) return origin;
    return {};
}

// Headers that a page may send: those that the route goes by.
std::string sendable(const policy::CorsRule& rule, const policy::CompiledRoute* route,
                     const caller::Callers& callers) {
    Names names;
    names.add("Content-Type");
    if (route != nullptr) {
        const policy::Route& own = route->route;
        if (own.key.source == policy::KeyRule::Source::header) names.add(own.key.header);
        names.add("Pawl-Repeat");
        names.add("Pawl-Version");
        names.add(own.version.header);
        if (own.caller.source != policy::CallerRule::Source::header)
            names.add(caller_header(callers, own.caller));
        if (own.authorize)
            for (const std::string& name : own.authorize->headers)
                if (!equal_ignoring_case(name, "cookie")) names.add(name);
        for (const policy::KeyPart& part : route->key_parts) names.add(part.header);
    }
    for (const std::string& name : rule.headers) names.add(name);
    return names.joined();
}

std::string readable(const policy::CorsRule& rule, const policy::CompiledRoute* route) {
    Names names;
    if (route != nullptr) {
        names.add(route->route.replay_header);
        if (route->route.key.source == policy::KeyRule::Source::header)
            names.add(route->route.key.header);
        if (route->route.has_versions()) names.add("Pawl-Version-Decision");
    }
    for (const std::string_view name : kExposed) names.add(name);
    if (route != nullptr)
        for (const std::string& name : route->route.replay_headers) names.add(name);
    for (const std::string& name : rule.expose) names.add(name);
    return names.joined();
}

void add_origin(http::Headers& headers, const policy::CorsRule& rule, std::string origin) {
    headers.emplace_back("Access-Control-Allow-Origin", std::move(origin));
    if (rule.credentials) headers.emplace_back("Access-Control-Allow-Credentials", "true");
}

}  // namespace

std::string_view preflighted_method(const http::RequestHead& head) {
    if (head.method != "OPTIONS" || http::first_of(head.headers, "origin").empty()) return {};
    const auto methods = http::values_of(head.headers, "access-control-request-method");
    return methods.size() == 1 ? methods.front() : std::string_view{};
}

http::Response preflight_answer(const policy::CorsRule& rule, const policy::CompiledRoute* route,
                                const caller::Callers& callers, const http::RequestHead& head) {
    std::string origin = allowed_origin(rule, head);
    http::Response response;
    if (origin.empty()) {
        http::Problem document;
        document.code = Code::forbidden;
        document.detail =
            "Pages of this origin may not call this route. An operator adds the origin to "
            "`cors.origins`.";
        response = http::to_response(document);
    } else {
        response.status = 204;
        add_origin(response.headers, rule, std::move(origin));
        response.headers.emplace_back("Access-Control-Allow-Methods", preflighted_method(head));
        response.headers.emplace_back("Access-Control-Allow-Headers",
                                      sendable(rule, route, callers));
        response.headers.emplace_back(
            "Access-Control-Max-Age",
            std::to_string(std::chrono::floor<std::chrono::seconds>(rule.max_age).count()));
    }
    if (!rule.any_origin()) response.headers.emplace_back("Vary", "Origin");
    return response;
}

http::AnswerEdit cors_edit(const policy::CorsRule& rule, const policy::CompiledRoute* route,
                           const http::RequestHead& head) {
    http::AnswerEdit edit;
    edit.drops_cors = true;
    if (std::string origin = allowed_origin(rule, head); !origin.empty()) {
        add_origin(edit.added, rule, std::move(origin));
        edit.added.emplace_back("Access-Control-Expose-Headers", readable(rule, route));
    }
    if (!rule.any_origin()) edit.added.emplace_back("Vary", "Origin");
    return edit;
}

}  // namespace pawl::gateway
