// SPDX-License-Identifier: Apache-2.0
// What the engine tells people beside its figures. Log lines, metrics and alarms are other people's business.
#pragma once

#include "core/timer/pace.hpp"
#include "engine/sent.hpp"

namespace pawl::engine {

class Observer {
  public:
    virtual ~Observer() = default;
    // Called on the engine's loop; must not block.
    virtual void decided(const Sent&, const Outcome&) {}
    // `flow.contended`: at most once a minute of one entity.
    virtual void contended(const store::FlowSubject&) {}
    // Rows contradict each other; nothing was written.
    virtual void unsound(const store::FlowSubject&) {}
    // Due deadlines are fired slowly now, and why.
    virtual void paced(const timer::Plan&) {}
};

}  // namespace pawl::engine
