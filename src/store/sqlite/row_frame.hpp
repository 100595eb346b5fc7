// SPDX-License-Identifier: Apache-2.0
// A row as it lies in its table: found and judged for cleaning without being decoded, and with room to grow,
// so that a completion writes over its claim instead of moving its neighbours.
//
//   frame = identity:32 keep_until:8 size:4 row:size room       integers lowest byte first
//
// keep_until: store time from which the row may go; kStays while it is unresolved or kept for ever.
#pragma once

#include <limits>

#include "core/record/row_format.hpp"

namespace pawl::sqlite {

inline constexpr std::int64_t kStays = std::numeric_limits<std::int64_t>::max();
inline constexpr std::size_t kFrameHead = 44;
// What a completion adds to a claim's row.
inline constexpr std::size_t kRoomToGrow = 72;

struct FrameHead {
    std::int64_t keep_until_ms = kStays;
};

// `size_now`: of the frame it is written over, 0 for none; that size is kept when it suffices.
std::string frame_of(const record::Row& row, std::size_t size_now);
// nullopt for what is no frame. Not covered by the row's sum: a hint.
std::optional<FrameHead> head_of(std::string_view frame);
// nullopt: it cannot be read, and is uncertain (protocol rule 14).
std::optional<record::Row> row_in(std::string_view frame);
// Whose a frame may be that cannot be read: head and row each name an identity, and either may be damaged.
// Empty: nobody can tell.
std::vector<Digest> bearers_of(std::string_view frame);

}  // namespace pawl::sqlite
