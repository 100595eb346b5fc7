// SPDX-License-Identifier: Apache-2.0
#include "sim/outside/upstream.hpp"

#include <fmt/format.h>

namespace pawl::sim {

using namespace std::chrono_literals;
using policy::Declared;
using Manner = Reaction::Manner;

namespace {

std::string_view word_of(Declared declared) {
    switch (declared) {
        case Declared::applied:
            return "applied";
        case Declared::not_applied:
            return "not-applied";
        case Declared::unknown:
            break;
    }
    return "unknown";
}

}  // namespace

// Field case 7: empty and false-like bodies are bodies. Sometimes one is longer than the route keeps.
std::string Upstream::some_body() {
    static constexpr std::array<std::string_view, 6> kOdd{"", "0", "false", "null", "{}", "[]"};
    if (chance_.hit(60)) return std::string(kOdd[chance_.below(kOdd.size())]);
    if (chance_.hit(5)) return std::string(chance_.between(4'097, 6'000), 'x');
    return fmt::format(R"({{"order":{},"state":"new"}})", chance_.below(1'000'000'000));
}

Reaction Upstream::reaction_of(const Said& said) {
    Reaction reaction;
    reaction.declared = said.declared;
    reaction.answer.status = said.status;
    reaction.answer.body = said.body;
    reaction.answer.headers = {{"Content-Type", "application/json"},
                               {"ETag", etag_of(said.serial)},
                               {"Set-Cookie", "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT"},
                               {"Set-Cookie", "b=2"},
                               {"Date", "Sat, 29 Nov 2026 12:00:00 GMT"}};
    if (said.applied)
        reaction.answer.headers.emplace_back("Location", fmt::format("/orders/{}", said.serial));
    if (said.declared)
        reaction.answer.headers.emplace_back("Pawl-Outcome", word_of(*said.declared));
    return reaction;
}

Reaction Upstream::refuse(const Arrival& arrival, const Operation& operation, int status,
                          std::optional<Declared> declared) {
    return say({.name = operation.name,
                .intent = arrival.intent,
                .caller = arrival.caller,
                .status = status,
                .declared = declared,
                .body = some_body()});
}

// No effect. Without a promise nobody can tell it from a lie.
Reaction Upstream::fail(const Arrival& arrival, const Operation& operation) {
    static constexpr std::array<int, 4> kStatus{500, 502, 503, 504};
    const std::uint64_t kind = chance_.below(6);
    if (kind == 4) return {.manner = Manner::reset};
    if (kind == 5) return {.manner = Manner::silence};
    std::optional<Declared> declared;
    if (arrival.promise == Promise::declaring && chance_.hit(700)) declared = Declared::not_applied;
    return refuse(arrival, operation, kStatus[kind], declared);
}

Reaction Upstream::succeed(Operation& operation) {
    static constexpr std::array<int, 6> kStatus{201, 201, 201, 200, 204, 303};
    const int status = kStatus[chance_.below(kStatus.size())];
    Reaction reaction = say({.name = operation.name,
                             .intent = operation.intent,
                             .caller = operation.caller,
                             .status = status,
                             .applied = true,
                             .body = status == 204 ? "" : some_body()});
    operation.remembered = serial_in(reaction.answer.headers[1].second);
    if (chance_.hit(dose_.slow)) reaction.takes = chance_.between(500ms, 25'000ms);
    return reaction;
}

// The effect is there and the answer does not say so.
Reaction Upstream::lie(Promise promise, Operation& operation) {
    rarities_.count(Rare::lied_after_effect);
    const std::uint64_t kind = chance_.below(4);
    if (kind == 0) return {.manner = Manner::reset};
    if (kind == 1) return {.manner = Manner::silence};
    if (kind == 2) return {.manner = Manner::garbage};
    if (promise == Promise::transactional) return {.manner = Manner::reset};  // its 5xx are honest
    Said said{.name = operation.name,
              .intent = operation.intent,
              .caller = operation.caller,
              .status = chance_.hit(500) ? 500 : 504,
              .applied = true,
              .body = some_body()};
    if (promise == Promise::declaring && chance_.hit(700))
        said.declared = chance_.hit(700) ? Declared::applied : Declared::unknown;
    return say(std::move(said));
}

Reaction Upstream::receive(Arrival arrival, MonotonicTime now, std::optional<Applied>& applied) {
    arrival.intent = book_.meant(arrival.intent, arrival.caller);
    Operation& operation = operations_[arrival.operation_key];
    const bool honours =
        arrival.promise == Promise::rerunnable || arrival.promise == Promise::versioned;
    const bool remembers = honours && operation.applied;
    if (!remembers) operation.name = arrival.intent == 0 ? 0 : book_.intent(arrival.intent).name;
    const bool closes = arrival.promise == Promise::closing || arrival.promise == Promise::calling;
    if (closes && arrival.fence.number <= operation.closed_fence) {
        rarities_.count(Rare::refused_by_fence);
        return refuse(arrival, operation, 409, Declared::not_applied);
    }
    if (remembers) {
        rarities_.count(Rare::served_from_memory);
        return operation.remembered == 0 ? succeed(operation)
                                         : reaction_of(*ledger_.said(operation.remembered));
    }
    if (operation.refused) return *operation.refused;
    const Reaction reaction = decide(arrival, operation, now, applied);
    if (arrival.promise == Promise::calling) report(arrival, operation, applied.has_value());
    return reaction;
}

Reaction Upstream::decide(const Arrival& arrival, Operation& operation, MonotonicTime now,
                          std::optional<Applied>& applied) {
    static constexpr std::array<int, 5> kRefusals{400, 402, 403, 404, 422};
    static constexpr std::array<int, 5> kNotNow{401, 407, 421, 425, 429};
    if (chance_.hit(dose_.refuses)) {
        Reaction refusal = refuse(arrival, operation, kRefusals[chance_.below(5)], {});
        // Where versions come in order, what was refused for good stays refused: a copy that was lost for a while
        // would else land behind the correction.
        if (arrival.promise == Promise::versioned) operation.refused = refusal;
        return refusal;
    }
    if (chance_.hit(dose_.refuses_now))
        return refuse(arrival, operation, kNotNow[chance_.below(5)], {});
    if (chance_.hit(dose_.fails)) return fail(arrival, operation);

    applied = ledger_.apply({operation.name, arrival.intent, arrival.exchange, arrival.fence, now,
                             book_.operation_of(arrival.intent)});
    operation.applied = true;
    operation.applied_fence = arrival.fence.number;
    operation.intent =
        arrival.intent;  // of what took effect: a refused latecomer's is not what a probe is told
    operation.caller = arrival.caller;
    return chance_.hit(dose_.lies) ? lie(arrival.promise, operation) : succeed(operation);
}

void Upstream::report(const Arrival& arrival, Operation& operation, bool took_effect) {
    if (!on_report || !chance_.hit(900)) return;
    Reported reported{arrival.identity, arrival.fence, {}};
    if (took_effect)
        reported.answer = say({.name = operation.name,
                               .intent = operation.intent,
                               .caller = operation.caller,
                               .status = 201,
                               .applied = true,
                               .body = some_body()})
                              .answer;
    else
        operation.closed_fence = std::max(operation.closed_fence, arrival.fence.number);
    on_report(std::move(reported));
}

Reaction Upstream::asked(const Question& question) {
    if (chance_.hit(dose_.probe_fails)) {
        const std::uint64_t kind = chance_.below(3);
        if (kind == 0) return {.manner = Manner::silence};
        if (kind == 1) return {.manner = Manner::garbage};
        Reaction reaction;
        reaction.answer.status = 500;
        return reaction;
    }
    Operation& operation = operations_[question.operation_key];
    if (operation.applied)
        return say({.name = operation.name,
                    .intent = operation.intent,
                    .caller = operation.caller,
                    .status = 200,
                    .applied = true,
                    .body = some_body()});
    if (question.closes)
        operation.closed_fence = std::max(operation.closed_fence, question.fence.number);
    Reaction reaction;
    reaction.answer.status = 404;
    return reaction;
}

// A natural key names one operation after the other under one operation key: only the fence tells them apart.
bool Upstream::took_effect(const Digest& operation_key, record::Fence fence) const {
    const auto found = operations_.find(operation_key);
    if (found == operations_.end() || !found->second.applied) return false;
    const bool natural = book_.name(found->second.name).promise == Promise::natural;
    return !natural || found->second.applied_fence == fence.number;
}

}  // namespace pawl::sim
