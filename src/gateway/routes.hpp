// SPDX-License-Identifier: Apache-2.0
// The routes of one configuration with their figures, shared by all loops. Immutable but for the figures;
// a reload makes another, and requests that are under way keep the one they began with.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "core/caller/callers.hpp"
#include "core/policy/compiled_route.hpp"
#include "gateway/observer.hpp"
#include "net/http/message.hpp"
#include "net/http/service.hpp"

namespace pawl::gateway {

inline http::Target target_of(const policy::Upstream& upstream) {
    return {upstream.host, upstream.port, upstream.tls, upstream.trust};
}

struct Routes {
    Routes(policy::RouteTable table_, std::optional<policy::Upstream> default_upstream_,
           caller::Callers callers_ = {}, std::optional<policy::CorsRule> cors_ = {})
        : table(std::move(table_)),
          default_upstream(std::move(default_upstream_)),
          callers(std::move(callers_)),
          cors(std::move(cors_)),
          figures(table.routes().size()) {}

    // nullptr when no route matches. Good as long as the routes.
    const policy::CompiledRoute* find(const http::RequestHead& head) const {
        return table.find(head.method, http::first_of(head.headers, "Host"), head.target);
    }
    RouteFigures& figures_of(const policy::CompiledRoute& route) const {
        return figures[number_of(route)];
    }
    std::size_t number_of(const policy::CompiledRoute& route) const {
        return static_cast<std::size_t>(&route - table.routes().data());
    }
    // The route of an operation's name; nullptr when it is configured no more.
    const policy::CompiledRoute* named(std::string_view operation) const {
        for (const policy::CompiledRoute& compiled : table.routes())
            if (compiled.route.name == operation ||
                (!operation.empty() && compiled.route.was == operation))
                return &compiled;
        return nullptr;
    }

    policy::RouteTable table;
    std::optional<policy::Upstream> default_upstream;
    caller::Callers
        callers;  // those that routes refer to are there: the configuration is judged by that
    std::optional<policy::CorsRule> cors;  // of what no route matches; routes have their own
    mutable std::deque<RouteFigures> figures;
    mutable RouteFigures unmatched;
};

}  // namespace pawl::gateway
