// SPDX-License-Identifier: Apache-2.0
// How much goes wrong around the shop; as sim/outside/dose.hpp. Unit: one in a thousand, unless named.
#pragma once

#include "sim/outside/machine_dose.hpp"

namespace pawl::sim {

struct ShopDose : MachineDose {
    // between people and nodes
    std::uint32_t request_lost = 0;
    std::uint32_t request_copied = 0;
    std::uint32_t answer_lost = 0;
    std::uint32_t sender_leaves = 0;  // gives up for good at a time-out
    // the provider
    std::uint32_t told_late = 0;   // notifications that begin after tens of seconds
    std::uint32_t told_again = 0;  // though acknowledged, once more
    std::uint32_t told_days_late = 0;
    std::uint32_t strays = 0;  // beside a notification: one that is forged, misdirected, unreadable
    std::uint32_t wrong_amount = 0;
    std::uint32_t paid_twice = 0;
    std::uint32_t probe_unknown = 0;
    std::uint32_t probe_hangs = 0;     // answers nothing
    std::uint32_t probe_nameless = 0;  // says that it is paid, and not by which payment
    std::chrono::milliseconds probe_late_max{0};
    // the service that refunds, and who gets the outgoing events
    std::uint32_t refund_lost = 0;     // the call, or its answer
    std::uint32_t refund_refused = 0;  // for good: a person has to see to it
    std::uint32_t refund_fails = 0;    // 503 without an effect
    std::uint32_t refund_lies = 0;     // 500 after it
    std::uint32_t event_lost = 0;      // the event, or its answer
    std::uint32_t event_refused = 0;
    std::chrono::milliseconds clock_step_every{0};  // mean pause, 0: never
};

// `shared`: several nodes use one store, which lives and dies on its own.
ShopDose draw_shop_dose(Chance& chance, bool shared);
// Nothing goes wrong any more; things still take their time.
ShopDose calm_shop_dose();

}  // namespace pawl::sim
