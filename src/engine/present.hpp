// SPDX-License-Identifier: Apache-2.0
// How an entity, a row of its history and a refusal look to a client: JSON with ids as strings and money as its
// exact text. The answer of a request is made here before its commit; the reading calls of the surface show the
// same members and those that change without a version (deadlines).
#pragma once

#include <boost/json/object.hpp>

#include "engine/sent.hpp"

namespace pawl::engine {

// id, flow, state, version, business_key, created_at, fields, items, stock. No due times.
boost::json::object shown(const flow::Entity& entity);
boost::json::object shown(const store::FlowStep& step);

// 201 with Location, or 200; both with ETag and the entity. Paths under /v1/flows.
record::Answer answer_of_creation(const flow::Entity& entity);
record::Answer answer_of_event(const flow::Entity& entity);
// A problem document with the remedy, the version judged on, who was first, and a Link to the flow's states.
record::Answer answer_of(const flow::Refusal& refusal, const store::FlowSubject& subject);
// 409 `contended` with Retry-After.
record::Answer answer_contended(const store::FlowSubject& subject);
// 200 with the SKU's quantities; refused: 409 `out_of_stock`.
record::Answer answer_of_stock(const stock::Sku& sku, const stock::Level& level);

}  // namespace pawl::engine
