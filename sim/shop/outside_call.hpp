// SPDX-License-Identifier: Apache-2.0
// A call from a node to somebody outside: there, an answer, and back, with the call or the answer lost on the way. The
// caller's coroutine alone owns what it waits on; who answers finds it gone with its node.
#pragma once

#include "runtime/task/promise.hpp"
#include "sim/world/world.hpp"

namespace pawl::sim {

// `Callee` has way(), how long one way takes; is_lost(), drawn for each way; and outlives the world's run.
// `serve` is called where the call arrives; nullopt: no answer.
template <class Answer, class Callee, class Serve>
Task<std::optional<Answer>> call_outside(World& world, Loop& from, Callee& callee, Serve serve,
                                         MonotonicTime give_up) {
    const auto heard = std::make_shared<pawl::Promise<Answer>>(from);
    if (!callee.is_lost())
        world.after(callee.way(), [&world, &callee, what = std::move(serve),
                                   slot = std::weak_ptr(heard)]() mutable {
            std::optional<Answer> word = what();
            if (!word || callee.is_lost()) return;
            world.after(callee.way(), [slot, said = *std::move(word)] {
                if (const auto waits = slot.lock()) waits->set(said);
            });
        });
    co_return co_await heard->wait(give_up);
}

}  // namespace pawl::sim
