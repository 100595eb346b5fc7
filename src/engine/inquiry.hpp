// SPDX-License-Identifier: Apache-2.0
// A flow's probe, carried out: asks a service whether a thing has happened. No automatic retry; whoever asks
// decides what an answer that settles nothing means.
#pragma once

#include "core/flow/definition.hpp"
#include "core/flow/entity.hpp"
#include "core/flow/event.hpp"
#include "runtime/clock/clock.hpp"
#include "runtime/task/task.hpp"

namespace pawl::engine {

struct Finding {
    flow::Probed probed = flow::Probed::unknown;  // paid, unpaid, unknown; never not_yet
    flow::Given facts{};                          // paid: what the probe's `facts` name
};

class Inquiry {
  public:
    virtual ~Inquiry() = default;
    // Ends by `give_up`, with `unknown` at the latest then.
    virtual Task<Finding> ask(flow::Probe probe, flow::Entity entity, MonotonicTime give_up) = 0;
};

}  // namespace pawl::engine
