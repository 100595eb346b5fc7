// SPDX-License-Identifier: Apache-2.0
// A function of the embedding program as an effect. Two ways to call it: on the thread that called run(),
// which waits at a rendezvous until the engine's loop asks for it, or as a coroutine on the caller's
// executor. Either way the engine's loop never runs foreign code.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

#include <boost/asio/any_io_executor.hpp>

#include "effect/effect.hpp"
#include "gateway/operation.hpp"
#include "pawl/engine.hpp"
#include "runtime/task/promise.hpp"

namespace pawl::library {

// Where the calling thread waits. The loop asks for the effect at most once, and ends the wait once.
class Rendezvous {
  public:
    using EndedPtr = std::shared_ptr<const gateway::Ended>;

    // On the calling thread: calls `effect` when asked for, returns how it ended.
    EndedPtr wait(const EffectFunction& effect);
    // On the loop.
    void ask(Attempt attempt, std::move_only_function<void(Effected)> answer);
    void finish(EndedPtr ended);
    bool was_asked() const;

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Attempt> asked_;
    bool was_asked_ = false;
    std::move_only_function<void(Effected)> answer_;
    EndedPtr ended_;
};

// Shared by the thread that waits and the attempt, which may outlive the call.
std::unique_ptr<effect::Effect> effect_on_thread(Loop& loop,
                                                 std::shared_ptr<Rendezvous> rendezvous);
std::unique_ptr<effect::Effect> effect_on_executor(boost::asio::any_io_executor executor,
                                                   EffectCoroutine effect);

}  // namespace pawl::library
