// SPDX-License-Identifier: Apache-2.0
// Tells a damaged write-ahead log from one whose last commit was cut short. SQLite takes the first frame that
// does not fit its checksum for the torn end of the log and drops whatever stands behind it: right after a loss
// of power, and the silent loss of acknowledged work when a bit has flipped. Decision 0011 has the argument:
//
//   the index beside the log   a frame that it counts was synced before it was counted: it must be readable
//   the log alone              one commit at most is unsynced at any time, so that two commits from the first
//                              unreadable frame on prove that the earlier of them was acknowledged
//   the log's head             is synced before the first frame is written: frames need one
//
// Format: sqlite.org/walformat.html; both files are read, neither is written.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace pawl::sqlite {

inline constexpr std::size_t kLogHead = 32;
inline constexpr std::size_t kFrameHeadInLog = 24;
// What is read of the index beside the log: its head twice, and how far the log is folded in.
inline constexpr std::size_t kLogIndexHead = 136;

// What the index says: so many frames of the log with these salts are on the disk.
struct LogIndex {
    std::array<char, 8> salts{};
    std::uint32_t frames = 0;
    std::uint32_t folded = 0;  // of them are in the store's file, too
};
// nullopt: it says nothing that can be relied on.
std::optional<LogIndex> log_index_in(std::string_view bytes);

struct LogDamage {
    std::uint64_t frame = 0;  // the first that cannot be read, from 1; 0: the head of the log
    bool all_folded = false;  // the store's file holds everything
};

// Fills `out` from `offset` on; fewer bytes than asked for: the log ends there.
using ReadLog = std::function<std::size_t(std::uint64_t offset, std::span<char> out)>;

// nullopt: whatever SQLite will drop was never acknowledged.
std::optional<LogDamage> damage_in(const ReadLog& log, const std::optional<LogIndex>& index);

}  // namespace pawl::sqlite
