// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_api/flow_rules.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "runtime/codec/text.hpp"
#include "runtime/result/assert.hpp"
#include "surface/flow_api/request_body.hpp"

namespace pawl::flow_api {
namespace {

constexpr std::size_t kNameShownMax = 80;

std::string operation_name(const FlowCall& call) {
    switch (call.kind) {
        case Kind::create:
            return "POST /v1/flows/" + call.flow;
        case Kind::send:
            return fmt::format("POST /v1/flows/{}/events/{}", call.flow, call.name);
        case Kind::renew:
            return fmt::format("POST /v1/flows/{}/deadlines", call.flow);
        case Kind::change_stock:
            return "POST /v1/stock";
        case Kind::read_stock:
            return "GET /v1/stock";
        default:
            return "GET /v1/flows/" + call.flow;
    }
}

std::string listed(const std::vector<std::string>& names) {
    return names.empty() ? "none" : fmt::format("`{}`", fmt::join(names, "`, `"));
}

}  // namespace

FlowRules::FlowRules(std::shared_ptr<const engine::Machines> machines, caller::Callers callers,
                     Access access, std::optional<policy::CorsRule> cors, bool alias)
    : machines_(std::move(machines)),
      callers_(std::move(callers)),
      access_(std::move(access)),
      cors_(std::move(cors)),
      alias_(alias) {
    add({.kind = Kind::change_stock});
    add({.kind = Kind::read_stock});
    for (const auto& [flow, machine] : machines_->all()) {
        for (const Kind kind : {Kind::create, Kind::read, Kind::renew})
            add({.kind = kind, .flow = flow});
        for (const flow::EventRule& event : machine.definition().events)
            add({.kind = Kind::send, .flow = flow, .name = event.name});
    }
}

void FlowRules::add(const FlowCall& call) {
    const Kind kind = call.kind;
    policy::Route route;
    route.name = operation_name(call);
    route.method = is_write(kind) ? "POST" : "GET";
    route.path = "/*";
    route.protect = takes_key(kind);
    route.key.source = policy::KeyRule::Source::header;
    route.key.required = takes_key(kind);
    if (kind == Kind::send) {
        route.version.source = policy::VersionRule::Source::header;
        route.version.header = "Pawl-Version";
    }
    route.caller = access_.caller;
    route.tenant = access_.tenant_rule;
    route.retention = access_.retention;
    route.body_bytes_max = kBodyBytesMax;
    auto compiled = policy::compile(std::move(route));
    PAWL_ASSERT(compiled.has_value());
    // The same entity is meant whatever the host is called.
    compiled->fingerprint = compiled->fingerprint_without_host;
    compiled->fingerprint_digest = key::digest_of(compiled->fingerprint);
    Operation& operation = operations_[operation_name(call)];
    operation.compiled = *std::move(compiled);
}

const Operation* FlowRules::find(const FlowCall& call) const {
    const bool of_a_flow = call.kind != Kind::change_stock && call.kind != Kind::read_stock;
    const flow::Machine* machine = of_a_flow ? machines_->find(call.flow) : nullptr;
    if (of_a_flow && machine == nullptr) return nullptr;
    if (call.kind == Kind::send && machine->event(call.name) == nullptr) return nullptr;
    const auto at = operations_.find(operation_name(call));
    return at == operations_.end() ? nullptr : &at->second;
}

Misdirected FlowRules::why_not(const FlowCall& call) const {
    const auto shown = [](const std::string& name) {
        return to_utf8(std::string_view(name).substr(0, kNameShownMax));
    };
    std::vector<std::string> names;
    const flow::Machine* machine = machines_->find(call.flow);
    if (machine == nullptr) {
        for (const auto& [name, one] : machines_->all()) names.push_back(name);
        return {404, "not_found",
                fmt::format("There is no flow `{}` here; there is {}.", shown(call.flow),
                            listed(names))};
    }
    for (const flow::EventRule& event : machine->definition().events) names.push_back(event.name);
    return {404, "not_found",
            fmt::format("Flow `{}` has no event `{}`; it has {}. A POST to /flows/{} itself "
                        "creates.",
                        call.flow, shown(call.name), listed(names), call.flow)};
}

}  // namespace pawl::flow_api
