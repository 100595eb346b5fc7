// SPDX-License-Identifier: Apache-2.0
// How much of what changes something is protected, and what is not.
#pragma once

#include <boost/json/object.hpp>

#include "core/policy/write_counts.hpp"
#include "gateway/routes.hpp"

namespace pawl::api {

// Requests that protected routes have judged since the routes were loaded.
std::uint64_t protected_requests(const gateway::Routes& routes);
// Writes that were passed on since then.
std::uint64_t unprotected_writes(const gateway::Routes& routes);
// Of all of both, those that are protected: 1 where there were none.
double protected_share(const gateway::Routes& routes);

// Shape: {"writes": [{"method", "path", "route", "count", "with_key"}], "not_listed", "protected_requests",
// "unprotected_writes", "protected_share"}; `route` is null for what went to default_upstream.
boost::json::object coverage_report(const policy::WriteCounts& counts,
                                    const gateway::Routes& routes);

}  // namespace pawl::api
