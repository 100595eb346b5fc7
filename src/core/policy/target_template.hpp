// SPDX-License-Identifier: Apache-2.0
// A request target in which `{names}` stand for what is known later, as a configuration writes it. Cut here, so that
// all that are written read alike; what a name means is said by who uses it (settle_request.hpp,
// read_request.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/result/result.hpp"

namespace pawl::policy {

struct TargetPiece {
    bool is_placeholder = false;
    std::string
        text;  // a placeholder: with its braces, the closing one missing where the target ends before it
};

// True for what may stand in a target that is sent (RFC 9112, 3.2): no blank, no control byte, no fragment.
constexpr bool is_target_character(char c) { return c > 0x20 && c < 0x7f && c != '#'; }

// Shape: no text is empty, and none follows another. Errors: config_invalid; the text says what cannot be sent.
Result<std::vector<TargetPiece>> cut_target(std::string_view target);

}  // namespace pawl::policy
