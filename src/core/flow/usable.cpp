// SPDX-License-Identifier: Apache-2.0
// Fields that an entity's flow could never do anything with: money that no payment can be the same as, and a slot that
// ends before it begins. They are refused when they are written, not when the money is in.
#include <algorithm>

#include <fmt/format.h>

#include "core/flow/deeds.hpp"
#include "core/flow/limits.hpp"

namespace pawl::flow {
namespace {

constexpr std::string_view kCurrency = "currency";

Objection wrong(std::string text) { return {Reason::field_invalid, std::move(text), {}}; }

// Some fact has to say the same.
bool is_compared(const Definition& flow, std::string_view field) {
    return std::ranges::any_of(flow.events, [&](const EventRule& event) {
        return event.external && std::ranges::any_of(event.transitions, [&](const auto& way) {
                   return std::ranges::any_of(way.require, [&](const Guard& guard) {
                       return guard.kind == Guard::Kind::same && guard.field == field;
                   });
               });
    });
}

Objected check_amount(const Definition& flow, const std::string& name, std::string_view text) {
    if (text.starts_with('-') && !same({FieldType::money, std::string(text)},
                                       {FieldType::money, std::string(text.substr(1))}))
        return wrong(fmt::format("`{}` is {}, and a payment is never below zero", name, text));
    const auto blank = std::min(text.find(' '), text.size());
    const bool has_field =
        std::ranges::find(flow.fields, kCurrency, &Field::name) != flow.fields.end();
    if (blank < text.size() && has_field)
        return wrong(fmt::format("`{}` is {}: write {}, and the currency in `{}`", name, text,
                                 text.substr(0, blank), kCurrency));
    std::string_view number = text.substr(0, blank);
    const auto point = std::min(number.find('.'), number.size());
    std::string_view whole = number.substr(0, point);
    std::string_view part = point < number.size() ? number.substr(point + 1) : std::string_view();
    while (whole.starts_with('0')) whole.remove_prefix(1);
    while (part.ends_with('0')) part.remove_suffix(1);
    if (whole.size() + part.size() > kPaidDigitsMax || part.size() > kPaidDecimalsMax)
        return wrong(
            fmt::format("`{}` is {}, and a payment has {} digits at most, {} of them behind "
                        "the point",
                        name, text, kPaidDigitsMax, kPaidDecimalsMax));
    return std::nullopt;
}

Objected check_money(const Case& one) {
    const Definition& flow = one.machine.definition();
    for (const Field& field : flow.fields) {
        const Value* value = field_after(one, field.name);
        if (value == nullptr || !is_compared(flow, field.name)) continue;
        if (field.type == FieldType::money)
            if (auto why = check_amount(flow, field.name, value->text)) return why;
        if (field.name != kCurrency || field.type != FieldType::text) continue;
        const bool is_code =
            value->text.size() == 3 &&
            std::ranges::all_of(value->text, [](char c) { return c >= 'A' && c <= 'Z'; });
        if (!is_code)
            return wrong(fmt::format("`{}` is {}: write three capitals such as EUR, as payments do",
                                     field.name, value->text));
    }
    return std::nullopt;
}

Objected check_slot(const Case& one, const Transition& way) {
    if (!way.exclusive) return std::nullopt;
    const Value* from = field_after(one, way.exclusive->from);
    const Value* to = field_after(one, way.exclusive->to);
    if (from == nullptr || to == nullptr || compare(*from, *to) < 0) return std::nullopt;
    return wrong(fmt::format("`{}` is not before `{}`", way.exclusive->from, way.exclusive->to));
}

}  // namespace

Objected check_usable(const Case& one) {
    if (auto why = check_money(one)) return why;
    for (const EventRule& event : one.machine.definition().events)
        for (const Transition& way : event.transitions)
            if (auto why = check_slot(one, way)) return why;
    return std::nullopt;
}

}  // namespace pawl::flow
