// SPDX-License-Identifier: Apache-2.0
#include "net/http/head_scan.hpp"

namespace pawl::http {

HeadScan::Verdict HeadScan::look(std::string_view bytes) {
    constexpr std::size_t kNone = std::string_view::npos;
    while (seen_ < bytes.size()) {
        if (seen_ == line_ && line_ > 0 && !folding_allowed_ &&
            (bytes[line_] == ' ' || bytes[line_] == '\t'))
            return Verdict::folded;
        const std::size_t feed = bytes.find('\n', seen_);
        // The byte before `seen_` may be a carriage return that waits for its line feed.
        const std::size_t carriage =
            bytes.substr(0, feed).find('\r', seen_ > line_ ? seen_ - 1 : line_);
        if (feed == kNone) {
            seen_ = bytes.size();
            return carriage != kNone && carriage + 1 < bytes.size() ? Verdict::bare_line_end
                                                                    : Verdict::more;
        }
        if (carriage == kNone || carriage + 1 != feed) return Verdict::bare_line_end;
        const bool blank = carriage == line_;
        line_ = seen_ = feed + 1;
        if (blank) return Verdict::whole;
    }
    return Verdict::more;
}

}  // namespace pawl::http
