// SPDX-License-Identifier: Apache-2.0
// The way to an upstream for one question of Pawl's own: a probe, whether a request is permitted, or the reading
// of what an operation made.
#pragma once

#include "effect/effect.hpp"
#include "net/http/message.hpp"
#include "net/http/service.hpp"
#include "runtime/task/task.hpp"

namespace pawl::gateway {

// No automatic retry.
class Asker {
  public:
    virtual ~Asker() = default;
    virtual Task<effect::Found> ask(http::Target target, http::Request request,
                                    MonotonicTime give_up) = 0;
};

}  // namespace pawl::gateway
