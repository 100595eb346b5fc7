// SPDX-License-Identifier: Apache-2.0
// Who may, and when: as the world knows it, whatever Pawl remembers. A caller of whom nothing was said may.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "runtime/clock/clock.hpp"

namespace pawl::sim {

class Rights {
  public:
    // In the order of time.
    void set(std::uint32_t caller, MonotonicTime at, bool may) {
        changes_[caller].push_back({at, may});
    }
    bool may(std::uint32_t caller, MonotonicTime at) const { return might(caller, at, at); }
    // At some moment of this span, both ends included.
    bool might(std::uint32_t caller, MonotonicTime from, MonotonicTime to) const {
        const auto found = changes_.find(caller);
        if (found == changes_.end()) return true;
        bool before = true;  // at `from`
        for (const Change& change : found->second) {
            if (change.at > to) break;
            if (change.at <= from)
                before = change.may;
            else if (change.may)
                return true;
        }
        return before;
    }

  private:
    struct Change {
        MonotonicTime at;
        bool may = true;
    };
    std::unordered_map<std::uint32_t, std::vector<Change>> changes_;
};

}  // namespace pawl::sim
