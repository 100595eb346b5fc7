// SPDX-License-Identifier: Apache-2.0
// Which facts of a flow bring money, and what tells one payment from the next. For the checks: nothing that runs asks.
#pragma once

#include <vector>

#include "core/flow/definition.hpp"

namespace pawl::flow {

// A fact that names a transaction or carries an amount, or is compensated by what the provider says of it; and is no
// report of a refund.
bool brings_money(const Definition& definition, const EventRule& event);

// By these fields no two payments are the same: among them is its number at the provider, or another that the event
// cannot be without. What names the provider, the entity or a sum, many payments share.
bool names_payment(const Definition& definition, const EventRule& event, const UniqueRule& rule);

// Those that hold for ever: only these tell a repeat from a second payment whatever became of the entity.
std::vector<const UniqueRule*> permanent_uniques(const EventRule& event);

}  // namespace pawl::flow
