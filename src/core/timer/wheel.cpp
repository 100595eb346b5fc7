// SPDX-License-Identifier: Apache-2.0
#include "core/timer/wheel.hpp"

#include <algorithm>
#include <limits>

namespace pawl::timer {
namespace {

constexpr std::int64_t tick_of(std::int64_t ms) { return ms < 0 ? 0 : ms / kWheelTickMs; }

}  // namespace

Wheel::Wheel(std::int64_t now_ms, std::size_t entries_max)
    : slots_(kWheelSlots), tick_(tick_of(now_ms)), entries_max_(entries_max) {}

Wheel::Added Wheel::add(Entry entry) {
    const std::int64_t tick = std::max(tick_, tick_of(entry.due_ms));
    if (tick - tick_ >= static_cast<std::int64_t>(kWheelSlots)) return Added::too_far;
    if (size_ >= entries_max_) return Added::full;
    slot(tick).push_back(entry);
    ++size_;
    return Added::taken;
}

std::vector<Wheel::Entry> Wheel::due(std::int64_t now_ms, std::size_t most) {
    std::vector<Entry> out;
    const std::int64_t now_tick = tick_of(now_ms);
    while (tick_ <= now_tick && size_ > 0) {
        std::vector<Entry>& entries = slot(tick_);
        const auto is_later = [&](const Entry& one) { return one.due_ms > now_ms; };
        const auto first_due = std::partition(entries.begin(), entries.end(), is_later);
        const auto room = static_cast<std::ptrdiff_t>(most - out.size());
        const auto from = entries.end() - std::min(room, entries.end() - first_due);
        const bool all = from == first_due;
        out.insert(out.end(), from, entries.end());
        size_ -= static_cast<std::size_t>(entries.end() - from);
        entries.erase(from, entries.end());
        if (entries.empty()) std::vector<Entry>().swap(entries);
        if (!all || tick_ == now_tick) return out;
        ++tick_;
    }
    if (size_ == 0) tick_ = std::max(tick_, now_tick);
    return out;
}

std::int64_t Wheel::next_ms() const {
    if (size_ == 0) return std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = 0; i < kWheelSlots; ++i) {
        const std::int64_t tick = tick_ + static_cast<std::int64_t>(i);
        const auto& entries = slots_[static_cast<std::size_t>(tick) % kWheelSlots];
        if (!entries.empty()) return std::ranges::min(entries, {}, &Entry::due_ms).due_ms;
    }
    return std::numeric_limits<std::int64_t>::max();
}

}  // namespace pawl::timer
