// SPDX-License-Identifier: Apache-2.0
// A short code behind an id, 1234567890123-7K3QZ, by which a mistyped or guessed id is known before anything is
// looked up: the first 25 bits of a SHA-256 over configured fields and the id's creation time, in base 32 without
// the letters that are taken for digits (I L O) or for V (U). No secret: who knows the fields can make it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/id/layout.hpp"

namespace pawl::id {

inline constexpr std::size_t kCheckCodeLength = 5;

// Unit: `created_ms` since 1970.
std::string check_code(std::span<const std::string> fields, std::int64_t created_ms);

// "ID-CODE".
std::string to_checked_text(Id id, const Layout& layout, std::span<const std::string> fields);

// Letters of the code may be small. Errors: request_invalid, not of the form; not_found, the code is another id's or
// other fields'.
Result<Id> parse_checked_id(std::string_view text, const Layout& layout,
                            std::span<const std::string> fields);

}  // namespace pawl::id
