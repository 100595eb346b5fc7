// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_api/machine_view.hpp"

#include <boost/json/array.hpp>

#include "core/flow/names.hpp"

namespace pawl::flow_api {
namespace {

namespace json = boost::json;

json::array listed(const flow::Names& names) { return json::array(names.begin(), names.end()); }

json::object shown(const std::vector<flow::Field>& fields) {
    json::object object;
    for (const flow::Field& field : fields)
        object[field.name] = {{"type", flow::name_of(field.type)}, {"required", field.required}};
    return object;
}

json::object shown(const flow::Guard& guard) {
    json::object object{{"field", guard.field}, {"is", flow::name_of(guard.kind)}};
    if (guard.values.size() == 1 && guard.kind != flow::Guard::Kind::one_of)
        object["value"] = guard.values.front();
    else if (!guard.values.empty())
        object["values"] = listed(guard.values);
    return object;
}

json::object shown(const timer::Rule& rule) {
    json::object object{{"name", rule.name},
                        {"event", rule.event},
                        {"after_ms", rule.after.count()},
                        {"from", rule.from == timer::From::enter ? "enter" : "create"}};
    if (rule.cap) object["cap_ms"] = rule.cap->count();
    return object;
}

json::object shown(const flow::Transition& way) {
    json::object object;
    if (!way.from.empty()) object["from"] = listed(way.from);
    if (!way.to.empty()) object["to"] = way.to;
    json::array guards;
    for (const flow::Guard& guard : way.require) guards.emplace_back(shown(guard));
    if (!guards.empty()) object["guards"] = std::move(guards);
    if (!way.before.empty()) object["asks_first"] = way.before;
    if (way.stock) object["stock"] = stock::name_of(*way.stock);
    if (way.exclusive) object["holds"] = way.exclusive->resource;
    if (way.short_of) object["short"] = way.short_of->to;
    if (way.taken) object["taken"] = way.taken->to;
    if (!way.saga.empty()) object["saga"] = way.saga;
    if (!way.emit.empty()) object["emits"] = way.emit;
    return object;
}

json::object shown(const flow::EventRule& event) {
    json::object object{{"external", event.external}};
    if (!event.fields.empty()) object["fields"] = shown(event.fields);
    if (!event.set.empty()) object["sets"] = listed(event.set);
    if (!event.reverses.empty()) object["reverses"] = event.reverses;
    if (!event.allow.empty()) object["allow"] = listed(event.allow);
    json::array unique;
    for (const flow::UniqueRule& rule : event.unique) unique.emplace_back(listed(rule.fields));
    if (!unique.empty()) object["unique"] = std::move(unique);
    json::array ways;
    for (const flow::Transition& way : event.transitions) ways.emplace_back(shown(way));
    object["transitions"] = std::move(ways);
    return object;
}

json::object shown(const flow::StateRule& state) {
    json::object object{{"final", state.final}};
    if (state.deadline) object["deadline"] = shown(*state.deadline);
    if (!state.renewed_by.empty())
        object["deadline"].as_object()["renewed_by"] = listed(state.renewed_by);
    json::object late;
    for (const flow::Late& one : state.late) late[one.event] = one.ignore ? "ignore" : one.saga;
    if (!late.empty()) object["late"] = std::move(late);
    return object;
}

}  // namespace

json::object machine_view(const flow::Definition& flow) {
    json::object states;
    for (const flow::StateRule& state : flow.states) states[state.name] = shown(state);
    json::object events;
    for (const flow::EventRule& event : flow.events) events[event.name] = shown(event);
    json::array deadlines;
    for (const flow::FlowDeadline& one : flow.deadlines) {
        json::object deadline = shown(one.rule);
        deadline["until"] = listed(one.until);
        deadlines.emplace_back(std::move(deadline));
    }
    return {{"flow", flow.name},
            {"initial", flow.initial},
            {"fields", shown(flow.fields)},
            {"items", flow.items},
            {"states", std::move(states)},
            {"events", std::move(events)},
            {"deadlines", std::move(deadlines)}};
}

}  // namespace pawl::flow_api
