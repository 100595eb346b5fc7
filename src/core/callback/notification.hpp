// SPDX-License-Identifier: Apache-2.0
// What a payment provider sent, as it came: the header lines in their order and the body's bytes. Signatures are over
// these bytes; nothing is decoded, normalised or printed again before one has been verified.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pawl::callback {

struct Header {
    std::string name;
    std::string value;
};

struct Notification {
    std::vector<Header> headers;
    std::string body;
};

// The one line of a name, whatever its case. Of two lines nobody knows which was verified by whom.
struct HeaderLine {
    enum class Found : unsigned char { once, never, repeated };
    Found found = Found::never;
    std::string_view value;  // of the notification; once: what stands there
};
HeaderLine header_line(const Notification& notification, std::string_view name);

}  // namespace pawl::callback
