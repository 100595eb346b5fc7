// SPDX-License-Identifier: Apache-2.0
// Somebody who looks on while a request is relayed. It is told and never asked: nothing waits for it, and what it
// sees is not changed.
#pragma once

#include <string_view>

#include "net/http/message.hpp"

namespace pawl::http {

class RelayWatcher {
  public:
    virtual ~RelayWatcher() = default;
    // The body's bytes as they go up, in order, without their framing.
    virtual void body(std::string_view piece) = 0;
    // At most once. `whole`: the body went up to its end. `status`: of the upstream's answer, 0 for none that could be
    // read. Not called: the client left before there was one.
    virtual void ended(bool whole, int status, const Headers& answer) = 0;
};

}  // namespace pawl::http
