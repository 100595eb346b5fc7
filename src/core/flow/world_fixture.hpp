// SPDX-License-Identifier: Apache-2.0
// For the tests of this folder: a store in memory and the loop of an engine, both as short as they can be.
// What comes of an event is told in words: "applied paid", "refused out_of_stock", "repeat 2", "parked".
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "core/flow/flow_fixture.hpp"
#include "core/flow/judge.hpp"
#include "core/flow/repeat.hpp"

namespace pawl::flow {

inline constexpr std::int64_t kStart = 1'700'000'000'000;

struct World {
    explicit World(Definition definition)
        : machine(Machine::compile(std::move(definition)).value()) {}

    Machine machine;
    std::map<std::string, Entity> entities;
    std::map<Digest, Fact> facts;
    std::map<stock::Sku, stock::Level> levels;
    std::vector<Slot> slots;
    std::vector<WaitingFact> waiting;
    std::vector<std::pair<std::string, History>> history;
    std::map<Digest, SagaStart> sagas;
    std::map<Digest, Holder> begun;  // who began them
    std::map<Digest, std::uint64_t>
        settled;  // entries for people, and the version that was looked at
    std::vector<Arbitration> attention;
    Probed probe = Probed::unpaid;
    Given probe_facts;
    std::int64_t now_ms = kStart;
    std::function<void()> before_commit = [] {};
    std::vector<Write> writes;
    std::optional<WaitingFact> sending_again;
    std::vector<Refusal> refused;  // of repeats that say something else

    Entity& entity(const std::string& id = "1") { return entities.at(id); }
    std::vector<std::string> types() const {
        std::vector<std::string> types;
        for (const auto& [id, row] : history)
            if (!row.type.empty()) types.push_back(row.type);
        return types;
    }

    // What the latest entry is about was put right by hand.
    void settle_latest() {
        const Arbitration& told = attention.back();
        settled[attention_key(meeting(told.id), told.reason, told.event)] = told.judged_on;
        for (Fact fact : attention.back().about) {
            fact.holder = {attention.back().id, 0, "bob", now_ms};
            facts.emplace(fact.key, fact);
        }
    }

    std::string meeting(const std::string& id) const {
        const std::string key = entities.contains(id) ? entities.at(id).business_key : "B" + id;
        return meeting_of("t", machine.definition().name, key, id);
    }

    Found found(const std::string& id, const std::string& meeting, const Bundle* bundle,
                const Arbitration* told = nullptr) const {
        Found found;
        if (entities.contains(id)) found.entity = entities.at(id);
        for (const WaitingFact& fact : waiting)
            if (fact.meeting == meeting) found.waiting.push_back(fact);
        found.settles = sending_again;
        if (told != nullptr && told->reverses && facts.contains(*told->reverses))
            found.facts.emplace(*told->reverses, facts.at(*told->reverses));
        if (told != nullptr)
            for (const Fact& fact : told->about)
                if (facts.contains(fact.key)) found.facts.emplace(fact.key, facts.at(fact.key));
        if (told != nullptr && told->goes_on)
            if (const auto at = settled.find(attention_key(meeting, told->reason, told->event));
                at != settled.end())
                found.settled_on = at->second;
        if (bundle == nullptr) return found;
        for (const SagaStart& saga : bundle->sagas)
            if (begun.contains(saga.key)) found.sagas.emplace(saga.key, begun.at(saga.key));
        for (const Fact& fact : bundle->take_facts)
            if (facts.contains(fact.key)) found.facts.emplace(fact.key, facts.at(fact.key));
        found.slots = slots;
        for (const StockMove& move : bundle->moves)
            if (levels.contains(move.sku)) found.levels.emplace(move.sku, levels.at(move.sku));
        const std::string& key = bundle->created.business_key;
        for (const auto& [other, one] : entities)
            if (bundle->course == Course::created && !key.empty() && one.business_key == key)
                found.business_key = Holder{other, 1, {}, 0};
        return found;
    }

    void apply(const Write& write) {
        writes.push_back(write);
        if (write.entity) entities[write.entity->id] = *write.entity;
        if (write.history) history.emplace_back(write.entity->id, *write.history);
        for (const auto& [sku, level] : write.levels) levels[sku] = level;
        for (const Digest& key : write.facts_freed) facts.erase(key);
        for (const Fact& fact : write.facts) facts.emplace(fact.key, fact);
        for (const Slot& slot : write.slots_freed) std::erase(slots, slot);
        for (const Slot& slot : write.slots) slots.push_back(slot);
        for (const SagaStart& saga : write.sagas) {
            sagas.emplace(saga.key, saga);
            begun.emplace(saga.key, Holder{write.entity->id, write.entity->version, {}, 0});
        }
        if (write.leaves) std::erase(waiting, *write.leaves);
        if (write.waits) waiting.push_back(*write.waits);
        if (write.attention) attention.push_back(*write.attention);
    }

    std::string told(const Decision& decision) {
        if (const auto* bundle = std::get_if<Bundle>(&decision))
            return std::string(name_of(bundle->course)) + " " + bundle->to;
        if (const auto* refusal = std::get_if<Refusal>(&decision))
            return "refused " + std::string(name_of(refusal->reason));
        if (const auto* one = std::get_if<Arbitration>(&decision))
            return std::string(name_of(one->kind));
        if (const auto* repeat = std::get_if<Repeat>(&decision))
            return "repeat " + std::to_string(repeat->version);
        return std::holds_alternative<Later>(decision) ? "later" : "present";
    }

    // decide: what the engine would call again with what it has learnt.
    template <class Decide>
    std::string run(const std::string& id, const std::string& meeting, const Decide& decide) {
        Circumstances known;
        for (int round = 0; round < 10; ++round) {
            const Decision decision = decide(known);
            if (std::holds_alternative<Ask>(decision)) {
                known.probed = probe;
                known.probe_facts = probe_facts;
                continue;
            }
            const auto meanwhile = std::exchange(before_commit, [] {});
            meanwhile();
            const Bundle* bundle = std::get_if<Bundle>(&decision);
            const Found read = found(id, meeting, bundle, std::get_if<Arbitration>(&decision));
            Judgement judgement = Write{};
            if (bundle != nullptr)
                judgement = judge(read, *bundle, {}, now_ms, {});
            else if (const auto* refusal = std::get_if<Refusal>(&decision))
                judgement = judge(read, *refusal, {}, now_ms, {});
            else if (const auto* one = std::get_if<Arbitration>(&decision))
                judgement = judge(read, *one, {}, now_ms, {});
            else if (const auto* later = std::get_if<Later>(&decision))
                judgement = judge(read, *later);
            if (const auto* lost = std::get_if<Lost>(&judgement)) {
                if (lost->why == Lost::Why::not_due) return "not due";
                if (lost->why == Lost::Why::unsound) return "unsound";
                known = learnt(known, *lost);
                continue;
            }
            const Write& write = std::get<Write>(judgement);
            apply(write);
            const auto wakes = write.wakes;
            if (bundle != nullptr) send_again(id, wakes);
            return bundle != nullptr && bundle->told ? "refused, " + told(decision)
                                                     : told(decision);
        }
        return "contended";
    }

    void send_again(const std::string& id, const std::vector<WaitingFact>& wakes) {
        for (const WaitingFact& fact : wakes) {
            if (std::ranges::find(waiting, fact) == waiting.end()) continue;
            const auto outer = sending_again;
            sending_again = fact;
            Event event = fact.event;
            send(event, id);
            sending_again = outer;
        }
    }

    std::string send(Event event, const std::string& id = "1") {
        event.now_ms = now_ms;
        return run(id, meeting(id), [&](const Circumstances& known) {
            if (!entities.contains(id)) return without_entity(machine, {id, "t", "B" + id}, event);
            return heard_before({machine, event, &entity(id)},
                                transition(machine, entity(id), event, known));
        });
    }
    std::string send(std::string name, const std::string& id = "1") {
        return send(Event{.name = std::move(name), .caller = "ann"}, id);
    }
    std::string fire(const std::string& deadline, std::string event, const std::string& id = "1") {
        return send(Event{.name = std::move(event), .sender = Sender::timer, .deadline = deadline},
                    id);
    }
    std::string create(Event event, const std::string& id = "1", std::string key = {}) {
        event.name = "create";
        event.now_ms = now_ms;
        if (key.empty()) key = "B" + id;
        const Creation creation{id, "t", key};
        return run(id, meeting_of("t", machine.definition().name, key, id),
                   [&](const Circumstances& known) {
                       return heard_before({machine, event, nullptr, key},
                                           flow::create(machine, creation, event, known));
                   });
    }

    // A request that is a repeat is asked what it says.
    Decision heard_before(const Again& again, Decision decision) {
        const auto* repeat = std::get_if<Repeat>(&decision);
        const EventRule* rule = machine.event(again.event.name);
        const bool is_fact = again.event.sender != Sender::caller || (rule && rule->external);
        if (repeat == nullptr || is_fact) return decision;
        std::optional<First> first;
        for (const Write& write : writes)
            if (write.history && write.entity->id == repeat->id &&
                write.history->version == repeat->version)
                first = First{*write.history, write.reservations, write.entity->business_key,
                              write.entity->items};
        auto refusal = refuse_unlike(again, *repeat, first ? &*first : nullptr);
        if (!refusal) return decision;
        return refused.emplace_back(*std::move(refusal));
    }
};

inline stock::Sku sku(std::string code) { return {stock::Kind::goods, std::move(code)}; }

inline Event new_order(std::vector<stock::Line> items = {{sku("A"), 2}}) {
    return {.values = {{"amount", "12.50"}, {"currency", "EUR"}},
            .items = std::move(items),
            .caller = "ann"};
}

inline Event payment(std::string transaction, std::string amount = "12.5") {
    return {.name = "pay",
            .values = {{"provider", "wx"},
                       {"transaction_id", std::move(transaction)},
                       {"amount", std::move(amount)}},
            .sender = Sender::callback};
}

inline World order_world(std::int64_t available = 10) {
    World world(order_flow());
    world.levels[sku("A")] = {available, 0, 0};
    world.create(new_order());
    return world;
}

}  // namespace pawl::flow
