// SPDX-License-Identifier: Apache-2.0
// A flow as a picture: a state diagram of Mermaid, which documents and consoles draw.
#pragma once

#include <string>

#include "core/flow/definition.hpp"

namespace pawl::flow {

// Arrows for transitions, and for their `short` and `taken` branches; deadlines at the events that they send,
// those of the whole flow wherever they can still run; what is done with late facts as notes. Always the same text
// for the same flow.
std::string mermaid(const Definition& definition);

}  // namespace pawl::flow
