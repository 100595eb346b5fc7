// SPDX-License-Identifier: Apache-2.0
#include "sim/outside/wire.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;
using effect::Found;
using effect::Kind;

namespace {

Found no_answer(std::string cause) {
    Found found;
    found.kind = Kind::no_answer;
    found.error = {Code::unknown, "The upstream gave no answer.", std::move(cause), "upstream"};
    return found;
}

}  // namespace

Found Wire::found_of(Reaction reaction) {
    if (reaction.manner != Reaction::Manner::answer)
        return no_answer(reaction.manner == Reaction::Manner::garbage ? "unreadable" : "reset");
    Found found;
    found.kind = Kind::answered;
    found.answer = std::move(reaction.answer);
    found.declared = reaction.declared;
    return found;
}

void Wire::send(Sending sending, const std::shared_ptr<Slot>& slot) {
    const Arrival& arrival = sending.arrival;
    if (chance_.hit(dose_.dies_unsent)) {
        world_.trace().tell("unsent", arrival.exchange, arrival.fence.number, "request {} fence {}",
                            arrival.exchange, arrival.fence.number);
        Found found;
        found.kind = Kind::not_sent;
        found.error = {Code::unavailable, "The connection died before the request was sent.",
                       "reset", "upstream"};
        rarities_.count(Rare::not_sent_and_sent_again);
        return slot->set(std::move(found));
    }
    world_.trace().tell("sent", arrival.exchange, arrival.fence.number, "request {} fence {}",
                        arrival.exchange, arrival.fence.number);
    audit_.sent({arrival.exchange, arrival.fence, world_.now(), arrival.version});
    const std::uint64_t number = ++last_flight_;
    const std::uint64_t boot = sending.boot;
    Flight& flight =
        flights_.emplace(number, Flight{.sending = sending, .slot = slot}).first->second;
    if (chance_.hit(dose_.sent_lost)) {
        fall_silent(flight, number, chance_.hit(500));
    } else if (chance_.hit(dose_.held_back)) {
        fall_silent(flight, number, chance_.hit(500));
        const std::chrono::nanoseconds most = flight.sending.horizon - flight.sending.horizon / 10;
        const MonotonicTime from = std::max(world_.now(), flight.verdict.at);
        flight.landing = world_.outside().loop().alarms().set(from + chance_.between(1ms, most),
                                                              [this, number] { land(number); });
    } else {
        auto way = chance_.hit(30) ? chance_.between(10ms, 200ms) : chance_.between(200us, 4ms);
        if (chance_.hit(dose_.queued))
            way = std::min(chance_.between(500ms, 20'000ms),
                           flight.sending.give_up - world_.now() - 100ms);
        flight.landing = world_.after(std::max<std::chrono::nanoseconds>(way, 0ns),
                                      [this, number] { land(number); });
    }
    if (on_step) on_step(boot, "sent");
}

void Wire::fall_silent(Flight& flight, std::uint64_t number, bool reset) {
    const MonotonicTime give_up = flight.sending.give_up;
    const MonotonicTime at =
        reset ? std::min(give_up, world_.now() + chance_.between(1ms, 50ms)) : give_up;
    flight.verdict = world_.outside().loop().alarms().set(
        std::max(at, world_.now()),
        [this, number, reset] { conclude(number, no_answer(reset ? "reset" : "timeout")); });
}

void Wire::land(std::uint64_t number) {
    Flight& flight = flights_.at(number);
    flight.landing = {};
    const Arrival& arrival = flight.sending.arrival;
    std::optional<Applied> applied;
    Reaction reaction = upstream_.receive(arrival, world_.now(), applied);
    world_.trace().tell("landed", arrival.exchange, arrival.fence.number,
                        "request {} intent {} fence {}: {}, {} {}", arrival.exchange,
                        arrival.intent, arrival.fence.number, applied ? "effect" : "no effect",
                        static_cast<int>(reaction.manner), reaction.answer.status);
    if (applied) {
        if (flight.orphaned)
            rarities_.count(Rare::landed_after_death);
        else if (flight.given_up)
            rarities_.count(Rare::landed_after_give_up);
        audit_.applied(*applied);
    }
    if (flight.given_up || flight.orphaned || flight.verdict.number != 0) return tidy(number);
    react(flight, number, std::move(reaction));
}

void Wire::react(Flight& flight, std::uint64_t number, Reaction reaction) {
    using Manner = Reaction::Manner;
    const bool lost = chance_.hit(dose_.reply_lost);
    if (lost || reaction.manner == Manner::silence)
        return fall_silent(flight, number, lost && chance_.hit(500));
    const MonotonicTime back = world_.now() + reaction.takes + chance_.between(200us, 4ms);
    if (back >= flight.sending.give_up) return fall_silent(flight, number, false);
    flight.verdict = world_.outside().loop().alarms().set(
        back, [this, number, found = found_of(std::move(reaction))]() mutable {
            conclude(number, std::move(found));
        });
}

void Wire::conclude(std::uint64_t number, Found found) {
    Flight& flight = flights_.at(number);
    flight.verdict = {};
    flight.given_up = true;
    world_.trace().mark("came back", flight.sending.arrival.exchange,
                        static_cast<std::uint64_t>(found.answer.status));
    const std::uint64_t boot = flight.sending.boot;
    if (const auto slot = flight.slot.lock()) slot->set(std::move(found));
    tidy(number);
    if (on_step) on_step(boot, "came back");
}

void Wire::tidy(std::uint64_t number) {
    const Flight& flight = flights_.at(number);
    if (flight.landing.number == 0 && flight.verdict.number == 0) flights_.erase(number);
}

void Wire::node_died(std::uint64_t boot) {
    std::vector<std::uint64_t> over;
    for (auto& [number, flight] : flights_) {
        if (flight.sending.boot != boot || flight.orphaned) continue;
        const bool was_given_up = flight.given_up;
        flight.orphaned = true;
        world_.cancel(flight.verdict);
        flight.verdict = {};
        if (flight.landing.number == 0) {
            over.push_back(number);
            continue;
        }
        if (was_given_up) continue;  // its owner ended before
        // Now its owner has ended: it may land any time from here to the horizon.
        world_.cancel(flight.landing);
        const std::chrono::nanoseconds most = flight.sending.horizon - flight.sending.horizon / 10;
        flight.landing = world_.after(
            chance_.between(1ms, chance_.hit(500) ? most : std::chrono::nanoseconds{20ms}),
            [this, number] { land(number); });
    }
    for (const std::uint64_t number : over) flights_.erase(number);
}

Wire::Tell Wire::tell_to(const std::shared_ptr<Slot>& slot) {
    const std::weak_ptr<Slot> asker = slot;
    return [this, asker](MonotonicTime at, Found found) {
        world_.outside().loop().alarms().set(std::max(at, world_.now()),
                                             [asker, told = std::move(found)]() mutable {
                                                 if (const auto there = asker.lock())
                                                     there->set(std::move(told));
                                             });
    };
}

void Wire::ask_who_may(Number caller, MonotonicTime give_up, const std::shared_ptr<Slot>& slot) {
    const Tell tell = tell_to(slot);
    const bool lost = chance_.hit(dose_.sent_lost) || chance_.hit(dose_.reply_lost);
    if (lost) return tell(give_up, no_answer("timeout"));
    const bool fails = chance_.hit(dose_.probe_fails);
    world_.after(chance_.between(200us, 20ms), [this, caller, give_up, fails, tell] {
        Found found;
        found.kind = effect::Kind::answered;
        found.answer.status = fails ? (chance_.hit(500) ? 302 : 500) : may(caller) ? 204 : 403;
        world_.trace().tell("permission", caller, static_cast<std::uint64_t>(found.answer.status),
                            "caller {}: {}", caller, found.answer.status);
        const MonotonicTime back = world_.now() + chance_.between(200us, 20ms);
        if (back >= give_up) return tell(give_up, no_answer("timeout"));
        tell(back, std::move(found));
    });
}

void Wire::ask(Question question, MonotonicTime give_up, const std::shared_ptr<Slot>& slot) {
    const Tell tell = tell_to(slot);
    if (chance_.hit(dose_.sent_lost)) return tell(give_up, no_answer("timeout"));
    const bool lost = chance_.hit(dose_.reply_lost);
    world_.after(chance_.between(200us, 20ms), [this, question, give_up, lost, tell] {
        Reaction reaction = upstream_.asked(question);
        world_.trace().tell("probed", question.fence.number,
                            static_cast<std::uint64_t>(reaction.answer.status), "{} fence {}: {}",
                            question.closes ? "close" : "probe", question.fence.number,
                            reaction.answer.status);
        if (lost || reaction.manner == Reaction::Manner::silence)
            return tell(give_up, no_answer("timeout"));
        tell(world_.now() + chance_.between(200us, 20ms), found_of(std::move(reaction)));
    });
}

}  // namespace pawl::sim
