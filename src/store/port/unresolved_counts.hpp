// SPDX-License-Identifier: Apache-2.0
// How many unresolved records each caller and each tenant has (protocol rule 15). Counted are those that wait
// for evidence or for somebody: uncertain, open, and in progress past their lease. A store's writer keeps the
// counts beside its rows and asks them before it judges a claim of a key that it does not know; whatever it
// does know is answered as always. An upstream that is down for long then stops taking new operations into
// doubt, instead of filling the store and a person's list.
//
// Only what is counted costs anything: a claim that is completed in time touches no count.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "core/record/call.hpp"
#include "store/port/stored_bytes.hpp"

namespace pawl::store {

inline constexpr std::size_t kUnresolvedPerCallerMax = 1'000;
inline constexpr std::size_t kUnresolvedPerTenantMax = 100'000;

struct UnresolvedLimits {
    std::size_t per_caller =
        kUnresolvedPerCallerMax;  // callers that are not known have no limit of their own
    std::size_t per_tenant = kUnresolvedPerTenantMax;
    // Not of what is unresolved, but asked at the same moment: a new key is refused from here on.
    std::uint64_t stored_bytes_per_tenant = kStoredBytesUnlimited;
};

// Whom a record counts for. Tenants by a 64-bit hash: two that meet there share a limit.
struct Burdened {
    record::CallerDigest caller;
    std::uint64_t tenant = 0;
};
Burdened burdened_by(const record::Row& row);
Burdened burdened_by(const record::Claim& claim);

// Whether a record counts at `now_ms`. One that could not be read counts for nobody.
bool is_burden(const record::Row& row, std::int64_t now_ms);

class UnresolvedCounts {
  public:
    void add(const Burdened& who);
    // One that was not added is no matter: rows change under damage.
    void remove(const Burdened& who);
    bool is_full(const Burdened& who, const UnresolvedLimits& limits) const;

  private:
    struct CallerHash {
        std::size_t operator()(const record::CallerDigest& caller) const;
    };
    std::unordered_map<record::CallerDigest, std::size_t, CallerHash> by_caller_;
    std::unordered_map<std::uint64_t, std::size_t> by_tenant_;
};

}  // namespace pawl::store
