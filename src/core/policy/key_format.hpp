// SPDX-License-Identifier: Apache-2.0
// A route's own rule for its keys: an ECMAScript regular expression which the whole key must match. Matched
// breadth first, so that no key, however chosen, takes more than time proportional to its length times the
// size of the expression; back-references cannot be had that way and are refused.
#pragma once

#include <cstddef>
#include <memory>
#include <regex>
#include <string>
#include <string_view>

#include "runtime/result/result.hpp"

namespace pawl::policy {

inline constexpr std::size_t kKeyFormatLengthMax = 200;

class KeyFormat {
  public:
    // An empty expression takes every key. Errors: config_invalid.
    static Result<KeyFormat> parse(std::string_view expression);

    bool takes(std::string_view key) const;

  private:
    // Shared by the loops' copies of a route: immutable, and large.
    std::shared_ptr<const std::regex> regex_;
};

}  // namespace pawl::policy
