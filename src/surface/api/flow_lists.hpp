// SPDX-License-Identifier: Apache-2.0
// The flows as an operator looks at them: of any tenant, whoever the entities are of.
#pragma once

#include <memory>
#include <string>

#include <boost/json/object.hpp>

#include "engine/machines.hpp"
#include "runtime/task/task.hpp"
#include "store/port/flows.hpp"
#include "store/port/sagas.hpp"

namespace pawl::api {

inline constexpr std::size_t kFlowsListedMax = 500;

// Shape: entities, and `next` where there are more: the id to go on behind. Newest first.
// Errors: request_invalid, `after` is no id.
Task<Result<boost::json::object>> list_flow(store::Flows& flows,
                                            std::shared_ptr<const engine::Machines> machines,
                                            store::PageQuery query);
// Of one entity, by id, alone or with its check code, or by business key. Shape: entity, steps (oldest
// first), `more`, entries (what a person has to look at, or has closed), `entries_more`, sagas (what became of
// those that the steps began). `sagas`: nullptr where none are carried out.
// Errors: not_found, also for a wrong check code; request_invalid, no id.
Task<Result<boost::json::object>> explain_entity(store::Flows& flows, store::Sagas* sagas,
                                                 std::shared_ptr<const engine::Machines> machines,
                                                 store::FlowSubject subject);
// Facts of a flow that wait for their entity, or for it to come so far; of every tenant where none is named.
// Oldest first. Shape: facts (number, id, business_key, event, sender, values, since, until), and `next` where
// there are more: the number to go on behind.
Task<Result<boost::json::object>> list_waiting(store::Flows& flows, store::PageQuery query,
                                               std::uint64_t after);

}  // namespace pawl::api
