// SPDX-License-Identifier: Apache-2.0
// Judges a flow when it is loaded. What could leave an entity stuck, a fact unanswered or a transition
// ambiguous is an error; what can never happen, or leaves stock reserved for ever, is a warning.
#pragma once

#include <vector>

#include "core/flow/definition.hpp"
#include "core/flow/finding.hpp"

namespace pawl::flow {

// All findings at once; while names are wrong or undeclared, those first. A definition without an error
// compiles (machine.hpp).
std::vector<Finding> check(const Definition& definition);

}  // namespace pawl::flow
