// SPDX-License-Identifier: Apache-2.0
// How many bytes of records and answers each tenant has in a store. Counted by place: what lies in one place goes
// together, so that a store that drops much at once need not look at each of it. A writer keeps the sums beside
// its rows and asks them before it judges a claim of a key that it does not know; what it does know is
// answered as always.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pawl::store {

inline constexpr std::uint64_t kStoredBytesUnlimited = std::numeric_limits<std::uint64_t>::max();

class StoredBytes {
  public:
    struct Change {
        std::int64_t place = 0;
        std::uint64_t tenant = 0;  // as in Burdened
        std::int64_t bytes = 0;    // more, or fewer
    };

    void apply(const Change& change);
    // All of one place, of every tenant.
    void drop(std::int64_t place);
    std::uint64_t of(std::uint64_t tenant) const;
    // Of the tenant that has most.
    std::uint64_t most() const;
    // Those from `from` to before `until`.
    std::vector<std::int64_t> places(std::int64_t from, std::int64_t until) const;

  private:
    std::map<std::pair<std::int64_t, std::uint64_t>, std::int64_t> by_place_;
    std::unordered_map<std::uint64_t, std::int64_t> by_tenant_;
};

}  // namespace pawl::store
