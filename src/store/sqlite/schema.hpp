// SPDX-License-Identifier: Apache-2.0
// The schema in numbered steps (schema/NNNN_name.sql), applied in one transaction each. The number stands
// in the file's user_version and the mark of whose file it is in its application_id; a file of a newer
// schema is left alone.
#pragma once

#include <span>
#include <string_view>

#include "runtime/result/result.hpp"
#include "store/sqlite/connection.hpp"

namespace pawl::sqlite {

inline constexpr std::int64_t kApplicationId = 0x5041574C;  // "PAWL"

struct SchemaStep {
    int number = 0;
    std::string_view sql;
};

// In order, beginning with 1.
std::span<const SchemaStep> schema_steps();

// Errors: store_newer; store_corrupt for a file that belongs to another program; what the disk says.
Status bring_up_to_date(Connection& connection);

}  // namespace pawl::sqlite
