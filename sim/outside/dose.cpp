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
    DoseDrawing draw(chance);
    const auto some = [&draw](std::uint32_t most) { return draw.some(most); };
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
    dose.crash_every = draw.every(5'000, 40'000);
    dose.freeze_every = shared ? draw.every(3'000, 20'000) : draw.every(8'000, 40'000);
    dose.partition_every = shared ? draw.every(3'000, 30'000) : 0ms;
    dose.outage_every = draw.every(10'000, 60'000);
    dose.store_crash_every = shared ? draw.every(10'000, 60'000) : 0ms;
    dose.brown_out_every = draw.every(10'000, 40'000);
    dose.crash_aimed = 700;
    dose.person_forces = some(60);
    return dose;
}

}  // namespace pawl::sim
