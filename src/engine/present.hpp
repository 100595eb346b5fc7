// SPDX-License-Identifier: Apache-2.0
// How an entity, a row of its history and a refusal look to a client: JSON with ids as strings and money as its
// exact text. The answer of a request is made here before its commit; the reading calls of the surface show the
// same members and those that change without a version (deadlines).
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "core/flow/machine.hpp"
#include "engine/sent.hpp"

namespace pawl::engine {

// id, checked_id (of a flow with a check code), flow, state, version, business_key, created_at, fields, items, stock.
// No due times. `machine`: nullptr when its flow is not served any more.
boost::json::object shown(const flow::Entity& entity, const flow::Machine* machine);
// version, course, event, from, to, type, values, sender, caller, at, and what moved and began with it.
boost::json::object shown(const store::FlowStep& step);
boost::json::object shown(const stock::Sku& sku, const stock::Level& level);

// Where a client finds it: "/v1/flows/order/17".
std::string path_of(const store::FlowSubject& subject);

// 201 with Location, or 200 with Content-Location; both with ETag and the entity. The time of creation is only
// known in the commit, and so no part of the answer to it. The place has the check code, where there is one.
record::Answer answer_of_creation(const flow::Entity& entity, const flow::Machine* machine);
record::Answer answer_of_event(const flow::Entity& entity, const flow::Machine* machine);
// A fact is acknowledged: 200 where nothing is left to do, 202 where it waits or a person looks at it.
record::Answer answer_of(const flow::Arbitration& arbitration, const store::FlowSubject& subject);
// A problem document with the remedy, the version judged on, who was first, and a Link to the flow's states.
record::Answer answer_of(const flow::Refusal& refusal, const store::FlowSubject& subject);
// 409 `contended` with Retry-After.
record::Answer answer_contended(const store::FlowSubject& subject);
// 409 `duplicate_request` of a request whose flow does not answer repeats again (`on_repeat: refuse`).
record::Answer answer_duplicate(const record::Row& row, const std::optional<record::Answer>& first);
// What the record of the key says instead of a result: 422 `key_reused`, 409 `stale_version`, 410
// `result_expired`, 429 `limited`, ...
record::Answer answer_recorded(const record::Verdict& verdict);
// 200 with what was changed; the quantities are only known in the commit.
record::Answer answer_of_stock(const store::StockChange& change);
// 409 `out_of_stock`: fewer than are reserved and sold.
record::Answer answer_out_of_stock(const store::StockChange& change);

// The id of the entity that a stored answer speaks about, by its Location or Content-Location; empty: none.
std::string id_in(const record::Answer& answer);

}  // namespace pawl::engine
