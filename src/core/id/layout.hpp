// SPDX-License-Identifier: Apache-2.0
// How the 63 bits of an id are used (after Twitter's Snowflake):
//
//   41 bits  milliseconds since the deployment's epoch: 69 years
//   10 bits  the machine: which bucket the id belongs to, and which worker made it; split once per deployment
//   12 bits  the number within the millisecond
//
// Ids order by time, then machine. The bucket routes to a database; the worker is held by one process at a time.
#pragma once

#include <cstdint>

#include "core/id/id.hpp"
#include "runtime/result/result.hpp"

namespace pawl::id {

inline constexpr int kTimeBits = 41;
inline constexpr int kMachineBits = 10;
inline constexpr int kSequenceBits = 12;
static_assert(kTimeBits + kMachineBits + kSequenceBits == 63);

inline constexpr std::int64_t kEpochMsDefault = 1'704'067'200'000;  // 2024-01-01T00:00:00Z
inline constexpr int kBucketBitsDefault = 5;
inline constexpr unsigned kSequenceMax = (1U << kSequenceBits) - 1;

struct Machine {
    unsigned bucket = 0;
    unsigned worker = 0;
    auto operator<=>(const Machine&) const = default;
};

struct Layout {
    std::int64_t epoch_ms = kEpochMsDefault;  // since 1970
    int bucket_bits = kBucketBitsDefault;     // of the machine's ten; the others are the worker's

    int worker_bits() const { return kMachineBits - bucket_bits; }
    unsigned buckets() const { return 1U << bucket_bits; }
    unsigned workers() const { return 1U << worker_bits(); }
    // The last millisecond since 1970 that has ids.
    std::int64_t end_ms() const { return epoch_ms + (std::int64_t{1} << kTimeBits) - 1; }
};

// Errors: config_invalid.
Status check(const Layout& layout);
Status check(const Layout& layout, const Machine& machine);

struct Parts {
    std::int64_t time_ms = 0;  // since 1970
    Machine machine;
    unsigned sequence = 0;
    auto operator<=>(const Parts&) const = default;
};

// Precondition: the parts are within the layout, and not all zero.
Id pack(const Layout& layout, const Parts& parts);
// Precondition: the id is above 0.
Parts unpack(const Layout& layout, Id id);

}  // namespace pawl::id
