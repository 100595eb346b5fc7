// SPDX-License-Identifier: Apache-2.0
// A saga is started once per key. One that gives money back is keyed by the payment that it reverses: by less, a second
// payment would be taken for the first; by what nobody has told, it could not start.
#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/flow/findings.hpp"
#include "core/flow/payments.hpp"

namespace pawl::flow {
namespace {

bool is_given(const std::vector<Field>& fields, std::string_view name, bool required) {
    return std::ranges::any_of(fields, [&](const Field& field) {
        return field.name == name && (field.required || !required);
    });
}

const SagaRule* saga_named(const Definition& flow, const std::string& name) {
    const auto at = std::ranges::find(flow.sagas, name, &SagaRule::name);
    return at == flow.sagas.end() ? nullptr : &*at;
}

// Of these fields, what one payment of an entity has in another way than the next.
Names told_apart_by(const Definition& flow, const UniqueRule& rule) {
    Names names;
    for (const std::string& field : rule.fields) {
        const bool is_of_the_entity = field == "business_key" || field == "id" || field == "kind" ||
                                      (flow.correlate && flow.correlate->callback == field);
        if (!is_of_the_entity) names.push_back(field);
    }
    return names;
}

// What may stand there by then: the entity's own, what the event says, and what earlier facts said.
bool may_be_known(const Definition& flow, const EventRule& event, const std::string& name) {
    if (name == "id" || name == "business_key") return true;
    if (is_given(flow.fields, name, false) || is_given(event.fields, name, false)) return true;
    if (event.external && type_of(flow, event, name)) return true;
    const auto told_by = [&](const EventRule& one) {
        return std::ranges::any_of(
            one.unique, [&](const UniqueRule& rule) { return holds(rule.fields, name); });
    };
    return told_by(flow.create) || std::ranges::any_of(flow.events, told_by);
}

// What every such payment carries, or is not taken at all.
bool is_sure(const Definition& flow, const EventRule& event, const std::string& name) {
    if (name == "id" || name == "business_key") return true;
    if (is_given(flow.fields, name, true) || is_given(event.fields, name, true)) return true;
    return std::ranges::any_of(permanent_uniques(event),
                               [&](const UniqueRule* rule) { return holds(rule->fields, name); });
}

// The same for many: who provides, what kind, how much. A sum or a flag tells nothing from another.
bool is_shared(const Definition& flow, const std::string& name) {
    if (name == "provider" || name == "account" || name == "kind" || name == "currency")
        return true;
    std::optional<FieldType> type = type_of(flow, flow.create, name);
    for (const EventRule& event : flow.events)
        if (!type) type = type_of(flow, event, name);
    return type == FieldType::money || type == FieldType::boolean;
}

void check_shared(Findings& found, const SagaRule& saga) {
    const Definition& flow = found.definition();
    const bool shared = std::ranges::all_of(
        saga.key, [&](const std::string& name) { return is_shared(flow, name); });
    if (shared)
        found.error(fmt::format("sagas.{}.key", saga.name),
                    fmt::format("`{}` runs once for all that have the same `{}`: the others get "
                                "nothing",
                                saga.name, fmt::join(saga.key, "`, `")),
                    "add `transaction_id` for one run per payment, `id` for one per entity");
}

class SagaKeys {
  public:
    explicit SagaKeys(Findings& found) : found_(found), flow_(found.definition()) {}

    void started(const EventRule& event, const std::string& saga) {
        const SagaRule* rule = saga_named(flow_, saga);
        if (rule == nullptr) return;
        for (const std::string& name : rule->key)
            if (!may_be_known(flow_, event, name)) unknown(*rule, event, name);
    }

    // By `late`, `short` or `taken` of an event that brings money.
    void reverses(const EventRule& event, const std::string& saga) {
        const SagaRule* rule = saga_named(flow_, saga);
        const auto uniques = permanent_uniques(event);
        if (rule == nullptr || uniques.empty()) return;
        for (const std::string& name : rule->key)
            if (!is_sure(flow_, event, name)) unknown(*rule, event, name);
        Names lacks;
        for (const UniqueRule* unique : uniques) {
            const Names apart = told_apart_by(flow_, *unique);
            Names missing;
            for (const std::string& name : apart)
                if (!holds(rule->key, name)) missing.push_back(name);
            if (missing.empty()) return;
            if (lacks.empty()) lacks = apart;
        }
        say(*rule,
            fmt::format("two payments of `{}` can have the same key of `{}`: the second is not "
                        "given back",
                        event.name, rule->name),
            fmt::format("write `key: [{}]`", fmt::join(lacks, ", ")));
    }

  private:
    void unknown(const SagaRule& saga, const EventRule& event, const std::string& name) {
        say(saga,
            fmt::format("`{}` starts `{}` and need not say `{}`", event.name, saga.name, name),
            "name what the event cannot be without, as its `unique` fields");
    }
    void say(const SagaRule& saga, std::string what, std::string remedy) {
        if (said_.insert(what).second)
            found_.error(fmt::format("sagas.{}.key", saga.name), std::move(what),
                         std::move(remedy));
    }

    Findings& found_;
    const Definition& flow_;
    std::set<std::string> said_;
};

}  // namespace

void check_saga_keys(Findings& found) {
    const Definition& flow = found.definition();
    for (const SagaRule& saga : flow.sagas) check_shared(found, saga);
    SagaKeys keys(found);
    each_transition(flow, [&](const EventRule& event, const Transition& one, const std::string&) {
        keys.started(event, one.saga);
        for (const auto* branch : {&one.short_of, &one.taken})
            if (*branch && brings_money(flow, event))
                keys.reverses(event, (*branch)->saga);
            else if (*branch)
                keys.started(event, (*branch)->saga);
    });
    for (const StateRule& state : flow.states)
        for (const Late& late : state.late)
            for (const EventRule& event : flow.events)
                if (event.name == late.event && brings_money(flow, event))
                    keys.reverses(event, late.saga);
                else if (event.name == late.event)
                    keys.started(event, late.saga);
}

}  // namespace pawl::flow
