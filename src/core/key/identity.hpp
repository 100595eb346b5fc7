// SPDX-License-Identifier: Apache-2.0
// From parts to names: the identity of an operation, the key its upstream sees, and the natural key that
// stops double clicks which carry different keys or none. Every hash is over length-prefixed parts under a
// tag of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/codec/digest.hpp"

namespace pawl::key {

struct Scope {
    std::string tenant;
    std::string caller;     // authenticated; empty only where the route is open
    std::string operation;  // the route's stable name; profiles may put the path here
};

Digest identity(const Scope& scope, std::string_view key);

// Equal for all attempts of one operation and stamp. `stamp` is the canonical stamp, empty when unstamped.
Digest derived_key(const Digest& identity, std::string_view stamp);

// Identity from business parts ("biz type", "biz id", ...), each byte-exact.
Digest derived_identity(const Scope& scope, const std::vector<std::string>& parts);

}  // namespace pawl::key
