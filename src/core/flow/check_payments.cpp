// SPDX-License-Identifier: Apache-2.0
// Money that a fact brings: one payment is told from the next, it is the entity's own amount in its own currency, and
// where the entity cannot take it, something gives it back.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/flow/findings.hpp"
#include "core/flow/graph.hpp"
#include "core/flow/payments.hpp"

namespace pawl::flow {
namespace {

constexpr std::string_view kCurrency = "currency";

bool has_money_field(const Definition& flow) {
    return std::ranges::find(flow.fields, FieldType::money, &Field::type) != flow.fields.end();
}

// The state, or one that can follow it, is left with a saga.
bool is_settled_after(const Definition& flow, const Graph& graph, const std::string& state) {
    const std::size_t at = graph.index_of(state);
    if (at == Graph::kNone) return true;
    const StateSet next = graph.reachable(at);
    return std::ranges::any_of(flow.events, [&](const EventRule& event) {
        return std::ranges::any_of(event.transitions, [&](const Transition& one) {
            return !one.saga.empty() && std::ranges::any_of(one.from, [&](const auto& from) {
                const std::size_t source = graph.index_of(from);
                return source != Graph::kNone && next[source];
            });
        });
    });
}

// A repeat is looked for before anything else: what two payments share makes the second a repeat of the first, and
// nobody gives it back.
void check_names(Findings& found, const EventRule& event, const UniqueRule& rule) {
    const std::string path = path_of(event) + ".unique";
    if (!names_payment(found.definition(), event, rule))
        found.error(
            path,
            fmt::format("two payments of `{}` can have the same `{}`: the second passes for "
                        "the first, and is kept",
                        event.name, fmt::join(rule.fields, "`, `")),
            "add `transaction_id`, which each payment has for itself");
    else if (holds(rule.fields, "transaction_id") && !holds(rule.fields, "provider"))
        found.warn(
            path,
            fmt::format("two providers can give payments of `{}` the same number", event.name),
            "write `unique: { fields: [provider, account, transaction_id] }`");
}

void check_identity(Findings& found, const EventRule& event) {
    for (const UniqueRule& rule : event.unique) check_names(found, event, rule);
    if (!permanent_uniques(event).empty()) return;
    found.error(path_of(event),
                fmt::format("`{}` brings money, and nothing tells a payment that is reported twice "
                            "from a second one",
                            event.name),
                "write `unique: { fields: [provider, account, transaction_id] }`, without `while`");
}

void check_ignored(Findings& found, const EventRule& event) {
    const std::string what = fmt::format(
        "`{}` brings money, and ignored it is kept without anybody knowing", event.name);
    if (event.early == Early::ignore)
        found.error(path_of(event) + ".early", what, "write `early: park`");
    for (const StateRule& state : found.definition().states)
        for (const Late& late : state.late)
            if (late.event == event.name && late.ignore)
                found.error(fmt::format("states.{}.late.{}", state.name, late.event), what,
                            fmt::format("write `late: {{ {}: SAGA }}`, a saga that gives it back",
                                        event.name));
}

// The money is in, and the goods or the slot are not to be had.
void check_branch(Findings& found, const Graph& graph, const EventRule& event, const Branch& branch,
                  const std::string& path, std::string_view name) {
    const Definition& flow = found.definition();
    if (!branch.saga.empty() || is_settled_after(flow, graph, branch.to)) return;
    const std::size_t at = graph.index_of(branch.to);
    const std::string remedy = fmt::format(
        "write `{}: {{ to: {}, saga: SAGA }}`, a saga that gives it back", name, branch.to);
    if (flow.states[at].final)
        found.error(
            path,
            fmt::format("`{}` brings money, and ends in `{}` with it: nothing gives it back",
                        event.name, branch.to),
            remedy);
    else
        found.warn(path,
                   fmt::format("`{}` brings money, and nothing that follows `{}` gives it back",
                               event.name, branch.to),
                   remedy + ", or let an event start one later");
}

bool compares(const Definition& flow, const EventRule& event, const Transition& one,
              const auto& is_it) {
    return std::ranges::any_of(one.require, [&](const Guard& guard) {
        return is_it(guard.field, type_of(flow, event, guard.field));
    });
}

void check_amount(Findings& found, const EventRule& event, const Transition& one,
                  const std::string& path) {
    const Definition& flow = found.definition();
    if (!has_money_field(flow)) return;
    const bool amount = compares(
        flow, event, one, [](const std::string&, auto type) { return type == FieldType::money; });
    if (!amount) {
        found.warn(path, fmt::format("`{}` takes any amount", event.name),
                   "write `require: { amount: same, currency: same }`");
        return;
    }
    if (!type_of(flow, event, kCurrency)) {
        found.warn(
            "fields",
            fmt::format("`{}` compares amounts, and has no `currency`: providers report "
                        "`12.50 EUR` then, which is not the same as `12.50`",
                        event.name),
            "declare `currency: text`, and write `require: { amount: same, currency: same }`");
        return;
    }
    const bool currency = compares(
        flow, event, one, [](const std::string& field, auto) { return field == kCurrency; });
    if (!currency)
        found.warn(path, fmt::format("`{}` takes the amount in any currency", event.name),
                   "write `require: { amount: same, currency: same }`");
}

void check_given_back(Findings& found, const Graph& graph, const EventRule& event,
                      const Transition& one, const std::string& path) {
    const bool later = one.to != kSame && is_settled_after(found.definition(), graph, one.to);
    if (one.stock != stock::Action::return_sold || !one.saga.empty() || later) return;
    found.warn(
        path,
        fmt::format("`{}` takes the goods back, and nothing gives the money back", event.name),
        "write `saga: SAGA` beside `stock: return`");
}

}  // namespace

void check_payments(Findings& found) {
    const Definition& flow = found.definition();
    const Graph graph(flow);
    bool any = false;
    for (const EventRule& event : flow.events) {
        if (!brings_money(flow, event)) continue;
        any = true;
        check_identity(found, event);
        check_ignored(found, event);
    }
    each_transition(
        flow, [&](const EventRule& event, const Transition& one, const std::string& path) {
            if (any) check_given_back(found, graph, event, one, path);
            if (!brings_money(flow, event)) return;
            check_amount(found, event, one, path);
            if (one.short_of)
                check_branch(found, graph, event, *one.short_of, path + ".short", "short");
            if (one.taken) check_branch(found, graph, event, *one.taken, path + ".taken", "taken");
        });
}

}  // namespace pawl::flow
