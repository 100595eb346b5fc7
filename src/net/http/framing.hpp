// SPDX-License-Identifier: Apache-2.0
// The lines of a head that say where the message ends, and the rules on which Beast is lax. A message that
// two readers could frame differently is refused, never mended (RFC 9112, 6.3; request smuggling).
#pragma once

#include <string_view>

#include "net/http/reader.hpp"

namespace pawl::http {

struct FramingLines {
    int hosts = 0;
    int content_lengths = 0;
    int transfer_encodings = 0;
    bool host_valid = true;
    bool length_valid = true;
    bool only_chunked = true;
    bool expects_continue = false;
};

// Status 0: none. A request target in absolute form is turned into origin form, its authority into Host.
Flaw flaw_in(RequestHead& head, const FramingLines& lines);
Flaw flaw_in(const ResponseHead& head, const FramingLines& lines);

bool is_token_char(char c);
// host [":" port] of RFC 3986, or nothing. Loosely: a host is what cannot be read as a path, a list or user
// information; a port has digits alone, and a colon stands before it or in an IP literal's brackets.
bool is_valid_host(std::string_view value);
bool is_number(std::string_view value);
bool is_chunked(std::string_view value);
bool is_continue(std::string_view value);

}  // namespace pawl::http
