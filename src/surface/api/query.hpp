// SPDX-License-Identifier: Apache-2.0
// The target of a request to the admin port, taken apart: path and decoded parameters. A plus sign is a
// plus sign, because keys hold them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/result/result.hpp"

namespace pawl::api {

struct Query {
    std::string path;
    std::vector<std::pair<std::string, std::string>> parameters;

    // The first of this name.
    std::optional<std::string> parameter(std::string_view name) const;
};

// Errors: request_invalid.
Result<Query> parse_query(std::string_view target);

// One parameter's value as it is written into a target.
std::string percent_encoded(std::string_view value);

// A parameter that is a whole number, `otherwise` where it is not given. Errors: request_invalid.
Result<std::int64_t> number_in(const Query& query, std::string_view name, std::int64_t otherwise,
                               std::int64_t least = 0);
// One that is true or false, and false where it is not given. Errors: request_invalid.
Result<bool> flag_in(const Query& query, std::string_view name);

}  // namespace pawl::api
