// SPDX-License-Identifier: Apache-2.0
#include "core/id/layout.hpp"

#include <fmt/format.h>

#include "runtime/result/assert.hpp"

namespace pawl::id {
namespace {

constexpr std::int64_t kTimeMax = (std::int64_t{1} << kTimeBits) - 1;
constexpr std::int64_t kEpochMsMax = 4'102'444'800'000;  // 2100-01-01T00:00:00Z

}  // namespace

Status check(const Layout& layout) {
    if (layout.bucket_bits < 0 || layout.bucket_bits > kMachineBits)
        return fail(Code::config_invalid,
                    fmt::format("An id has {} machine bits; {} of them cannot be the bucket's. "
                                "Write 0 to {}.",
                                kMachineBits, layout.bucket_bits, kMachineBits));
    if (layout.epoch_ms < 0 || layout.epoch_ms > kEpochMsMax)
        return fail(Code::config_invalid,
                    fmt::format("The epoch of ids lies between 1970 and 2100, in milliseconds "
                                "since 1970; {} does not.",
                                layout.epoch_ms));
    return {};
}

Status check(const Layout& layout, const Machine& machine) {
    if (machine.bucket >= layout.buckets())
        return fail(Code::config_invalid,
                    fmt::format("Bucket {} is beyond the {} that {} bits tell apart.",
                                machine.bucket, layout.buckets(), layout.bucket_bits));
    if (machine.worker >= layout.workers())
        return fail(Code::config_invalid,
                    fmt::format("Worker {} is beyond the {} that {} bits tell apart.",
                                machine.worker, layout.workers(), layout.worker_bits()));
    return {};
}

Id pack(const Layout& layout, const Parts& parts) {
    const std::int64_t time = parts.time_ms - layout.epoch_ms;
    PAWL_ASSERT(time >= 0 && time <= kTimeMax && parts.sequence <= kSequenceMax &&
                parts.machine.bucket < layout.buckets() && parts.machine.worker < layout.workers());
    const std::int64_t machine =
        (std::int64_t{parts.machine.bucket} << layout.worker_bits()) | parts.machine.worker;
    return (time << (kMachineBits + kSequenceBits)) | (machine << kSequenceBits) | parts.sequence;
}

Parts unpack(const Layout& layout, Id id) {
    PAWL_ASSERT(id > 0);
    const auto machine = static_cast<unsigned>(id >> kSequenceBits) & ((1U << kMachineBits) - 1);
    return {layout.epoch_ms + (id >> (kMachineBits + kSequenceBits)),
            {machine >> layout.worker_bits(), machine & (layout.workers() - 1)},
            static_cast<unsigned>(id) & kSequenceMax};
}

}  // namespace pawl::id
