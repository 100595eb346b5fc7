// SPDX-License-Identifier: Apache-2.0
// What routes in shadow have seen, for people who decide whether to protect them.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "gateway/routes.hpp"
#include "gateway/shadow_book.hpp"
#include "runtime/result/result.hpp"

namespace pawl::api {

// Shape: {"routes": [{"route", "requests", "counts": {KIND: n}, "examples": {KIND: [tag, ...]}, "says"}],
// "keys_kept", "keys_forgotten"}; `route`: only this one, empty: all that are in shadow.
// Errors: not_found, where `route` is no shadow.
Result<boost::json::object> shadow_report(const gateway::ShadowBook& book,
                                          const gateway::Routes& routes, const std::string& route);

}  // namespace pawl::api
