// SPDX-License-Identifier: Apache-2.0
#include "surface/api/shadow_report.hpp"

#include <fmt/format.h>
#include <boost/json/array.hpp>

namespace pawl::api {
namespace {

namespace json = boost::json;

json::object shown(const std::string& name, const gateway::ShadowRoute& route) {
    json::object counts;
    json::object examples;
    for (int i = 0; i < gateway::kShadowSeenCount; ++i) {
        const auto seen = static_cast<gateway::ShadowSeen>(i);
        counts[name_of(seen)] = route.of(seen);
        const auto& tags = route.examples[static_cast<std::size_t>(i)];
        if (!tags.empty()) examples[name_of(seen)] = json::array(tags.begin(), tags.end());
    }
    return {{"route", name},
            {"requests", route.total()},
            {"counts", std::move(counts)},
            {"examples", std::move(examples)},
            {"says", gateway::shadow_sentence(route)}};
}

}  // namespace

Result<json::object> shadow_report(const gateway::ShadowBook& book, const gateway::Routes& routes,
                                   const std::string& route) {
    json::array list;
    for (const policy::CompiledRoute& one : routes.table.routes()) {
        if (!one.route.shadow || (!route.empty() && one.route.name != route)) continue;
        const auto seen = book.routes().find(one.route.name);
        list.emplace_back(shown(
            one.route.name, seen == book.routes().end() ? gateway::ShadowRoute{} : seen->second));
    }
    if (!route.empty() && list.empty())
        return fail(
            Code::not_found,
            fmt::format("`{}` is no shadow. Write `protect: shadow` into the route.", route));
    return json::object{{"routes", std::move(list)},
                        {"keys_kept", book.keys()},
                        {"keys_forgotten", book.keys_forgotten()}};
}

}  // namespace pawl::api
