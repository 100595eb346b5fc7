// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_api/openapi.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "core/flow/limits.hpp"
#include "core/flow/names.hpp"
#include "surface/flow_api/openapi_parts.hpp"

namespace pawl::flow_api {
namespace {

namespace json = boost::json;

// One that whoever calls may send, with a role or without.
bool is_for_callers(const flow::Machine& machine, const flow::EventRule& event) {
    if (event.allow.empty()) return !event.external && !machine.is_of_a_deadline(event);
    return event.allow != flow::Names{"callback"};
}

std::optional<flow::FieldType> type_of(const flow::Definition& flow, const std::string& field) {
    for (const flow::Field& one : flow.fields)
        if (one.name == field) return one.type;
    return std::nullopt;
}

json::object body_of(const std::vector<flow::Field>& fields) {
    json::object properties;
    json::array required;
    for (const flow::Field& field : fields) {
        properties[field.name] = schema_of(field.type);
        if (field.required) required.emplace_back(field.name);
    }
    json::object schema{
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
    if (!required.empty()) schema["required"] = std::move(required);
    return schema;
}

// A provider's report has to say the same, so that only what reports can say is taken.
bool is_reported(const flow::Definition& flow, const std::string& field) {
    return std::ranges::any_of(flow.events, [&](const flow::EventRule& event) {
        return event.external && std::ranges::any_of(event.transitions, [&](const auto& way) {
                   return std::ranges::any_of(way.require, [&](const flow::Guard& guard) {
                       return guard.kind == flow::Guard::Kind::same && guard.field == field;
                   });
               });
    });
}

json::object creation_body(const flow::Definition& flow) {
    json::object schema = body_of(flow.fields);
    json::object& properties = schema["properties"].as_object();
    for (const flow::Field& field : flow.fields) {
        if (!is_reported(flow, field.name)) continue;
        if (field.type == flow::FieldType::money) properties[field.name] = amount_schema();
        if (field.name == "currency") properties[field.name] = currency_schema();
    }
    properties["business_key"] = business_key_schema();
    if (flow.items) {
        properties["items"] = items_schema();
        if (!schema.contains("required")) schema["required"] = json::array{};
        schema["required"].as_array().emplace_back("items");
    }
    return schema;
}

json::object event_body(const flow::Definition& flow, const flow::EventRule& event) {
    json::object schema = body_of(event.fields);
    json::object& properties = schema["properties"].as_object();
    for (const std::string& name : event.set)
        if (const auto type = type_of(flow, name)) properties[name] = schema_of(*type);
    if (flow.items) properties["items"] = items_schema();
    return schema;
}

json::object entity_schema(const flow::Definition& flow) {
    json::object fields;
    for (const flow::Field& field : flow.fields) fields[field.name] = shown_schema(field.type);
    json::array states;
    for (const flow::StateRule& state : flow.states) states.emplace_back(state.name);
    json::object schema = entity_frame();
    json::object& properties = schema["properties"].as_object();
    if (!flow.check_code.empty()) properties["checked_id"] = checked_id_schema();
    properties["flow"] = {{"const", flow.name}};
    properties["state"] = {{"enum", std::move(states)}};
    properties["fields"] = {{"type", "object"}, {"properties", std::move(fields)}};
    return schema;
}

// How the flow's ids are written in paths.
json::object id_of(const flow::Definition& flow) {
    return parameter(flow.check_code.empty() ? "Id" : "CheckedId");
}

class Document {
  public:
    explicit Document(const FlowRules& rules) : rules_(rules), schemas_(shared_schemas()) {}

    json::object make() {
        for (const auto& [name, machine] : rules_.machines().all()) add(machine);
        add_stock();
        const std::string_view base = rules_.alias() ? kAlias : kReserved;
        return {{"openapi", "3.1.0"},
                {"info",
                 {{"title", "Flows"},
                  {"version", "1"},
                  {"description",
                   "What each flow takes is declared in its file. Every POST takes effect once "
                   "per Idempotency-Key; a repeat gets the first answer."}}},
                {"servers", json::array{{{"url", base}}}},
                {"paths", std::move(paths_)},
                {"components",
                 {{"schemas", std::move(schemas_)}, {"parameters", shared_parameters()}}}};
    }

  private:
    void add(const flow::Machine& machine) {
        const flow::Definition& flow = machine.definition();
        const std::string path = "/flows/" + flow.name;
        schemas_[flow.name] = entity_schema(flow);
        paths_[path] = {
            {"post", keyed("create_" + flow.name, "Create", creation_body(flow), flow.name, 201)},
            {"get", reading("list_" + flow.name, "Newest first", page_schema(flow.name),
                            page_parameters())}};
        paths_[path + "/states"] = {
            {"get", reading("states_" + flow.name, "The machine: states, events, conditions",
                            {{"type", "object"}}, {})}};
        paths_[path + "/{id}"] = {
            {"get", reading("read_" + flow.name, "As it is now", reference(flow.name),
                            {id_of(flow), parameter("IfNoneMatch")}, true)}};
        paths_[path + "/{id}/timeline"] = {
            {"get",
             reading("timeline_" + flow.name, "What happened, oldest first", reference("Timeline"),
                     {id_of(flow), parameter("AfterVersion"), parameter("Limit")})}};
        for (const flow::EventRule& event : flow.events)
            if (is_for_callers(machine, event))
                paths_[fmt::format("{}/{{id}}/events/{}", path, event.name)] = {
                    {"post", event_call(flow, event)}};
        add_deadlines(flow, path);
    }

    json::object event_call(const flow::Definition& flow, const flow::EventRule& event) {
        json::object call =
            keyed(fmt::format("{}_{}", event.name, flow.name), fmt::format("Send `{}`", event.name),
                  event_body(flow, event), flow.name, 200);
        json::array& parameters = call["parameters"].as_array();
        parameters.emplace_back(id_of(flow));
        parameters.emplace_back(parameter("IfMatch"));
        // A caller's report of a fact may have to wait.
        if (event.external)
            call["responses"].as_object()["202"] = answer(
                "Acknowledged: it waits, or a person has to look", reference("Acknowledgement"));
        const bool empty = event.fields.empty();
        call["requestBody"].as_object()["required"] = !empty;
        return call;
    }

    void add_deadlines(const flow::Definition& flow, const std::string& path) {
        json::array names;
        for (const flow::StateRule& state : flow.states)
            if (state.deadline) names.emplace_back(state.name);
        if (names.empty()) return;
        json::object call = reading("renew_" + flow.name, "The deadline's whole span again",
                                    reference(flow.name), {id_of(flow)});
        call["parameters"].as_array().push_back({{"name", "deadline"},
                                                 {"in", "path"},
                                                 {"required", true},
                                                 {"schema", {{"enum", std::move(names)}}}});
        paths_[path + "/{id}/deadlines/{deadline}"] = {{"post", std::move(call)}};
    }

    void add_stock() {
        json::object change = keyed("change_stock", "How much there is, or so much more or less",
                                    stock_change_schema(), "", 200);
        change["parameters"].as_array().emplace_back(parameter("Sku"));
        paths_["/stock/{sku}"] = {
            {"get", reading("read_stock", "How much there is", reference("Level"),
                            {parameter("Sku"), parameter("StockKind")})},
            {"post", std::move(change)}};
    }

    const FlowRules& rules_;
    json::object paths_;
    json::object schemas_;
};

}  // namespace

json::object openapi(const FlowRules& rules) { return Document(rules).make(); }

}  // namespace pawl::flow_api
