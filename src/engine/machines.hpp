// SPDX-License-Identifier: Apache-2.0
// The flows that are served, by name. Immutable and shared by all loops; a reload makes another, and what is
// under way keeps the one that it began with.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/flow/machine.hpp"

namespace pawl::engine {

class Machines {
  public:
    Machines() = default;
    // Precondition: no two have the same name.
    explicit Machines(std::vector<flow::Machine> machines);

    // nullptr: there is no such flow. Good as long as these.
    const flow::Machine* find(std::string_view flow) const;
    // By name, sorted.
    const std::map<std::string, flow::Machine, std::less<>>& all() const { return machines_; }

  private:
    std::map<std::string, flow::Machine, std::less<>> machines_;
};

}  // namespace pawl::engine
