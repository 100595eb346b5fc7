// SPDX-License-Identifier: Apache-2.0
// Finds the end of a message's head in raw bytes and refuses what parsers disagree about (RFC 9112, 2.2 and
// 5.2): a line feed or carriage return on its own, and a folded line in a request. It looks at each byte once
// although the head may come in pieces, and says no at the first wrong line rather than at a time-out.
#pragma once

#include <cstddef>
#include <string_view>

namespace pawl::http {

class HeadScan {
  public:
    enum class Verdict { more, whole, bare_line_end, folded };

    explicit HeadScan(bool folding_allowed) : folding_allowed_(folding_allowed) {}

    // `bytes`: the message from its first byte; each call with the same bytes and perhaps more.
    Verdict look(std::string_view bytes);
    // Of the head with its blank line, after `whole`.
    std::size_t length() const { return line_; }

  private:
    bool folding_allowed_;
    std::size_t line_ = 0;  // where the present line begins
    std::size_t seen_ = 0;  // no line feed before this
};

}  // namespace pawl::http
