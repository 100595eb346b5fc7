// SPDX-License-Identifier: Apache-2.0
#include "core/flow/payments.hpp"

#include <algorithm>

#include "core/flow/findings.hpp"

namespace pawl::flow {
namespace {

bool names(const EventRule& event, std::string_view field) {
    return std::ranges::any_of(event.unique, [&](const UniqueRule& rule) {
        return std::ranges::find(rule.fields, field) != rule.fields.end();
    });
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

}  // namespace

bool brings_money(const Definition& definition, const EventRule& event) {
    if (!event.external || !event.reverses.empty() || names(event, "refund_number")) return false;
    return names(event, "transaction_id") || has_amount(definition, event);
}

std::vector<const UniqueRule*> permanent_uniques(const EventRule& event) {
    std::vector<const UniqueRule*> found;
    for (const UniqueRule& rule : event.unique)
        if (rule.while_in.empty()) found.push_back(&rule);
    return found;
}

}  // namespace pawl::flow
