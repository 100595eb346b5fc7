// SPDX-License-Identifier: Apache-2.0
// A Snowflake id and how it is written: 63 bits, always as a text, because a number beyond 2^53 that passes
// through somebody's double arrives as its neighbour. Read are texts, and numbers that no double can have printed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/key/json.hpp"
#include "runtime/result/result.hpp"

namespace pawl::id {

using Id = std::int64_t;  // above 0

std::string to_text(Id id);

// Decimal digits without sign, blanks or zeros in front. Errors: request_invalid.
Result<Id> parse_id(std::string_view text);

// As a client's JSON gives it. A number from 2^53 on is refused when it is a double's exact value or its shortest
// spelling with zeros behind (what JavaScript prints): it may have been another id before. Errors: request_invalid.
Result<Id> id_in_json(const key::JsonValue& value);

}  // namespace pawl::id
