// SPDX-License-Identifier: Apache-2.0
// All sinks of a process with their relays, on one loop that may wait for a disk.
#pragma once

#include <memory>
#include <vector>

#include "stream/relay.hpp"

namespace pawl::stream {

struct SinkPlan {
    RelaySetup setup;
    std::unique_ptr<Sink> sink;
};

class Relays {
  public:
    // `loop` and `outbox` outlive it. Names are each their own.
    Relays(Loop& loop, store::Outbox& outbox, std::vector<SinkPlan> plans);

    // Ends after stop(), when all have ended.
    Task<void> run();
    void stop();
    // Something was committed. From anywhere.
    void hint_from_anywhere();

    Loop& loop() { return loop_; }
    std::vector<std::string> names() const;
    // On the loop. nullptr: there is no such sink.
    Relay* find(std::string_view name);
    // Read from anywhere. Precondition: the name is one of names().
    const RelayFigures& figures(std::string_view name) const;

  private:
    struct One {
        std::unique_ptr<Sink> sink;
        RelayFigures figures;
        std::unique_ptr<Relay> relay;
    };

    const One* one(std::string_view name) const;

    Loop& loop_;
    std::vector<std::unique_ptr<One>> all_;
};

}  // namespace pawl::stream
