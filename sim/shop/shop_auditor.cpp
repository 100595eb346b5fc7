// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_auditor.hpp"

#include <algorithm>

namespace pawl::sim {

ShopAudit::ShopAudit(const ShopBook& book, const Declared& declared) {
    const ShopAuditParts parts{book, declared, findings_};
    for (const auto make :
         {no_order_lost, legal_transitions, paid_or_over, no_early_deadline, stock_books,
          slots_apart, once_per_key, same_answer, first_result_is_private, no_fact_lost,
          notifications_kept, ids_unique, only_what_is_over, one_refund, refunds_made, bought_once,
          events_delivered, shop_settles})
        auditors_.push_back(make(parts));
}

const flow::StateRule* state_in(const flow::Definition& declared, std::string_view state) {
    const auto at = std::ranges::find(declared.states, state, &flow::StateRule::name);
    return at == declared.states.end() ? nullptr : &*at;
}

const flow::EventRule* event_in(const flow::Definition& declared, std::string_view event) {
    if (event == declared.create.name) return &declared.create;
    const auto at = std::ranges::find(declared.events, event, &flow::EventRule::name);
    return at == declared.events.end() ? nullptr : &*at;
}

bool is_declared(const flow::Definition& declared, const flow::History& row) {
    using flow::Course;
    if (row.course == Course::created)
        return row.version == 1 && row.from.empty() && row.to == declared.initial;
    const flow::EventRule* event = event_in(declared, row.event);
    const flow::StateRule* state = state_in(declared, row.from);
    if (event == nullptr || state == nullptr || state_in(declared, row.to) == nullptr) return false;
    if (row.course == Course::compensated)
        return row.to == row.from && std::ranges::any_of(state->late, [&](const flow::Late& late) {
                   return late.event == row.event && !late.ignore;
               });
    return std::ranges::any_of(event->transitions, [&](const flow::Transition& way) {
        if (std::ranges::find(way.from, row.from) == way.from.end()) return false;
        if (row.course == Course::branched)
            return (way.short_of && way.short_of->to == row.to) ||
                   (way.taken && way.taken->to == row.to);
        return row.to == (way.to == flow::kSame ? row.from : way.to);
    });
}

std::string value_in(const flow::Texts& values, std::string_view name) {
    for (const auto& [known, text] : values)
        if (known == name) return text;
    return {};
}

}  // namespace pawl::sim
