// SPDX-License-Identifier: Apache-2.0
// The states of a flow and where its events lead, short and taken branches too.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/flow/definition.hpp"

namespace pawl::flow {

using StateSet = std::vector<bool>;  // one per state, in the order of the definition

class Graph {
  public:
    explicit Graph(const Definition& definition);

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::size_t index_of(std::string_view state) const;  // kNone: not declared

    // States that come right after this one; a transition that stays is none.
    const std::vector<std::size_t>& after(std::size_t state) const { return after_[state]; }
    // All that can follow, the start among them; states to avoid are not entered.
    StateSet reachable(std::size_t start, const StateSet& avoid = {}) const;
    StateSet set_of(const Names& states) const;

  private:
    Names names_;
    std::vector<std::vector<std::size_t>> after_;
};

}  // namespace pawl::flow
