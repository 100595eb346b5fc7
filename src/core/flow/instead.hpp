// SPDX-License-Identifier: Apache-2.0
// What is told of an event that does not become a bundle. Internal to this folder.
#pragma once

#include "core/flow/deeds.hpp"

namespace pawl::flow {

Refusal refuse(const Case& one, Objection why);
// An entry of the attention list, about the facts that the event says.
Arbitration for_person(const Case& one, std::string reason);
// A fact is acknowledged all the same, and a person looks at it; so he does at a deadline that cannot fire.
Decision object(const Case& one, Objection why);
Arbitration ignore(const Case& one, std::string reason);
// It waits until its order has come so far.
Arbitration park(const Case& one);

}  // namespace pawl::flow
