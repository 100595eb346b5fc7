// SPDX-License-Identifier: Apache-2.0
#include "surface/api/coverage_report.hpp"

#include <boost/json/array.hpp>

namespace pawl::api {

namespace json = boost::json;

std::uint64_t protected_requests(const gateway::Routes& routes) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < routes.figures.size(); ++i) {
        if (!routes.table.routes()[i].route.protect) continue;
        for (const Counter& one : routes.figures[i].requests) sum += one.value();
    }
    return sum;
}

std::uint64_t unprotected_writes(const gateway::Routes& routes) {
    std::uint64_t sum = routes.unmatched.unprotected_writes.value();
    for (const gateway::RouteFigures& one : routes.figures) sum += one.unprotected_writes.value();
    return sum;
}

double protected_share(const gateway::Routes& routes) {
    const auto kept = static_cast<double>(protected_requests(routes));
    const auto passed = static_cast<double>(unprotected_writes(routes));
    return kept + passed == 0 ? 1 : kept / (kept + passed);
}

json::object coverage_report(const policy::WriteCounts& counts, const gateway::Routes& routes) {
    json::array writes;
    for (const policy::WriteCount& one : counts.list()) {
        json::object shown{{"method", one.method},
                           {"path", one.path},
                           {"route", nullptr},
                           {"count", one.count},
                           {"with_key", one.with_key}};
        if (!one.route.empty()) shown["route"] = one.route;
        writes.emplace_back(std::move(shown));
    }
    return {{"writes", std::move(writes)},
            {"not_listed", counts.not_listed()},
            {"protected_requests", protected_requests(routes)},
            {"unprotected_writes", unprotected_writes(routes)},
            {"protected_share", protected_share(routes)}};
}

}  // namespace pawl::api
