// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_dose.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

ShopDose calm_shop_dose() {
    ShopDose dose;
    dose.store.delay_min = 200us;
    dose.store.delay_max = 2ms;
    return dose;
}

ShopDose draw_shop_dose(Chance& chance, bool shared) {
    DoseDrawing draw(chance);
    const auto some = [&draw](std::uint32_t most) { return draw.some(most); };
    ShopDose dose = calm_shop_dose();
    dose.request_lost = some(40);
    dose.request_copied = some(80);
    dose.answer_lost = some(60);
    dose.sender_leaves = some(150);
    dose.told_late = some(300);
    dose.told_again = some(500);
    dose.told_days_late = some(80);
    dose.strays = some(200);
    dose.wrong_amount = some(60);
    dose.paid_twice = some(200);
    dose.probe_unknown = some(400);
    dose.probe_hangs = some(60);
    dose.probe_nameless = some(120);
    dose.probe_late_max = std::chrono::milliseconds{chance.between(50, 6'000)};
    dose.refund_lost = some(150);
    dose.refund_refused = some(40);
    dose.refund_fails = some(200);
    dose.refund_lies = some(200);
    dose.event_lost = some(80);
    dose.event_refused = some(80);
    // One in a million.
    dose.store.refused = some(20) * 1'000;
    dose.store.busy_calls = some(3) * 1'000;
    dose.store.unknown_before = some(30) * 1'000;
    dose.store.unknown_after = some(30) * 1'000;
    dose.store.late = some(15) * 1'000;
    dose.store.delay_max = std::chrono::microseconds{chance.between(500, 20'000)};
    dose.store.late_max = 15'000ms;
    dose.crash_every = draw.every(3'000, 30'000);
    dose.freeze_every = draw.every(5'000, 30'000);
    dose.partition_every = shared ? draw.every(3'000, 30'000) : 0ms;
    dose.outage_every = draw.every(10'000, 60'000);
    dose.store_crash_every = shared ? draw.every(10'000, 60'000) : 0ms;
    dose.clock_step_every = draw.every(5'000, 40'000);
    dose.crash_aimed = 700;
    return dose;
}

}  // namespace pawl::sim
