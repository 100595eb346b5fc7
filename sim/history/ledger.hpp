// SPDX-License-Identifier: Apache-2.0
// What the upstream did and said, written down by the upstream alone. It knows nothing of records, claims or
// answers of Pawl, so that counting effects here proves something.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/policy/outcome.hpp"
#include "core/record/row.hpp"
#include "sim/history/book.hpp"

namespace pawl::sim {

// One effect.
struct Applied {
    Number name = 0;
    Number intent = 0;
    Number exchange = 0;  // whose request brought it about
    record::Fence fence;
    MonotonicTime at{};
    Number operation = 0;
};

// One answer. Its number travels in the ETag, which is kept for repeats.
struct Said {
    Number serial = 0;
    Number name = 0;
    Number intent = 0;
    Number caller = 0;
    int status = 0;
    std::optional<policy::Declared> declared;
    bool applied = false;  // the effect it speaks of is there
    std::string body;
};

class Ledger {
  public:
    const Applied& apply(Applied effect);
    Said& say(Said said);

    const std::vector<Applied>& effects() const { return effects_; }
    const Said* said(Number serial) const {
        return serial == 0 || serial > said_.size() ? nullptr : &said_[serial - 1];
    }
    std::uint32_t effects_of(Number operation) const {
        return operation < by_operation_.size() ? by_operation_[operation] : 0;
    }
    bool caused_effect(Number exchange) const {
        return exchange < by_exchange_.size() && by_exchange_[exchange];
    }

  private:
    std::vector<Applied> effects_;
    std::vector<Said> said_;
    std::vector<std::uint32_t> by_operation_;
    std::vector<bool> by_exchange_;
};

std::string etag_of(Number serial);
// 0: not one of ours.
Number serial_in(std::string_view etag);

}  // namespace pawl::sim
