// SPDX-License-Identifier: Apache-2.0
// Rows of flows that cannot be read. A reading of many goes past such a row, so that one of them stops nobody
// else, and notes it here, for people; whoever needs that very row is told store_corrupt. What was noted is not
// durable: the row stays where it is, and the next reading after a start meets it again.
#pragma once

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/meter/meter.hpp"

namespace pawl::store {

// Beyond it none is told by name any more, but all are counted.
inline constexpr std::size_t kDamagedRowsNamed = 1'000;

struct DamagedRow {
    std::string table;
    std::string whose;  // flow and id where they are known, else its number
    auto operator<=>(const DamagedRow&) const = default;
};

class DamageBook {
  public:
    // From any thread; the same row again changes nothing.
    void met(std::string_view table, std::string whose);
    // What was met since the last call, each row once.
    std::vector<DamagedRow> news();
    // Different rows since the start, and beyond kDamagedRowsNamed every reading of one.
    const Gauge& rows() const { return rows_; }

  private:
    std::mutex mutex_;
    std::set<DamagedRow> known_;
    std::vector<DamagedRow> news_;
    Gauge rows_;
};

}  // namespace pawl::store
