// SPDX-License-Identifier: Apache-2.0
// Text of somebody else's, for one line of a terminal or a log: it moves no cursor and begins no line.
#pragma once

#include <string>
#include <string_view>

namespace pawl {

// Controls, and characters that nobody sees, as \xNN or \uNNNN; other UTF-8 stays.
std::string visible(std::string_view text);

}  // namespace pawl
