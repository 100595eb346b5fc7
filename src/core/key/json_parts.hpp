// SPDX-License-Identifier: Apache-2.0
// One level of a JSON text taken apart: the members of an object, the elements of an array. For readers that
// have to know every member, those too that nobody asked for. As strict as canonical_json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/key/json.hpp"

namespace pawl::key {

struct JsonMember {
    std::string name;
    JsonValue value;  // composite: its text as it stands, to be taken apart in its turn
};

// In the order of the text. Errors: request_invalid, with the byte offset, or that it is no object.
Result<std::vector<JsonMember>> json_members(std::string_view text);
// Errors: as above; it is no array.
Result<std::vector<JsonValue>> json_elements(std::string_view text);

}  // namespace pawl::key
