// SPDX-License-Identifier: Apache-2.0
// W3C trace context (level 1): the header `traceparent` in, and out with a span of our own.
#pragma once

#include <string>
#include <string_view>

#include "runtime/entropy/entropy.hpp"

namespace pawl::gateway {

struct Trace {
    std::string id;           // 32 hexadecimal digits
    std::string traceparent;  // what goes upstream
};

// Continues the caller's trace, or starts one where the header is absent or malformed.
Trace continue_trace(std::string_view traceparent, Entropy& entropy);

}  // namespace pawl::gateway
