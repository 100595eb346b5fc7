// SPDX-License-Identifier: Apache-2.0
#include "engine/parking.hpp"

#include <algorithm>

#include "runtime/plant/planted.hpp"

namespace pawl::engine {
namespace {

constexpr std::chrono::seconds kPagePatience{30};

}  // namespace

bool is_tried_between(std::int64_t since_ms, std::int64_t after_ms, std::int64_t until_ms) {
    std::int64_t pause_ms = kParkedBase.count();
    std::int64_t at_ms = since_ms + pause_ms;
    while (pause_ms < kParkedCap.count()) {
        if (at_ms > until_ms) return false;
        if (at_ms > after_ms) return true;
        pause_ms = std::min(pause_ms * 2, std::int64_t{kParkedCap.count()});
        at_ms += pause_ms;
    }
    if (at_ms > until_ms) return false;
    if (at_ms > after_ms) return true;
    return (until_ms - at_ms) / pause_ms > (after_ms - at_ms) / pause_ms;
}

Parking::Parking(Loop& loop, store::Flows& flows, Committer& committer)
    : loop_(loop), flows_(flows), committer_(committer), sending_(loop), running_(loop) {}

void Parking::start() { running_.spawn(run()); }

Task<bool> Parking::end(MonotonicTime deadline) {
    ended_ = true;
    loop_.wake(std::exchange(resting_, {}), true);
    const bool sent = co_await sending_.drain(deadline);
    co_return co_await running_.drain(deadline) && sent;
}

Task<void> Parking::run() {
    while (!ended_) {
        co_await pass();
        if (ended_) break;
        // Many that wait are read as seldom as they are many.
        const auto pause =
            kParkingPassEvery * static_cast<std::int64_t>(1 + figures_.waiting / kParkedFew);
        co_await loop_.park(loop_.now() + pause, [this](ParkId id) { resting_ = id; });
    }
}

Task<void> Parking::pass() {
    const Result<store::Loaded> clock = co_await flows_.load({});
    if (!clock) {
        ++figures_.failed;
        co_return;
    }
    const std::int64_t now_ms = clock->now_ms;
    std::uint64_t after = 0;
    std::uint64_t seen = 0;
    while (!ended_) {
        const Result<std::vector<store::WaitingEntry>> page =
            co_await flows_.waiting(after, kParkingPage);
        if (!page) {
            ++figures_.failed;
            co_return;  // the next pass tries what this one did not come to
        }
        for (const store::WaitingEntry& entry : *page) {
            after = entry.number;
            ++seen;
            const bool is_over = now_ms >= entry.fact.until_ms;
            if (is_over || is_tried_between(entry.fact.event.now_ms, passed_ms_, now_ms))
                sending_.spawn(send_again(entry, now_ms));
        }
        co_await sending_.drain(loop_.now() + kPagePatience);
        if (page->size() < kParkingPage) break;
    }
    figures_.waiting = seen;
    ++figures_.passes;
    passed_ms_ = now_ms;
}

Task<void> Parking::send_again(store::WaitingEntry entry, std::int64_t now_ms) {
    Sent sent{.subject = entry.subject, .event = entry.fact.event};
    sent.settles = entry.fact;
    ++figures_.sent;
    const Result<Outcome> outcome = co_await committer_.send(std::move(sent));
    const bool unserved = !outcome && outcome.error().code == Code::not_found;
    if (!outcome && !unserved) ++figures_.failed;
    const bool still_waits = unserved || (outcome && outcome->told == Told::parked);
    if (!still_waits || now_ms < entry.fact.until_ms) co_return;
    if (is_planted(Plant::waits_for_ever)) co_return;
    const Result<Outcome> given_up = co_await committer_.give_up(std::move(entry));
    if (given_up && given_up->told == Told::attention) ++figures_.given_up;
    if (!given_up) ++figures_.failed;
}

}  // namespace pawl::engine
