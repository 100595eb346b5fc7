// SPDX-License-Identifier: Apache-2.0
// How much goes wrong. Each seed draws which kinds of faults its world has at all and how strong they are. Unit: one
// in a thousand, unless named.
#pragma once

#include "sim/outside/machine_dose.hpp"

namespace pawl::sim {

struct Dose : MachineDose {
    // between clients and nodes
    std::uint32_t request_lost = 0;
    std::uint32_t request_copied = 0;
    std::uint32_t answer_lost = 0;
    std::uint32_t answer_cut = 0;
    std::uint32_t client_leaves = 0;  // gives up for good at a time-out
    // between nodes and the upstream
    std::uint32_t connect_refused = 0;
    std::uint32_t connect_hangs = 0;
    std::uint32_t idle_dies = 0;    // the connection dies while the claim is made
    std::uint32_t dies_unsent = 0;  // proven: no byte of the request left
    std::uint32_t sent_lost = 0;
    std::uint32_t held_back = 0;  // lands after it was given up
    std::uint32_t queued = 0;     // lands after seconds, while it is still waited for
    std::uint32_t reply_lost = 0;
    // what the upstream does
    std::uint32_t refuses = 0;      // 4xx for good
    std::uint32_t refuses_now = 0;  // 401, 429, ...
    std::uint32_t fails = 0;        // 5xx without an effect
    std::uint32_t lies = 0;         // 5xx, reset, silence or garbage after the effect
    std::uint32_t slow = 0;         // answers after seconds
    std::uint32_t probe_fails = 0;
    std::chrono::milliseconds brown_out_every{0};  // of the upstream: most requests get no answer
    std::chrono::milliseconds brown_out_max{15'000};
    std::uint32_t person_forces = 0;  // of a person's words
};

// `shared`: several nodes use one store, which lives and dies on its own.
Dose draw_dose(Chance& chance, bool shared);
// Nothing goes wrong any more; things still take their time.
Dose calm_dose();

}  // namespace pawl::sim
