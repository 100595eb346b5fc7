// SPDX-License-Identifier: Apache-2.0
// Ids as people are shown them and write them, of the flows whose file says `check_code`: 1234567890123-7K3QZ. The
// store, events and calls know the id alone; the code is made of the entity's fields when it is shown or judged.
#pragma once

#include "core/flow/definition.hpp"
#include "core/flow/entity.hpp"
#include "core/id/check_code.hpp"

namespace pawl::engine {

// Empty: the flow has no check code, or the id is not one that Pawl made.
std::string checked_id(const flow::Definition& flow, const flow::Entity& entity);

// The code that was written is the entity's. False where its flow has none. Precondition: one was written.
bool has_code(const flow::Definition& flow, const flow::Entity& entity,
              const id::WrittenId& written);

}  // namespace pawl::engine
