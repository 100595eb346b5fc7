// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_authorize.hpp"

#include <fmt/format.h>

#include "core/policy/target_template.hpp"
#include "surface/config/address.hpp"

namespace pawl::config {
namespace {

constexpr std::string_view kForm = "write `authorize: { url: \"http://127.0.0.1:9000/check\" }`";

// Shape: as an upstream's, with a path. Errors: config_invalid.
Status parse_url(std::string_view text, policy::AuthorizeRule& rule) {
    const auto [place, path] = split_endpoint(text);
    auto upstream = parse_upstream(place);
    if (!upstream) return fail(upstream.error());
    if (upstream->demo)
        return fail(Code::config_invalid,
                    fmt::format("the demonstration permits nothing; {}", kForm));
    const bool plain =
        path.starts_with('/') && std::ranges::all_of(path, policy::is_target_character);
    if (!plain)
        return fail(Code::config_invalid, fmt::format("`{}` is not a path; {}", path, kForm));
    rule.upstream = *std::move(upstream);
    rule.path = path;
    return {};
}

}  // namespace

void read_authorize(Section& route_section, policy::Route& route) {
    const YamlNode* node = route_section.take("authorize");
    if (node == nullptr) return;
    policy::AuthorizeRule rule;
    Section section = route_section.section("authorize");
    if (node->kind != YamlNode::Kind::map) return;
    section.scalar("url", [&](std::string_view text) { return parse_url(text, rule); });
    section.texts("headers", rule.headers);
    section.text("caller_header", rule.caller_header);
    section.duration("cache", rule.cache);
    section.duration("timeout", rule.timeout);
    section.finish();
    if (!section.has("url")) section.error("`authorize` names no endpoint", std::string(kForm));
    if (!rule.caller_header.empty()) {
        if (route_section.has("caller"))
            section.error("`caller` and `authorize.caller_header` both name the caller",
                          "keep one of them");
        route.caller = {policy::CallerRule::Source::authorize, rule.caller_header};
    }
    route.authorize = std::move(rule);
}

}  // namespace pawl::config
