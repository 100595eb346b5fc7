// SPDX-License-Identifier: Apache-2.0
// Assertions that stay on in release. They judge our own reasoning, never what a client, an upstream or a
// store can cause: such a condition is an Error.
#pragma once

namespace pawl {

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace pawl

#define PAWL_ASSERT(expression)              \
    (static_cast<bool>(expression) ? void(0) \
                                   : ::pawl::assertion_failed(#expression, __FILE__, __LINE__))
