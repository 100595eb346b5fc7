// SPDX-License-Identifier: Apache-2.0
// Which version of its operation a request is, and what is told of it (rulings 1):
//
//   Pawl-Version-Decision   the request
//   1                       was the first to be executed
//   2                       was executed and replaced the result of an older version
//   0                       changed nothing: a repeat of the present version, or an older one
//   none                    is not decided: refused, running, uncertain, or without a version
#pragma once

#include <optional>
#include <string_view>

#include "core/policy/compiled_route.hpp"
#include "core/record/stamp.hpp"
#include "gateway/operation.hpp"
#include "net/http/message.hpp"

namespace pawl::gateway {

// What the head alone says wrong. Errors: version_invalid.
Status check_version_in_head(const policy::Route& route, const http::RequestHead& head);

// nullopt: the route has no versions, or the request none. Errors: version_invalid; request_invalid where the
// version is in the body and that is not JSON.
Result<std::optional<record::Stamp>> version_of(const policy::CompiledRoute& route,
                                                const http::RequestHead& head,
                                                std::string_view body);

// Adds Pawl-Version-Decision to the answer of a request with a version.
void add_version_decision(http::Response& response, const Ended& ended);

}  // namespace pawl::gateway
