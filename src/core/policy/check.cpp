// SPDX-License-Identifier: Apache-2.0
// Names, patterns and targets of routes, alone and against each other; the other subjects of one route are
// in check_key.cpp and check_promise.cpp.
#include "core/policy/check.hpp"

#include <array>
#include <map>

#include <fmt/format.h>

#include "core/policy/limits.hpp"
#include "core/policy/matcher.hpp"
#include "core/policy/replay_headers.hpp"
#include "core/policy/route_findings.hpp"

namespace pawl::policy {
namespace {

bool is_printable(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
}

void check_name(RouteFindings& found) {
    const Route& route = found.route();
    for (const auto& [field, name] :
         {std::pair{"name", &route.name}, std::pair{"was", &route.was}}) {
        if (name->size() > kRouteNameLengthMax)
            found.error(field, fmt::format("`{}` has {} bytes", field, name->size()),
                        fmt::format("write a name of at most {}", kRouteNameLengthMax));
        if (!is_printable(*name))
            found.error(field, fmt::format("`{}` holds a control character", field),
                        "write it in printable characters");
    }
    if (route.name.empty())
        found.error("name", "the route has no name", "write `name: create-order`");
    if (!route.was.empty() && route.was == route.name)
        found.error("was", "`was` is the present name", "write the former name, or remove `was`");
}

bool is_host(std::string_view host) {
    const auto is_good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
    };
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        return host.find_first_not_of("0123456789abcdef:.", 1) == host.size() - 1;
    return std::ranges::all_of(host, is_good) && !host.ends_with('.');
}

void check_place(RouteFindings& found) {
    const Route& route = found.route();
    Matcher alone;
    if (const auto added = alone.add({route.method, route.path, ""}, 0); !added)
        found.error("match", added.error().text, "");
    if (!is_host(route.host))
        found.error("host", fmt::format("`{}` is not a host name", route.host),
                    "write it in small letters, without scheme and port, as in `shop.example`");
    if (!is_printable(route.host_rewrite) ||
        route.host_rewrite.find_first_of(" /@") != std::string::npos)
        found.error("host_rewrite", fmt::format("`{}` is not a host", route.host_rewrite),
                    "write `host` or `host:port`");
    if (route.upstream.host.empty() && !route.upstream.demo)
        found.error("upstream", fmt::format("`{}` names no upstream", route.name),
                    "write `upstream: http://127.0.0.1:3000`");
    if ((route.protect || route.shadow) && is_safe_method(route.method))
        found.error("match", fmt::format("{} changes nothing and takes no record", route.method),
                    "write `protect: false`, or leave the route to `default_upstream`");
}

void check_replay_headers(RouteFindings& found) {
    for (const std::string& name : found.route().replay_headers) {
        if (!is_field_name(name))
            found.error("replay_headers", fmt::format("`{}` is not the name of a header", name),
                        "write its name alone");
        else if (const auto reason = never_stored(name))
            found.error("replay_headers", fmt::format("`{}` is never stored: {}", name, *reason),
                        "remove it");
    }
}

// A route that takes no record uses only what says where it is and where it leads.
void check_unused(RouteFindings& found) {
    constexpr std::array<std::string_view, 11> kUsed{
        "match",   "name",      "was",  "host",         "host_rewrite", "upstream",
        "protect", "authorize", "cors", "upstream_tls", "tenant"};
    std::string unused;
    for (const FieldPlace& place : found.route().places)
        if (place.field.find('.') == std::string::npos &&
            std::ranges::find(kUsed, place.field) == kUsed.end() &&
            unused.find(fmt::format("`{}`", place.field)) == std::string::npos)
            unused += fmt::format("{}`{}`", unused.empty() ? "" : ", ", place.field);
    if (!unused.empty())
        found.warn("protect", fmt::format("{} is not used on a route without protection", unused),
                   "remove `protect: false`, or what protects");
}

// A shadow sees bytes pass and keeps none.
void check_shadow(RouteFindings& found) {
    const KeyRule& key = found.route().key;
    const bool in_body = key.source == KeyRule::Source::json ||
                         std::ranges::any_of(key.derive, [](const std::string& part) {
                             return part.starts_with('$');
                         });
    if (in_body)
        found.warn("protect", "a shadow does not look into bodies, and the key is inside",
                   "compare by a header or by `body` as long as the route is a shadow");
}

void check_route(const Route& route, std::vector<Finding>& findings) {
    RouteFindings found(route, findings);
    check_name(found);
    check_place(found);
    check_authorize(found);
    if (!route.protect && !route.shadow) {
        check_unused(found);
        return;
    }
    if (route.shadow) check_shadow(found);
    check_key(found);
    check_caller(found);
    check_fingerprint(found);
    check_settling(found);
    check_numbers(found);
    check_version(found);
    check_repeats(found);
    check_offered(found);
    check_replay_headers(found);
}

// A record is found by its route's name: two routes under one name would share records.
void check_names_together(const std::vector<Route>& routes, std::vector<Finding>& findings) {
    std::map<std::string_view, const Route*> present;
    for (const Route& route : routes) {
        const auto [at, fresh] = present.emplace(route.name, &route);
        if (!fresh)
            RouteFindings(route, findings)
                .error("name",
                       fmt::format("the name `{}` is taken by the route in line {}", route.name,
                                   at->second->line),
                       "write `name:` with another one; records belong to names");
    }
    std::map<std::string_view, const Route*> former;
    for (const Route& route : routes) {
        if (route.was.empty()) continue;
        RouteFindings found(route, findings);
        if (const auto at = present.find(route.was); at != present.end() && at->second != &route)
            found.error("was",
                        fmt::format("`{}` is still the name of the route in line {}", route.was,
                                    at->second->line),
                        "rename that one too, or remove `was`");
        const auto [at, fresh] = former.emplace(route.was, &route);
        if (!fresh)
            found.error("was",
                        fmt::format("the route in line {} was called `{}` too", at->second->line,
                                    route.was),
                        "records of one name can only go to one route");
    }
}

bool same_requests(const Route& a, const Route& b) {
    return (a.method == b.method || a.method == "*" || b.method == "*") &&
           (a.host == b.host || a.host.empty() || b.host.empty());
}

void check_patterns_together(const std::vector<Route>& routes, std::vector<Finding>& findings) {
    Matcher matcher;
    for (std::size_t i = 0; i < routes.size(); ++i)
        std::ignore = matcher.add({routes[i].method, routes[i].path, routes[i].host}, i);
    for (const auto& [first, second] : matcher.twins())
        RouteFindings(routes[second], findings)
            .error("match",
                   fmt::format("the route in line {} answers to the same requests",
                               routes[first].line),
                   "remove one of them, or give them different hosts");
    std::vector<std::pair<const Route*, std::vector<PatternSegment>>> patterns;
    for (const Route& route : routes)
        if (auto pattern = parse_pattern(route.path))
            patterns.emplace_back(&route, *std::move(pattern));
    for (std::size_t i = 0; i < patterns.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (same_requests(*patterns[i].first, *patterns[j].first) &&
                patterns_cross(patterns[i].second, patterns[j].second))
                RouteFindings(*patterns[i].first, findings)
                    .warn("match",
                          fmt::format("some requests fit this route and the one in line {}, and "
                                      "neither is the more "
                                      "specific one",
                                      patterns[j].first->line),
                          "add a route for them; the first difference decides, a literal before a "
                          "parameter");
}

}  // namespace

void RouteFindings::add(Severity severity, std::string_view field, std::string what,
                        std::string remedy) {
    Finding finding{severity, route_.line, route_.column, std::move(what), std::move(remedy)};
    for (std::string_view name = field; !name.empty();) {
        const auto at = std::ranges::find(route_.places, name, &FieldPlace::field);
        if (at != route_.places.end()) {
            finding.line = at->line;
            finding.column = at->column;
            break;
        }
        const auto dot = name.rfind('.');
        name = dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
    }
    findings_.push_back(std::move(finding));
}

std::vector<Finding> check_routes(const std::vector<Route>& routes) {
    std::vector<Finding> findings;
    if (routes.size() > kRoutesMax) {
        findings.push_back(
            {Severity::error, routes[kRoutesMax].line, routes[kRoutesMax].column,
             fmt::format("there are {} routes", routes.size()),
             fmt::format("write at most {}; `*` and `{{name}}` stand for many paths", kRoutesMax)});
        return findings;
    }
    for (const Route& route : routes) check_route(route, findings);
    check_names_together(routes, findings);
    check_patterns_together(routes, findings);
    return findings;
}

}  // namespace pawl::policy
