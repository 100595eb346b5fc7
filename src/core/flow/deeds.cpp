// SPDX-License-Identifier: Apache-2.0
#include "core/flow/deeds.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/flow/findings.hpp"
#include "core/flow/money.hpp"
#include "core/flow/names.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::flow {
namespace {

std::unexpected<Objection> object(Reason reason, std::string text) {
    return std::unexpected(Objection{reason, std::move(text), {}});
}

// Of the event itself, else of the entity; never what it was told before, which would make every payment the first one.
std::optional<std::string> named_value(const Case& one, const std::string& name) {
    if (const auto at = one.values.find(name); at != one.values.end()) return at->second.text;
    if (name == "id") return one.entity.id;
    if (name == "business_key") return one.entity.business_key;
    const auto at = one.entity.fields.find(name);
    return at == one.entity.fields.end() ? std::nullopt : std::optional(at->second.text);
}

Holder holder_of(const Case& one) {
    return {one.entity.id, one.entity.version + 1, one.event.caller, one.event.now_ms};
}

// The action on every line, or on the parts of them that the event names.
Objected move_lines(const Case& one, stock::Action action, const std::vector<stock::Line>& parts,
                    std::vector<StockMove>& moves) {
    const auto wrong = [](std::string text) {
        return Objection{Reason::field_invalid, std::move(text), {}};
    };
    std::size_t used = 0;
    for (const stock::Line& line : one.entity.items) {
        const auto part = std::ranges::find(parts, line.sku, &stock::Line::sku);
        if (!parts.empty() && part == parts.end()) continue;
        used += part == parts.end() ? 0 : 1;
        const auto held = std::ranges::find(one.entity.stock, line.sku, &HeldStock::sku);
        StockMove move{line.sku, {}, {}};
        if (held != one.entity.stock.end()) move.after = held->reservation;
        const auto change =
            stock::act(move.after, action, line.quantity,
                       part == parts.end() ? std::nullopt : std::optional(part->quantity));
        if (!change)
            return wrong(fmt::format("`{}`: there is not so much to {}", line.sku.code,
                                     stock::name_of(action)));
        move.change = *change;
        if (!stock::is_nothing(move.change)) moves.push_back(std::move(move));
    }
    if (used < parts.size()) return wrong("the items hold an SKU that the order does not have");
    return std::nullopt;
}

// What ends holds nothing: nobody could give it back any more. Returns an SKU of which something was left.
std::optional<stock::Sku> release_rest(const Entity& entity, std::vector<StockMove>& moves) {
    for (const HeldStock& held : entity.stock)
        if (std::ranges::find(moves, held.sku, &StockMove::sku) == moves.end())
            moves.push_back({held.sku, {}, held.reservation});
    std::ranges::sort(moves, {}, &StockMove::sku);
    std::optional<stock::Sku> left;
    for (StockMove& move : moves) {
        const auto open = stock::open_of(move.after);
        const auto change = stock::act(move.after, stock::Action::release, open);
        if (open == 0 || !change) continue;
        move.change.available += change->available;
        move.change.reserved += change->reserved;
        left = move.sku;
    }
    std::erase_if(moves, [](const StockMove& move) { return stock::is_nothing(move.change); });
    return left;
}

}  // namespace

const Value* find_value(const Fields& fields, std::string_view name) {
    const auto at = fields.find(name);
    return at == fields.end() ? nullptr : &at->second;
}

bool has_role_of(const Names& allow, const std::vector<std::string>& roles) {
    return holds(allow, "anyone") || std::ranges::any_of(roles, [&](const std::string& role) {
               return holds(allow, "role " + role);
           });
}

std::optional<std::string> said_of(const Case& one, const std::string& name) {
    if (const auto at = one.values.find(name); at != one.values.end()) return at->second.text;
    if (!one.rule.external || !is_money(name)) return std::nullopt;
    const auto raw = one.event.values.find(name);
    return raw == one.event.values.end() ? std::nullopt : std::optional(raw->second);
}

const Value* field_after(const Case& one, const std::string& name) {
    if (holds(one.rule.set, name))
        if (const auto at = one.values.find(name); at != one.values.end()) return &at->second;
    const auto at = one.entity.fields.find(name);
    return at == one.entity.fields.end() ? nullptr : &at->second;
}

bool is_allowed(const Machine& machine, const EventRule& rule, const Event& event) {
    switch (event.sender) {
        case Sender::timer:
            return machine.is_of_a_deadline(rule);
        case Sender::probe:
            return rule.external;
        case Sender::callback:
            return rule.external && (rule.allow.empty() || holds(rule.allow, "callback"));
        case Sender::caller:
            break;
    }
    if (rule.allow.empty()) return !rule.external && !machine.is_of_a_deadline(rule);
    return has_role_of(rule.allow, event.roles);
}

std::expected<Fields, Objection> read_values(const Machine& machine, const EventRule& rule,
                                             const Event& event) {
    Fields values;
    for (const auto& [name, text] : event.values) {
        const auto type = type_of(machine.definition(), rule, name);
        if (!type) {
            // A provider's notification says more than anybody asked for.
            if (event.sender == Sender::callback) continue;
            return object(Reason::field_invalid,
                          fmt::format("`{}` takes no `{}`", rule.name, name));
        }
        const auto value = parse_value(*type, text);
        if (!value)
            return object(Reason::field_invalid, fmt::format("`{}`: {}", name, value.error().text));
        values.emplace(name, *value);
    }
    const bool creates = &rule == &machine.definition().create;
    for (const Field& field : creates ? machine.definition().fields : rule.fields)
        if (field.required && !values.contains(field.name))
            return object(Reason::field_invalid, fmt::format("`{}` is missing", field.name));
    return values;
}

std::vector<Fact> facts_of(const Case& one, std::string_view state) {
    std::vector<Fact> facts;
    for (std::size_t i = 0; i < one.rule.unique.size(); ++i) {
        const UniqueRule& rule = one.rule.unique[i];
        if (!rule.while_in.empty() && !holds(rule.while_in, state)) continue;
        Fact fact{{}, one.rule.name, {}, rule.while_in, holder_of(one)};
        DigestStream key;
        for (const std::string_view part :
             {std::string_view("pawl.fact"), std::string_view(one.entity.tenant),
              std::string_view(one.entity.flow), std::string_view(one.rule.name)})
            key.add_part(part);
        key.add_part(std::to_string(i));
        for (const std::string& name : rule.fields) {
            const auto text = named_value(one, name);
            if (!text) break;
            key.add_part(*text);
            fact.values.emplace_back(name, *text);
        }
        if (fact.values.size() < rule.fields.size()) continue;
        fact.key = key.finish();
        facts.push_back(std::move(fact));
    }
    return facts;
}

std::vector<Fact> facts_taken(const Case& one, std::string_view state) {
    std::vector<Fact> facts = facts_of(one, state);
    if (!one.rule.external) return facts;
    for (Fact& fact : facts)
        for (const std::string_view name : kMoney) {
            auto text = said_of(one, std::string(name));
            if (text && fact.while_in.empty() && told_in(fact.values, name) == nullptr)
                fact.values.emplace_back(name, *std::move(text));
        }
    return facts;
}

std::vector<Fact> facts_said(const Case& one) {
    if (!one.rule.external) return {};
    std::vector<Fact> facts = facts_of(one, {});
    for (Fact& fact : facts) fact.holder.version = 0;
    return facts;
}

Objected check_named(const Case& one) {
    if (!one.rule.external) return std::nullopt;
    for (const UniqueRule& rule : one.rule.unique) {
        if (!rule.while_in.empty()) continue;
        for (const std::string& name : rule.fields)
            if (!named_value(one, name))
                return Objection{Reason::field_invalid,
                                 fmt::format("`{}` says which one it is, and is missing", name),
                                 {}};
    }
    return std::nullopt;
}

std::expected<std::optional<Slot>, Objection> slot_of(const Case& one, const Transition& rule) {
    if (!rule.exclusive) return std::nullopt;
    const Value* resource = field_after(one, rule.exclusive->resource);
    const Value* from = field_after(one, rule.exclusive->from);
    const Value* to = field_after(one, rule.exclusive->to);
    if (resource == nullptr || from == nullptr || to == nullptr)
        return object(Reason::field_invalid,
                      fmt::format("a slot needs `{}`, `{}` and `{}`", rule.exclusive->resource,
                                  rule.exclusive->from, rule.exclusive->to));
    if (!(compare(*from, *to) < 0))
        return object(Reason::field_invalid, fmt::format("`{}` is not before `{}`",
                                                         rule.exclusive->from, rule.exclusive->to));
    return Slot{resource->text, from->text, to->text, rule.exclusive->while_in, holder_of(one)};
}

std::expected<std::vector<StockMove>, Objection> moves_of(const Case& one,
                                                          std::optional<stock::Action> action,
                                                          bool ends) {
    std::vector<StockMove> moves;
    if (one.event.sender == Sender::timer && is_planted(Plant::expiry_keeps_stock)) return moves;
    const bool creates = one.rule.name == "create";
    std::vector<stock::Line> parts;
    if (action && !creates && !one.event.items.empty()) {
        auto merged = stock::merged(one.event.items);
        if (!merged) return object(Reason::field_invalid, merged.error().text);
        parts = std::move(*merged);
    }
    if (action)
        if (auto why = move_lines(one, *action, parts, moves)) return std::unexpected(*why);
    if (!ends) return moves;
    const auto left = release_rest(one.entity, moves);
    if (left && action == stock::Action::release && !parts.empty())
        return object(Reason::field_invalid,
                      fmt::format("`{}` ends the {}, and `items` would leave `{}` reserved: name "
                                  "all that is reserved, or leave `items` out",
                                  one.rule.name, one.entity.flow, left->code));
    return moves;
}

void arrive(const Case& one, std::string_view state, Bundle& bundle) {
    const Definition& flow = one.machine.definition();
    const StateRule& target = *one.machine.state(state);
    const bool creates = bundle.course == Course::created;
    for (const timer::Running& running : one.entity.deadlines) {
        const auto whole = std::ranges::find_if(flow.deadlines, [&](const FlowDeadline& deadline) {
            return deadline.rule.name == running.name;
        });
        const bool of_a_state = whole == flow.deadlines.end();
        const bool ends = of_a_state ? running.name != state : holds(whole->until, state);
        if (ends || target.final || running.name == bundle.fired)
            bundle.stop.push_back(running.name);
    }
    if (target.deadline && !target.final && (creates || state != one.entity.state))
        bundle.start.push_back(*target.deadline);
    if (creates)
        for (const FlowDeadline& deadline : flow.deadlines)
            if (!holds(deadline.until, state)) bundle.start.push_back(deadline.rule);
    for (const Fact& fact : one.entity.facts)
        if (!fact.while_in.empty() && !holds(fact.while_in, state))
            bundle.free_facts.push_back(fact.key);
    for (const Slot& slot : one.entity.slots)
        if (!holds(slot.while_in, state)) bundle.free_slots.push_back(slot);
}

}  // namespace pawl::flow
