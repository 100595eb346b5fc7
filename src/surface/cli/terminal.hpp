// SPDX-License-Identifier: Apache-2.0
// Text for people: colour only where a terminal shows it, and never a control character that came from
// somebody else, so that a key cannot move the cursor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/codec/visible.hpp"

namespace pawl::cli {

struct Paint {
    bool colour = false;

    std::string strong(std::string_view text) const { return wrapped("1", text); }
    std::string faint(std::string_view text) const { return wrapped("2", text); }
    std::string good(std::string_view text) const { return wrapped("32", text); }
    std::string warn(std::string_view text) const { return wrapped("33", text); }
    std::string bad(std::string_view text) const { return wrapped("31", text); }

  private:
    std::string wrapped(std::string_view code, std::string_view text) const;
};

// Whether this file descriptor is a terminal that wants colour (NO_COLOR unset).
bool wants_colour(int file_descriptor);

using pawl::visible;
// The same, but line breaks stay.
std::string visible_lines(std::string_view text);

// Width in columns, taken as one per UTF-8 character.
std::size_t width_of(std::string_view text);

// Rows of cells, columns as wide as their widest cell, two spaces between them; the last one is not padded.
// The first row is the heading.
std::string table(const std::vector<std::vector<std::string>>& rows, const Paint& paint);

}  // namespace pawl::cli
