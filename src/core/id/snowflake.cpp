// SPDX-License-Identifier: Apache-2.0
#include "core/id/snowflake.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "runtime/result/assert.hpp"

namespace pawl::id {
namespace {

struct Row {
    std::string_view name;
    std::string_view text;
};
constexpr std::array<Row, 4> kRows{{
    {"lead_used_up",
     "No id can be made: this node's clock is too far behind the last id. Look at its clock; "
     "nothing was executed."},
    {"window_ended",
     "No id can be made: this node's permission to make ids has ended and could not be renewed. "
     "Nothing was executed."},
    {"before_epoch",
     "No id can be made: this node's clock is before the epoch of ids. Set its clock; nothing was "
     "executed."},
    {"layout_ended",
     "No id can be made: the epoch of ids is more than 69 years ago. A later epoch needs a "
     "deployment of its own; nothing was executed."},
}};

// SplitMix64's mixing step: every bit of the answer hangs on every bit given.
std::uint64_t mixed(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

}  // namespace

std::string_view name_of(NoId reason) { return kRows[static_cast<std::size_t>(reason)].name; }

Error error_of(NoId reason) {
    return {Code::unavailable, std::string(kRows[static_cast<std::size_t>(reason)].text), {}, {}};
}

Snowflake::Snowflake(const Layout& layout, const Machine& machine, std::int64_t after_ms)
    // A mark beyond the layout's end, which only damage makes, is its end: there are no ids behind it.
    : layout_(layout),
      machine_(machine),
      last_ms_(std::clamp<std::int64_t>(after_ms, 0, layout.end_ms())) {
    PAWL_ASSERT(check(layout) && check(layout, machine));
}

std::expected<Id, NoId> Snowflake::next(std::int64_t now_ms) {
    const bool used_up = number_ == kSequenceMax;
    const std::int64_t ms = std::max(now_ms, used_up ? last_ms_ + 1 : last_ms_);
    if (now_ms < layout_.epoch_ms) return std::unexpected(NoId::before_epoch);
    if (ms - now_ms > kLeadMsMax) return std::unexpected(NoId::lead_used_up);
    if (ms > until_ms_) return std::unexpected(NoId::window_ended);
    if (ms > layout_.end_ms()) return std::unexpected(NoId::layout_ended);
    if (ms == last_ms_) return base_ | ++number_;
    last_ms_ = ms;
    number_ = first_number(ms);
    base_ = pack(layout_, {ms, machine_, 0});
    return base_ | number_;
}

// Never 0: the very first id of all would be 0, which is none.
unsigned Snowflake::first_number(std::int64_t ms) const {
    const std::uint64_t machine =
        (std::uint64_t{machine_.bucket} << layout_.worker_bits()) | machine_.worker;
    const auto seed = static_cast<std::uint64_t>(ms) | machine << (64 - kMachineBits);
    return 1 + static_cast<unsigned>(mixed(seed) % kFirstNumbers);
}

}  // namespace pawl::id
