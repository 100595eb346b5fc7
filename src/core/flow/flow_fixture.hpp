// SPDX-License-Identifier: Apache-2.0
// For the tests of this folder: the order of the documentation as a value, and short ways to say things.
#pragma once

#include <algorithm>

#include "core/flow/definition.hpp"

namespace pawl::flow {

template <class List>
auto& named(List& list, std::string_view name) {
    return *std::ranges::find(list, name, [](const auto& one) { return one.name; });
}

inline EventRule event(std::string name, Names from, std::string to) {
    EventRule rule;
    rule.name = std::move(name);
    rule.transitions.push_back({.from = std::move(from), .to = std::move(to)});
    return rule;
}

inline StateRule state(std::string name, std::chrono::milliseconds after, std::string event,
                       std::vector<Late> late = {}) {
    StateRule rule{name, false, timer::Rule{name, std::move(event), timer::From::enter, after, {}},
                   std::move(late)};
    return rule;
}

inline Late compensated(std::string event, std::string saga = "refund") {
    return {std::move(event), false, std::move(saga), {}};
}
inline Late ignored(std::string event) { return {std::move(event), true, {}, {}}; }

inline std::vector<EventRule> order_events() {
    EventRule begin = event("begin_payment", {"created"}, "paying");
    EventRule reserve = event("reserve", {"paying"}, "reserved");
    reserve.transitions[0].stock = stock::Action::reserve;
    EventRule pay = event("pay", {"created", "paying", "reserved"}, "paid");
    pay.external = true;
    pay.unique = {{{"provider", "transaction_id"}, {}}};
    Transition& paid = pay.transitions[0];
    paid.require = {{"amount", Guard::Kind::same, {}}};
    paid.stock = stock::Action::confirm;
    paid.short_of = Branch{"cancelled", "refund"};
    paid.emit = "order.paid";
    EventRule cancel = event("cancel", {"created", "paying", "reserved"}, "cancelled");
    cancel.transitions[0].before = "probe_payment";
    cancel.transitions[0].stock = stock::Action::release;
    cancel.transitions[0].emit = "order.cancelled";
    EventRule expire = cancel;
    expire.name = "expire";
    expire.transitions[0].emit = "order.expired";
    EventRule escalate = event("escalate", {"paid"}, "same");
    escalate.transitions[0].emit = "order.escalated";
    EventRule ship = event("ship", {"paid"}, "shipped");
    ship.transitions[0].emit = "order.shipped";
    EventRule deliver = event("deliver", {"shipped"}, "delivered");
    deliver.external = true;
    deliver.early = Early::park;
    deliver.transitions[0].emit = "order.delivered";
    EventRule close = event("close", {"shipped"}, "delivered");
    close.transitions[0].emit = "order.unsigned";
    return {begin, reserve, pay, cancel, expire, escalate, ship, deliver, close};
}

inline Definition order_flow() {
    Definition flow;
    flow.name = "order";
    flow.initial = "created";
    flow.fields = {{"amount", FieldType::money}, {"currency", FieldType::text}};
    flow.items = true;
    flow.correlate = Correlate{"out_trade_no", "business_key"};
    flow.deadlines = {{{"unpaid", "expire", timer::From::create, 30min, {}},
                       {"paying", "reserved", "paid", "cancelled"}}};
    flow.states = {state("created", 15min, "expire"),
                   state("paying", 45min, "expire"),
                   state("reserved", 60min, "expire"),
                   state("paid", 72h, "escalate", {compensated("pay")}),
                   state("shipped", 24h * 15, "close", {compensated("pay")}),
                   {"delivered", true, {}, {compensated("pay"), ignored("deliver")}},
                   {"cancelled", true, {}, {compensated("pay"), ignored("deliver")}}};
    flow.events = order_events();
    flow.probes = {{.name = "probe_payment",
                    .call = "GET http://pay/orders/{business_key}",
                    .paid = "$.paid == true",
                    .facts = {{"provider", "$.provider"}, {"transaction_id", "$.transaction_id"}}}};
    flow.sagas = {{"refund", "POST http://pay/refunds", {"provider", "transaction_id"}, {}}};
    flow.create.transitions[0].to = flow.initial;
    return flow;
}

// A box that is packed once, by a scan.
inline Definition box_flow() {
    Definition flow;
    flow.name = "box";
    flow.initial = "pending";
    flow.fields = {{"box", FieldType::text}};
    flow.states = {{"pending", false, {}, {}}, {"packed", true, {}, {}}};
    EventRule pack = event("pack", {"pending"}, "packed");
    pack.fields = {
        {"token", FieldType::text}, {"ts_ms", FieldType::integer}, {"nonce", FieldType::text}};
    pack.token = TokenRule{"token", {"box", "ts_ms", "nonce"}, "ts_ms"};
    pack.unique = {{{"token"}, {}}};
    flow.events = {pack};
    flow.create.transitions[0].to = "pending";
    return flow;
}

}  // namespace pawl::flow
