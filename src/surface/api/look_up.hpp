// SPDX-License-Identifier: Apache-2.0
// Finds operations by what a person has in hand, and lists those whose outcome is not known. Reads only;
// serves the admin port and, where no server runs, the command line on the store itself.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "runtime/clock/clock.hpp"
#include "store/port/records.hpp"

namespace pawl::api {

inline constexpr std::size_t kFoundMax = 20;
inline constexpr std::size_t kListedMax = 10'000;

struct Sought {
    enum class By : std::uint8_t { anything, reference, key, trace_id, business_id };
    By by = By::anything;
    std::string value;
    std::string caller;  // a name, or the tag that is shown of it; empty: of all
};

// Shape: {"records": [operation_json...]}, newest first; several operations may share a key.
// Errors: not_found, request_invalid (not a reference), unavailable. `records` outlives the task.
Task<Result<boost::json::object>> explain(store::Records& records, Sought sought, WallTime now);

// Shape: {"records": [summary_json...], "more": bool, "in_all": number}, oldest first as the store gives
// them; `in_all` is how many there are whatever the operation and the age.
Task<Result<boost::json::object>> list_unresolved(store::Records& records,
                                                  store::UnresolvedQuery query, WallTime now);

}  // namespace pawl::api
