// SPDX-License-Identifier: Apache-2.0
// What a person has to look at, and what somebody has closed: listed, shown at the entity that it is about, and taken
// off the list by a word. Who closed an entry, when, how and why stays with it.
#pragma once

#include <string>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "runtime/task/task.hpp"
#include "store/port/flows.hpp"

namespace pawl::api {

inline constexpr std::size_t kEntriesListedMax = 500;

// Shape: number, flow, id, business_key, reason, judged_on, at, event, about; `closed` (at, as, by, reason) where it
// is: without `by` the flow itself took its fact.
boost::json::object entry_view(const store::AttentionEntry& entry);

// Those of one entity, oldest first. `more`: older ones are left out.
struct EntriesShown {
    boost::json::array entries;
    bool more = false;
};
Task<Result<EntriesShown>> entries_of(store::Flows& flows, store::FlowSubject entity);

// Shape: entries, and `more`. Open ones, oldest first.
Task<Result<boost::json::object>> list_attention(store::Flows& flows, std::uint64_t after,
                                                 std::size_t limit);
// The same of those that are closed, the latest closed first; `after` is the number of the last one before.
Task<Result<boost::json::object>> list_closed(store::Flows& flows, std::uint64_t after,
                                              std::size_t limit);

// {"number": "17", "by": "ann", "reason": "refunded by hand", "as": "settled"}; `as` may be left out, or `left`.
// Errors: request_invalid.
Result<store::CloseAttention> parse_close(std::string_view body);
// What was settled is the person's to do, and only after this has said `closed`.
// Errors: not_found; conflict: somebody else was first, or the fact is taken.
Task<Result<boost::json::object>> close_attention(store::Flows* flows, store::CloseAttention word);

}  // namespace pawl::api
