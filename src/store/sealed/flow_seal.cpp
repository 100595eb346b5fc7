// SPDX-License-Identifier: Apache-2.0
#include "store/sealed/flow_seal.hpp"

#include "store/port/flow_format.hpp"

namespace pawl::store {
namespace {

Digest place_of_field(const flow::Entity& entity, std::string_view name) {
    return sha256_parts("field", {entity.tenant, entity.flow, entity.id, name});
}

Digest place_of_items(const flow::Entity& entity) {
    return sha256_parts("items", {entity.tenant, entity.flow, entity.id});
}

Digest place_of_history(const FlowSubject& of, std::uint64_t version) {
    return sha256_parts("history", {of.tenant, of.flow, of.id, std::to_string(version)});
}

Digest place_of_value(const Digest& key, std::string_view name) {
    return sha256_parts("value", {key.view(), name});
}

Digest place_of_waiting(const Digest& key) { return sha256_parts("waiting", {key.view()}); }

// The commit knows its entity by the decision's id, or there is none; the entry says the same afterwards.
Digest place_of_attention(const FlowSubject& of, std::string_view what) {
    const bool by_id = !of.id.empty();
    return sha256_parts("attention", {of.tenant, of.flow, by_id ? "id" : "key",
                                      by_id ? of.id : of.business_key, what});
}

}  // namespace

void FlowSeal::hide(std::string& text, const Digest& place) const {
    text = keys_.current->seal_text(text, place);
}

bool FlowSeal::show(std::string& text, const Digest& place) const {
    const auto id = text_sealed_under(text);
    if (!id) return true;  // it was stored when there was no key
    const SealingKey* key = keys_.find(*id);
    auto opened = key == nullptr ? std::nullopt : key->open_text(text, place);
    if (!opened) return false;
    text = *std::move(opened);
    return true;
}

void FlowSeal::hide(flow::Given& values, std::vector<stock::Line>& items,
                    const Digest& place) const {
    if (values.empty() && items.empty()) return;
    std::string packed =
        encode(flow::Event{.values = std::move(values), .items = std::move(items)});
    hide(packed, place);
    values.clear();
    items.clear();
    values.emplace("", std::move(packed));
}

bool FlowSeal::show(flow::Given& values, std::vector<stock::Line>& items,
                    const Digest& place) const {
    if (values.size() != 1 || !values.begin()->first.empty()) return true;
    std::string packed = values.begin()->second;
    if (!text_sealed_under(packed)) return true;
    if (!show(packed, place)) return false;
    auto event = decode_event(packed);
    if (!event) return false;
    values = std::move(event->values);
    items = std::move(event->items);
    return true;
}

void FlowSeal::hide(flow::Texts& values, const Digest& key) const {
    for (auto& [name, value] : values) hide(value, place_of_value(key, name));
}

bool FlowSeal::show(flow::Texts& values, const Digest& key) const {
    for (auto& [name, value] : values)
        if (!show(value, place_of_value(key, name))) return false;
    return true;
}

void FlowSeal::seal(flow::Bundle& bundle) const {
    flow::Entity& entity = bundle.created;
    for (auto& [name, field] : entity.fields) hide(field.text, place_of_field(entity, name));
    for (auto& [name, field] : bundle.set) hide(field.text, place_of_field(entity, name));
    if (!entity.items.empty()) {
        flow::Given packed;
        hide(packed, entity.items, place_of_items(entity));
        entity.items.push_back({{stock::Kind::goods, std::move(packed.begin()->second)}, 1});
    }
    std::vector<stock::Line> none;
    const FlowSubject of{entity.tenant, entity.flow, entity.id, {}};
    hide(bundle.history.values, none, place_of_history(of, bundle.history.version));
    for (flow::Fact& fact : bundle.take_facts) hide(fact.values, fact.key);
    for (flow::SagaStart& saga : bundle.sagas) hide(saga.values, saga.key);
}

// Known by what it says under whatever key, so that a repeat finds it when the key has changed.
void FlowSeal::seal(flow::WaitingFact& fact) const {
    fact.known_as = flow::key_of(fact);
    hide(fact.event.values, fact.event.items, place_of_waiting(*fact.known_as));
}

void FlowSeal::seal(FlowCommit& commit) const {
    if (!keys_.current) return;
    if (auto* bundle = std::get_if<flow::Bundle>(&commit.decision)) seal(*bundle);
    if (commit.settles) seal(*commit.settles);
    if (commit.request) {
        const record::Claim& claim = commit.request->claim;
        commit.request->answer =
            keys_.current->seal_by_claim(commit.request->answer, claim.identity, claim.claim);
    }
    auto* told = std::get_if<flow::Arbitration>(&commit.decision);
    if (told == nullptr) return;
    if (told->waiting) seal(*told->waiting);
    FlowSubject of = commit.subject;
    if (!told->id.empty()) of.id = told->id;
    hide(told->reason, place_of_attention(of, "reason"));
    if (told->event)
        hide(told->event->values, told->event->items,
             place_of_attention(of, "event " + told->event->name));
    for (flow::Fact& fact : told->about) hide(fact.values, fact.key);
}

bool FlowSeal::open(flow::Entity& entity) const {
    for (auto& [name, field] : entity.fields)
        if (!show(field.text, place_of_field(entity, name))) return false;
    if (entity.items.size() == 1 && text_sealed_under(entity.items.front().sku.code)) {
        flow::Given packed{{"", entity.items.front().sku.code}};
        if (!show(packed, entity.items, place_of_items(entity))) return false;
    }
    for (flow::Fact& fact : entity.facts)
        if (!show(fact.values, fact.key)) return false;
    return true;
}

bool FlowSeal::open(flow::History& history, const FlowSubject& subject) const {
    std::vector<stock::Line> none;
    return show(history.values, none, place_of_history(subject, history.version));
}

bool FlowSeal::open(FlowStep& step, const FlowSubject& subject) const {
    for (flow::SagaStart& saga : step.sagas)
        if (!open(saga)) return false;
    return open(step.history, subject);
}

bool FlowSeal::open(flow::WaitingFact& fact) const {
    const Digest key = flow::key_of(fact);
    if (!show(fact.event.values, fact.event.items, place_of_waiting(key))) return false;
    fact.known_as.reset();
    // One that was put under another's key is nobody's.
    return flow::key_of(fact) == key;
}

bool FlowSeal::open(AttentionEntry& entry) const {
    if (!show(entry.reason, place_of_attention(entry.subject, "reason"))) return false;
    for (flow::Fact& fact : entry.about)
        if (!show(fact.values, fact.key)) return false;
    return !entry.event || show(entry.event->values, entry.event->items,
                                place_of_attention(entry.subject, "event " + entry.event->name));
}

bool FlowSeal::open(flow::SagaStart& saga) const { return show(saga.values, saga.key); }

bool FlowSeal::open(record::Answer& answer, const Digest& identity, record::ClaimId claim) const {
    const auto id = sealed_under(answer);
    if (!id) return true;
    const SealingKey* key = keys_.find(*id);
    auto opened = key == nullptr ? std::nullopt : key->open_by_claim(answer, identity, claim);
    if (!opened) return false;
    answer = *std::move(opened);
    return true;
}

}  // namespace pawl::store
