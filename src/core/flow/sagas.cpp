// SPDX-License-Identifier: Apache-2.0
// What a saga is told, fixed in the commit that starts it: what tells it from others, and the money. Facts are
// believed, requests are not: who asks for a refund decides neither how much goes back nor of which payment.
//
//   started by                        | takes, the first that is there
//   ----------------------------------+----------------------------------------------------------------------
//   a fact that it undoes             | what the fact says; of its money nothing else
//   a fact                            | what the fact says, what earlier facts said, the entity's fields
//   a request, a deadline             | what the latest fact said that took effect, the entity's fields, and only
//                                     | what neither knows from the request; never of which fact it is
#include <algorithm>

#include <fmt/format.h>

#include "core/flow/deeds.hpp"
#include "core/flow/money.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::flow {
namespace {

// The latest fact first; one that took money back brought none.
const std::string* told_before(const Case& one, std::string_view name) {
    for (auto fact = one.entity.facts.rbegin(); fact != one.entity.facts.rend(); ++fact) {
        const EventRule* event = one.machine.event(fact->event);
        if (event != nullptr && !event->reverses.empty()) continue;
        if (const std::string* text = told_in(fact->values, name)) return text;
    }
    return nullptr;
}

std::optional<std::string> of_entity(const Case& one, const std::string& name) {
    if (name == "id") return one.entity.id;
    if (name == "business_key") return one.entity.business_key;
    const Value* field = field_after(one, name);
    return field == nullptr ? std::nullopt : std::optional(field->text);
}

std::optional<std::string> known(const Case& one, const std::string& name) {
    const std::string* text = told_before(one, name);
    return text != nullptr ? std::optional(*text) : of_entity(one, name);
}

bool tells_facts_apart(const Machine& machine, const std::string& name) {
    const auto tells = [&](const UniqueRule& rule) {
        return rule.while_in.empty() && std::ranges::find(rule.fields, name) != rule.fields.end();
    };
    return std::ranges::any_of(machine.definition().events, [&](const EventRule& event) {
        return event.external && std::ranges::any_of(event.unique, tells);
    });
}

std::optional<std::string> taken(const Case& one, const std::string& name, bool undoes) {
    auto said = said_of(one, name);
    if (!one.rule.external) {
        auto text = known(one, name);
        return text || tells_facts_apart(one.machine, name) ? text : said;
    }
    if (said) return said;
    if (!undoes) return known(one, name);
    return is_money(name) ? std::nullopt : of_entity(one, name);
}

// A request that names what the saga takes has to name it as it is.
Objected check_asked(const Case& one, std::string_view saga, const std::string& name,
                     const std::string& text) {
    const auto given = one.values.find(name);
    if (one.rule.external || given == one.values.end()) return std::nullopt;
    const auto its = parse_value(given->second.type, text);
    if (its && same(given->second, *its)) return std::nullopt;
    if (!is_money(name))
        return Objection{
            Reason::guard_refused, fmt::format("`{}` is not what `{}` takes", name, saga), {}};
    return Objection{Reason::amount_mismatch,
                     fmt::format("`{}` is {}, and `{}` takes what is known, {}", name,
                                 given->second.text, saga, text),
                     {}};
}

}  // namespace

std::string shown(const Fields& fields, std::string_view name) {
    const auto at = fields.find(name);
    if (at == fields.end()) return "nothing";
    const auto currency = fields.find("currency");
    const bool carries = at->second.type == FieldType::money && currency != fields.end() &&
                         at->second.text.find(' ') == std::string::npos;
    return carries ? fmt::format("{} {}", at->second.text, currency->second.text) : at->second.text;
}

Objected check_said(const Case& one, const Transition& way) {
    if (one.rule.external) return std::nullopt;
    const auto is_declared = [&](const std::string& name) {
        return std::ranges::find(one.rule.set, name) != one.rule.set.end() ||
               std::ranges::find(one.rule.fields, name, &Field::name) != one.rule.fields.end() ||
               std::ranges::find(way.require, name, &Guard::field) != way.require.end();
    };
    for (const auto& [name, value] : one.values) {
        if (is_declared(name)) continue;
        const auto own = one.entity.fields.find(name);
        if (own != one.entity.fields.end() && same(value, own->second)) continue;
        // A name that a caller was to know is not told to one who does not.
        const bool is_of_money = is_money(name) || value.type == FieldType::money;
        std::string text = fmt::format("`{}` is not this {}'s", name, one.entity.flow);
        if (is_of_money || value.type != FieldType::text)
            text = fmt::format("`{}` is {}, and this {}'s is {}", name, shown(one.values, name),
                               one.entity.flow, shown(one.entity.fields, name));
        return Objection{
            is_of_money ? Reason::amount_mismatch : Reason::guard_refused, std::move(text), {}};
    }
    return std::nullopt;
}

std::expected<SagaStart, Objection> saga_of(const Case& one, std::string_view saga,
                                            const Circumstances& known, bool undoes) {
    if (known.saga_begun)
        return std::unexpected(
            Objection{Reason::duplicate_request,
                      fmt::format("`{}` of the same was begun by {}", saga, known.saga_begun->id),
                      known.saga_begun});
    const SagaRule* rule = one.machine.saga(saga);
    SagaStart start{std::string(saga), {}, {}};
    DigestStream key;
    key.add_part("pawl.saga");
    key.add_part(one.entity.tenant);
    key.add_part(one.entity.flow);
    key.add_part(saga);
    for (const std::string& name : rule->key) {
        const auto text = taken(one, name, undoes);
        if (!text || text->empty())
            return std::unexpected(
                Objection{Reason::guard_refused,
                          fmt::format("`{}` needs `{}`, which nothing has told", saga, name),
                          {}});
        if (auto wrong = check_asked(one, saga, name, *text))
            return std::unexpected(std::move(*wrong));
        key.add_part(is_planted(Plant::refund_per_order) ? one.entity.id : *text);
        start.values.emplace_back(name, *text);
    }
    start.key = key.finish();
    for (const std::string_view money : kMoney) {
        const std::string name(money);
        if (told_in(start.values, name) != nullptr) continue;
        const auto text = taken(one, name, undoes);
        if (!text) continue;
        if (auto wrong = check_asked(one, saga, name, *text))
            return std::unexpected(std::move(*wrong));
        start.values.emplace_back(name, *text);
    }
    return start;
}

}  // namespace pawl::flow
