// SPDX-License-Identifier: Apache-2.0
// The flows as an operator looks at them: of any tenant, whoever the entities are of, and the list of what a
// person has to look at.
#pragma once

#include <memory>
#include <string>

#include <boost/json/object.hpp>

#include "engine/machines.hpp"
#include "runtime/task/task.hpp"
#include "store/port/flows.hpp"

namespace pawl::api {

inline constexpr std::size_t kFlowsListedMax = 500;

// Shape: entities, and `next` where there are more: the id to go on behind. Newest first.
// Errors: request_invalid, `after` is no id.
Task<Result<boost::json::object>> list_flow(store::Flows& flows,
                                            std::shared_ptr<const engine::Machines> machines,
                                            store::PageQuery query);
// Of one entity, by id, alone or with its check code, or by business key. Shape: entity, steps (oldest first), `more`.
// Errors: not_found, also for a wrong check code; request_invalid, no id.
Task<Result<boost::json::object>> explain_entity(store::Flows& flows,
                                                 std::shared_ptr<const engine::Machines> machines,
                                                 store::FlowSubject subject);
// Facts of a flow that wait for their entity, or for it to come so far; of every tenant where none is named.
// Oldest first. Shape: facts (number, id, business_key, event, sender, values, since, until), and `next` where
// there are more: the number to go on behind.
Task<Result<boost::json::object>> list_waiting(store::Flows& flows, store::PageQuery query,
                                               std::uint64_t after);
// Shape: entries (number, flow, id, business_key, reason, judged_on, at, event, about), and `more`. Oldest first.
Task<Result<boost::json::object>> list_attention(store::Flows& flows, std::uint64_t after,
                                                 std::size_t limit);

// {"number": "17", "by": "ann", "reason": "refunded by hand", "as": "settled"}; `as` may be left out, or `left`.
// Errors: request_invalid.
Result<store::CloseAttention> parse_close(std::string_view body);
// What was settled is the person's to do, and only after this has said `closed`.
// Errors: not_found; conflict: somebody else was first, or the fact is taken.
Task<Result<boost::json::object>> close_attention(store::Flows* flows, store::CloseAttention word);

}  // namespace pawl::api
