// SPDX-License-Identifier: Apache-2.0
#include "core/flow/payments.hpp"

#include <algorithm>

#include "core/flow/findings.hpp"

namespace pawl::flow {
namespace {

bool names(const EventRule& event, std::string_view field) {
    return std::ranges::any_of(event.unique,
                               [&](const UniqueRule& rule) { return holds(rule.fields, field); });
}

bool has_amount(const Definition& flow, const EventRule& event) {
    const auto is_money = [&](const std::string& field) {
        return type_of(flow, event, field) == FieldType::money;
    };
    return std::ranges::any_of(event.fields, is_money, &Field::name) ||
           std::ranges::any_of(event.transitions, [&](const Transition& one) {
               return std::ranges::any_of(one.require, is_money, &Guard::field);
           });
}

bool is_keyed_by_provider(const Definition& flow, const std::string& saga) {
    const auto rule = std::ranges::find(flow.sagas, saga, &SagaRule::name);
    return rule != flow.sagas.end() &&
           (holds(rule->key, "provider") || holds(rule->key, "account") ||
            holds(rule->key, "transaction_id"));
}

bool is_given_back(const Definition& flow, const EventRule& event) {
    for (const StateRule& state : flow.states)
        for (const Late& late : state.late)
            if (late.event == event.name && is_keyed_by_provider(flow, late.saga)) return true;
    return std::ranges::any_of(event.transitions, [&](const Transition& one) {
        return (one.short_of && is_keyed_by_provider(flow, one.short_of->saga)) ||
               (one.taken && is_keyed_by_provider(flow, one.taken->saga));
    });
}

bool is_its_own(const Definition& flow, const EventRule& event, const std::string& field) {
    if (field == "transaction_id") return true;
    const bool is_known = std::ranges::find(kFacts, field) != std::ranges::end(kFacts) ||
                          (flow.correlate && flow.correlate->callback == field);
    const bool is_of_entity =
        std::ranges::find(flow.fields, field, &Field::name) != flow.fields.end();
    if (is_known || field == "currency" || (is_of_entity && !holds(event.set, field))) return false;
    return std::ranges::any_of(event.fields, [&](const Field& one) {
        const bool is_number = one.type == FieldType::text || one.type == FieldType::integer;
        return one.name == field && one.required && is_number;
    });
}

}  // namespace

bool brings_money(const Definition& definition, const EventRule& event) {
    if (!event.external || !event.reverses.empty() || names(event, "refund_number")) return false;
    return names(event, "transaction_id") || has_amount(definition, event) ||
           is_given_back(definition, event);
}

bool names_payment(const Definition& definition, const EventRule& event, const UniqueRule& rule) {
    return std::ranges::any_of(rule.fields, [&](const std::string& field) {
        return is_its_own(definition, event, field);
    });
}

std::vector<const UniqueRule*> permanent_uniques(const EventRule& event) {
    std::vector<const UniqueRule*> found;
    for (const UniqueRule& rule : event.unique)
        if (rule.while_in.empty()) found.push_back(&rule);
    return found;
}

}  // namespace pawl::flow
