// SPDX-License-Identifier: Apache-2.0
// Whatever fails and however often the process dies: once it ends, every event was delivered (O1), in the order of its
// entity (O3), and nothing was passed by. What comes twice has the same id.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "stream/outbox_fixture.hpp"
#include "stream/relay.hpp"

namespace pawl::stream {
namespace {

using namespace std::chrono_literals;
using Kind = Delivered::Kind;
using Fault = OutboxInMemory::Fault;

constexpr int kLives = 4;

std::uint64_t version_of(const Event& event, const OutboxInMemory& outbox) {
    return outbox.rows[event.number - 1].history.version;
}

RC_GTEST_PROP(RelayProperty, EveryEventArrivesInTheOrderOfItsEntity, ()) {
    SeededEntropy chance(*rc::gen::arbitrary<std::uint64_t>());
    const std::uint64_t trouble = *rc::gen::inRange<std::uint64_t>(0, 60);  // of a hundred calls
    const auto entities = *rc::gen::inRange<std::uint64_t>(1, 8);
    HandClock store_clock;
    OutboxInMemory outbox(store_clock);
    RelayFigures figures;
    std::vector<Event> accepted;
    bool faults = true;
    const auto strikes = [&] { return faults && chance.below(100) < trouble; };
    outbox.fault = [&] {
        if (!strikes()) return Fault::none;
        return chance.below(2) == 0 ? Fault::before : Fault::after;
    };
    for (int life = 0; life < kLives; ++life) {
        faults = life < kLives - 1;
        HandLoop hand(chance.number());
        hand.clock.now = store_clock.now;
        ScriptedSink sink(hand.loop);
        sink.batch = 1 + chance.below(3);
        sink.takes = std::chrono::milliseconds(chance.below(50));
        sink.script = [&](const Event&) {
            if (!strikes()) return Delivered{};
            constexpr Kind kKinds[] = {Kind::refused, Kind::failed, Kind::away};
            return Delivered{kKinds[chance.below(3)], "no"};
        };
        Relay relay(hand.loop, outbox, sink, {.sink = "shop", .limits = {.tries_max = 1'000}},
                    figures);
        TaskGroup group(hand.loop);
        group.spawn(relay.run());
        const std::uint64_t steps = faults ? chance.below(200) : 3'000;
        for (std::uint64_t step = 0; step < steps; ++step) {
            if (faults) outbox.add(std::to_string(chance.below(entities)));
            if (chance.below(2) == 0) relay.hint();
            hand.run_for(faults ? std::chrono::milliseconds(chance.below(40)) : 100ms);
            store_clock.now = hand.clock.now;
        }
        accepted.insert(accepted.end(), sink.accepted.begin(), sink.accepted.end());
    }  // the process dies here, whatever was under way

    std::map<std::string, std::uint64_t> last;
    std::map<std::uint64_t, std::string> ids;
    for (const Event& event : accepted) {
        const std::uint64_t version = version_of(event, outbox);
        RC_ASSERT(version == last[event.entity] || version == last[event.entity] + 1);
        last[event.entity] = version;
        RC_ASSERT(ids.try_emplace(event.number, event.id).first->second == event.id);
    }
    RC_ASSERT(ids.size() == outbox.rows.size());
    RC_ASSERT(outbox.sent.size() == outbox.rows.size());
    RC_ASSERT(outbox.parked_rows.empty());
}

}  // namespace
}  // namespace pawl::stream
