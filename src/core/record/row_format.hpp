// SPDX-License-Identifier: Apache-2.0
// Rows and answers as bytes, the same on every store. The first byte is the format's number. Grammar at the
// head of row_format.cpp and in docs/row_format.md.
#pragma once

#include "core/record/row.hpp"
#include "runtime/result/result.hpp"

namespace pawl::record {

inline constexpr std::uint8_t kRowFormat = 2;
inline constexpr std::uint8_t kAnswerFormat = 1;

std::string encode(const Row& row);
// Errors: store_newer for a format above ours, store_corrupt for anything unreadable. The caller treats
// both as an uncertain record (protocol rule 14).
Result<Row> decode_row(std::string_view bytes);

// Where a stored row says whose it is, without a look at its sum: of one that cannot be read. Empty: nowhere.
std::string_view identity_bytes(std::string_view bytes);

std::string encode(const Answer& answer);
Result<Answer> decode_answer(std::string_view bytes);

// What stands for a row that cannot be read: uncertain, with the identity and nothing else, kept for ever.
// Only a settlement that names fence 0 ends it.
Row unreadable_row(const Digest& identity);

}  // namespace pawl::record
