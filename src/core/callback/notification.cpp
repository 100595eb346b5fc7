// SPDX-License-Identifier: Apache-2.0
#include "core/callback/notification.hpp"

#include "runtime/codec/text.hpp"

namespace pawl::callback {

HeaderLine header_line(const Notification& notification, std::string_view name) {
    using Found = HeaderLine::Found;
    HeaderLine line;
    for (const Header& header : notification.headers) {
        if (!equal_ignoring_case(header.name, name)) continue;
        line = {line.found == Found::never ? Found::once : Found::repeated, header.value};
    }
    return line;
}

}  // namespace pawl::callback
