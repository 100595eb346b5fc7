// SPDX-License-Identifier: Apache-2.0
// Whether a request whose unique values are taken is the first one again. It is when it says nothing else: its other
// values, of a creation also its items and business key, of an event the items that it names. Values are compared
// as what they are, 12.5 with 12.50, so that two spellings are one request.
#pragma once

#include <optional>
#include <string_view>

#include "core/flow/bundle.hpp"
#include "core/flow/machine.hpp"

namespace pawl::flow {

// What took effect under the unique values.
struct First {
    History history;
    std::vector<StockMove> moves{};    // that came with it
    std::string business_key{};        // of a creation
    std::vector<stock::Line> items{};  // of a creation, merged
};

// The request, as it was judged. All of it outlives it.
struct Again {
    const Machine& machine;
    const Event& event;
    const Entity* entity = nullptr;   // that it is sent to; nullptr: it creates one,
    std::string_view business_key{};  // under this one
};

// nullopt: it is the first one again. `first`: nullptr when nobody knows any more what that said. Named is what is said
// otherwise, never what the first one said.
std::optional<Refusal> refuse_unlike(const Again& again, const Repeat& repeat, const First* first);

}  // namespace pawl::flow
