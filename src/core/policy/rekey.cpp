// SPDX-License-Identifier: Apache-2.0
#include "core/policy/rekey.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/policy/compiled_route.hpp"
#include "core/policy/names.hpp"
#include "core/policy/profile.hpp"
#include "core/policy/route_findings.hpp"

namespace pawl::policy {
namespace {

constexpr std::string_view kAnyMethod = "*";
constexpr std::string_view kRunAgain =
    "change it when no client retries an earlier request any more; until then repeats of them run "
    "again";

bool is_called(const Route& route, std::string_view name) {
    return route.name == name || route.was == name;
}

bool takes_requests_of(const Route& route, const Route& former) {
    return (route.method == former.method || route.method == kAnyMethod) &&
           route.path == former.path && route.host == former.host;
}

// What a key is taken from, as text; equal texts are equal keys.
std::string key_source(const Route& route) {
    using Source = KeyRule::Source;
    switch (route.key.source) {
        case Source::header:
            return fmt::format("header {}", route.key.header);
        case Source::json:
            return route.key.json_path;
        case Source::derived:
            return fmt::format("derive {}", fmt::join(route.key.derive, ", "));
        case Source::none:
            break;
    }
    return "none";
}

std::string caller_source(const Route& route) {
    return route.caller.source == CallerRule::Source::open
               ? std::string(name_of(route.caller.source))
               : fmt::format("{} {}", name_of(route.caller.source), route.caller.name);
}

std::string tenant_source(const Route& route) {
    using Source = TenantRule::Source;
    if (!route.tenant) return "the file's";
    switch (route.tenant->source) {
        case Source::header:
            return fmt::format("header {}", route.tenant->name);
        case Source::jwt:
            return fmt::format("jwt {} {}", route.tenant->name, route.tenant->claim);
        case Source::host:
            break;
    }
    return "host";
}

std::optional<Digest> rule_of(const Route& route) {
    const auto compiled = compile(route);
    if (!compiled) return std::nullopt;
    return compiled->fingerprint_digest;
}

bool some_has_rule(const std::vector<Route>& routes, const Digest& rule) {
    return std::ranges::any_of(routes, [&](const Route& route) {
        const auto compiled = compile(route);
        return compiled && compiled->rule_named(rule);
    });
}

void compare(const Route& before, const Route& next, const std::vector<Route>& all,
             std::vector<Finding>& findings) {
    RouteFindings found(next, findings);
    const auto differs = [&](std::string_view field, const std::string& was,
                             const std::string& is) {
        if (was == is) return;
        found.warn(field,
                   fmt::format("`{}` of `{}` was `{}` and is `{}`", field, next.name, was, is),
                   std::string(kRunAgain));
    };
    if (before.identity_name() != next.identity_name() && next.was.empty())
        differs("name", before.identity_name(), next.identity_name());
    const IdentityForm was = profile_row(before.profile).identity;
    const IdentityForm is = profile_row(next.profile).identity;
    if (was != is)
        differs("profile", std::string(name_of(before.profile)),
                std::string(name_of(next.profile)));
    if (is != IdentityForm::operation && was == is) differs("host", before.host, next.host);
    differs("caller", caller_source(before), caller_source(next));
    differs("tenant", tenant_source(before), tenant_source(next));
    differs("key", key_source(before), key_source(next));
    const auto rule = rule_of(before);
    if (rule && rule != rule_of(next) && !some_has_rule(all, *rule))
        found.warn(
            "fingerprint",
            fmt::format("`fingerprint` of `{}` has changed, and no route keeps the former one",
                        next.name),
            "change it when no client retries an earlier request any more; until then "
            "repeats of them are told 409 `rule_changed`");
}

// The same requests under another name: the former records are nobody's.
bool compare_renamed(const Route& before, const std::vector<Route>& next,
                     std::vector<Finding>& findings) {
    for (const Route& route : next) {
        if (!route.protect || !takes_requests_of(route, before)) continue;
        RouteFindings(route, findings)
            .warn("name",
                  fmt::format("the route was called `{}` and is called `{}`", before.name,
                              route.name),
                  fmt::format("write `was: {}`; until then repeats of earlier requests run again",
                              before.name));
        return true;
    }
    return false;
}

// Records lie unread: their requests are passed on, by the route as it is or by whatever takes them now.
void compare_unprotected(const Route& before, const std::vector<Route>& next,
                         std::vector<Finding>& findings) {
    const auto find = [&next](const auto& fits) {
        const auto found = std::ranges::find_if(
            next, [&fits](const Route& route) { return !route.protect && fits(route); });
        return found == next.end() ? nullptr : &*found;
    };
    const Route* route = find([&](const Route& one) { return takes_requests_of(one, before); });
    if (route == nullptr)
        route = find([&](const Route& one) { return is_called(one, before.name); });
    if (route != nullptr) {
        RouteFindings(*route, findings)
            .warn("protect",
                  fmt::format("`protect` of `{}` was `true` and is `{}`", before.name,
                              route->shadow ? "shadow" : "false"),
                  std::string(kRunAgain));
        return;
    }
    findings.push_back(
        {Severity::warning, 0, 0,
         fmt::format("the protected route `{}` is not in the file any more", before.name),
         "take it out when no client retries an earlier request any more; until then repeats of "
         "them run again wherever another route or `default_upstream` takes them"});
}

// The route goes on and takes requests of another method; the former ones are nobody's, or another route's.
void compare_method(const Route& before, const Route& heir, const std::vector<Route>& next,
                    std::vector<Finding>& findings) {
    if (heir.method == before.method || heir.method == kAnyMethod) return;
    const auto other = std::ranges::find_if(next, [&](const Route& route) {
        return route.protect && takes_requests_of(route, before);
    });
    const std::string by = other == next.end() ? "by no route any more"
                                               : fmt::format("by `{}` from now on", other->name);
    RouteFindings(heir, findings)
        .warn("match",
              fmt::format("`{}` was for {} and is for {}: {} {} is protected {}", heir.name,
                          before.method, heir.method, before.method, before.path, by),
              std::string(kRunAgain));
}

}  // namespace

std::vector<Finding> rekeyed(const std::vector<Route>& before, const std::vector<Route>& next) {
    std::vector<Finding> findings;
    for (const Route& former : before) {
        if (!former.protect) continue;
        const auto heir = std::ranges::find_if(next, [&](const Route& route) {
            return route.protect && is_called(route, former.name);
        });
        if (heir != next.end()) {
            compare(former, *heir, next, findings);
            compare_method(former, *heir, next, findings);
        } else if (!compare_renamed(former, next, findings)) {
            compare_unprotected(former, next, findings);
        }
    }
    return findings;
}

}  // namespace pawl::policy
