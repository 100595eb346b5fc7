// SPDX-License-Identifier: Apache-2.0
// A short code behind an id, 1234567890123-7K3QZ, by which an id that was mistyped is known before anybody's order is
// shown or moved: the first 25 bits of a SHA-256 over configured fields and the id, in base 32 without the letters
// that are taken for digits (I L O) or for V (U). Over the whole id, not only over the creation time in it, or its
// last seven digits could be mistyped into those of a neighbour. No secret: who knows the fields can make it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/id/id.hpp"

namespace pawl::id {

inline constexpr std::size_t kCheckCodeLength = 5;

std::string check_code(std::span<const std::string> fields, Id id);

// "ID-CODE".
std::string to_checked_text(Id id, std::span<const std::string> fields);

// As somebody wrote it: the id alone, or with a code behind it.
struct WrittenId {
    Id id = 0;
    std::string code{};  // in the characters that codes are made of; empty: none was written
    bool operator==(const WrittenId&) const = default;
};

// Small letters are read as large ones, I and L as 1, O as 0: none of these stands in a code that was made.
// Errors: request_invalid, not of the form.
Result<WrittenId> parse_written_id(std::string_view text);

// The code that was written is this id's, over these fields. False where none was.
bool fits(const WrittenId& written, std::span<const std::string> fields);

}  // namespace pawl::id
