// SPDX-License-Identifier: Apache-2.0
// A hashed wheel (Varghese and Lauck) over the next minutes: slots of one tick each, entries thrown into the
// slot of their due time. It is a hint and never the truth: what it forgets (too far away, no room, another
// process's) the next sweep of the store finds, and what it says is due is judged by the row. A renewal
// leaves the old entry behind, which then finds nothing due. Nothing comes out before its time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pawl::timer {

inline constexpr std::int64_t kWheelTickMs = 100;
inline constexpr std::size_t kWheelSlots = 4096;            // 6 min 49 s
inline constexpr std::size_t kWheelEntriesMax = 1'000'000;  // 16 bytes each

class Wheel {
  public:
    struct Entry {
        std::uint64_t entity = 0;
        std::int64_t due_ms = 0;
        bool operator==(const Entry&) const = default;
    };
    enum class Added : std::uint8_t { taken, too_far, full };

    // Begins at a time, by the same clock as all that is added.
    explicit Wheel(std::int64_t now_ms, std::size_t entries_max = kWheelEntriesMax);

    Added add(Entry entry);

    // Takes out what is due, at most `most`; the rest comes with the next call. A clock that was set back
    // gives nothing until it has caught up.
    std::vector<Entry> due(std::int64_t now_ms, std::size_t most);

    // No time before this one has an entry: when to look again.
    std::int64_t next_ms() const;
    std::size_t size() const { return size_; }

  private:
    std::vector<Entry>& slot(std::int64_t tick) {
        return slots_[static_cast<std::size_t>(tick) % kWheelSlots];
    }

    std::vector<std::vector<Entry>> slots_;
    std::int64_t tick_;  // of the first slot that may hold something
    std::size_t size_ = 0;
    std::size_t entries_max_;
};

}  // namespace pawl::timer
