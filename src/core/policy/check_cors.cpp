// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/policy/cors.hpp"
#include "core/policy/replay_headers.hpp"
#include "core/policy/units.hpp"

namespace pawl::policy {
namespace {

// scheme "://" host [":" port], as browsers write it: in small letters, the scheme's own port left out.
bool is_origin(std::string_view text) {
    const auto scheme = text.find("://");
    if (scheme == 0 || scheme == std::string_view::npos) return false;
    const std::string_view authority = text.substr(scheme + 3);
    const auto is_good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               std::string_view("-._:[]+").find(c) != std::string_view::npos;
    };
    const bool usual_port = (text.starts_with("https://") && authority.ends_with(":443")) ||
                            (text.starts_with("http://") && authority.ends_with(":80"));
    return !authority.empty() && !authority.ends_with(':') && !usual_port &&
           std::ranges::all_of(authority, is_good) &&
           std::ranges::all_of(text.substr(0, scheme), is_good);
}

void judge_origins(const CorsRule& rule, std::vector<CorsFlaw>& flaws) {
    constexpr std::string_view kForm = "write one such as `https://shop.example`";
    if (rule.origins.empty())
        flaws.push_back({"origins", "no page of another origin is named",
                         "write `origins: [https://shop.example]`, or `*` for any"});
    for (const std::string& origin : rule.origins) {
        if (origin == "*" || origin == "null" || is_origin(origin)) continue;
        flaws.push_back({"origins",
                         fmt::format("`{}` is no origin as browsers write it: in small letters, "
                                     "without a path and without the usual port",
                                     origin),
                         std::string(kForm)});
    }
    if (rule.any_origin() && rule.origins.size() > 1)
        flaws.push_back({"origins", "`*` is every origin already", "remove the others"});
    if (rule.any_origin() && rule.credentials)
        flaws.push_back({"credentials",
                         "any page could act in the name of whoever looks at it: browsers refuse "
                         "`*` with credentials",
                         "name the origins, or remove `credentials`"});
    if (std::ranges::find(rule.origins, "null") != rule.origins.end() && rule.credentials)
        flaws.push_back({"credentials",
                         "any page could act in the name of whoever looks at it: `null` is the "
                         "origin of every sandboxed frame",
                         "remove `\"null\"` or `credentials`"});
}

void judge_names(std::string_view field, const std::vector<std::string>& names,
                 std::vector<CorsFlaw>& flaws) {
    for (const std::string& name : names)
        if (!is_field_name(name) || name == "*")
            flaws.push_back({std::string(field),
                             fmt::format("`{}` is not the name of a header", name),
                             "write each name alone"});
}

}  // namespace

std::vector<CorsFlaw> flaws_in(const CorsRule& rule) {
    std::vector<CorsFlaw> flaws;
    judge_origins(rule, flaws);
    judge_names("headers", rule.headers, flaws);
    judge_names("expose", rule.expose, flaws);
    if (rule.max_age > kCorsMaxAge)
        flaws.push_back(
            {"max_age",
             fmt::format("no browser keeps a permission for {}", format_duration(rule.max_age)),
             fmt::format("write at most {}", format_duration(kCorsMaxAge))});
    return flaws;
}

}  // namespace pawl::policy
