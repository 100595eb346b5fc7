// SPDX-License-Identifier: Apache-2.0
#include "sim/outside/dose.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

Dose calm_dose() {
    Dose dose;
    dose.store.delay_min = 200us;
    dose.store.delay_max = 2ms;
    return dose;
}

Dose draw_dose(Chance& chance, bool shared) {
    // Two of three kinds are there at all.
    const auto some = [&chance](std::uint32_t most) {
        return chance.hit(667) ? static_cast<std::uint32_t>(chance.between(1, most)) : 0;
    };
    const auto every = [&chance](std::chrono::milliseconds low, std::chrono::milliseconds high) {
        if (!chance.hit(667)) return 0ms;
        return std::chrono::milliseconds{chance.between(static_cast<std::uint64_t>(low.count()),
                                                        static_cast<std::uint64_t>(high.count()))};
    };
    Dose dose = calm_dose();
    dose.request_lost = some(40);
    dose.request_copied = some(60);
    dose.answer_lost = some(60);
    dose.answer_cut = some(30);
    dose.client_leaves = some(150);
    dose.connect_refused = some(40);
    dose.connect_hangs = some(10);
    dose.idle_dies = some(60);
    dose.dies_unsent = some(40);
    dose.sent_lost = some(30);
    dose.held_back = some(60);
    dose.queued = some(60);
    dose.reply_lost = some(40);
    dose.refuses = some(60);
    dose.refuses_now = some(60);
    dose.fails = some(60);
    dose.lies = some(80);
    dose.slow = some(120);
    dose.probe_fails = some(300);
    // One in a million.
    dose.store.refused = some(20) * 1'000;
    dose.store.busy_calls = some(3) * 1'000;
    dose.store.unknown_before = some(20) * 1'000;
    dose.store.unknown_after = some(20) * 1'000;
    dose.store.late = some(15) * 1'000;
    dose.store.delay_max = std::chrono::microseconds{chance.between(500, 20'000)};
    dose.store.late_max = 15'000ms;
    dose.crash_every = every(5'000ms, 40'000ms);
    dose.freeze_every = shared ? every(3'000ms, 20'000ms) : every(8'000ms, 40'000ms);
    dose.partition_every = shared ? every(3'000ms, 30'000ms) : 0ms;
    dose.outage_every = every(10'000ms, 60'000ms);
    dose.store_crash_every = shared ? every(10'000ms, 60'000ms) : 0ms;
    dose.brown_out_every = every(10'000ms, 40'000ms);
    dose.crash_aimed = 700;
    dose.person_forces = some(60);
    return dose;
}

}  // namespace pawl::sim
