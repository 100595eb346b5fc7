// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_flows.hpp"

#include <fmt/format.h>

#include "surface/config/read_callers.hpp"
#include "surface/config/read_services.hpp"
#include "surface/flow_file/built_in.hpp"
#include "surface/flow_file/load.hpp"
#include "surface/yaml/nearest.hpp"

namespace pawl::config {
namespace {

using policy::Finding;
using policy::Severity;

// Longer than the slowest provider repeats a notification (flow::kFactHorizon).
constexpr std::chrono::hours kFinishedMin{48};
constexpr std::string_view kForms = "write `flows: [order, ./coupon.yaml]`";

// What was found in a flow's file, at the place that names the file.
void say(Reading& reading, const YamlNode& at, const std::string& file, const Finding& found) {
    std::string place =
        found.line == 0 ? file : fmt::format("{}:{}:{}", file, found.line, found.column);
    reading.findings.push_back({found.severity, at.line, at.column,
                                fmt::format("{}: {}", place, found.what), found.remedy});
}

// What is read of the section before its machines can be made.
struct Gathered {
    std::vector<flow::Definition> definitions;
    std::vector<const YamlNode*> places;  // that name them
};

flow::Definition* find_flow(Gathered& gathered, std::string_view name) {
    const auto at = std::ranges::find(gathered.definitions, name, &flow::Definition::name);
    return at == gathered.definitions.end() ? nullptr : &*at;
}

void take_flow(Reading& reading, const YamlNode& node, std::string use, FlowSettings& flows,
               Gathered& gathered) {
    const auto error = [&](std::string what, std::string remedy) {
        reading.findings.push_back(
            {Severity::error, node.line, node.column, std::move(what), std::move(remedy)});
    };
    const auto loaded = flow_file::load_named(use);
    if (!loaded) {
        const auto meant = yaml::nearest(use, flow_file::built_in_names());
        error(fmt::format("`{}` is no flow that comes with Pawl", use),
              meant ? fmt::format("did you mean `{}`?", *meant)
                    : fmt::format("write the path of its file, as in `./{}.yaml`", use));
        return;
    }
    for (const Finding& found : *loaded ? (*loaded)->warnings : loaded->error())
        say(reading, node, use, found);
    if (!*loaded) return;
    if (find_flow(gathered, (*loaded)->definition.name) != nullptr) {
        error(fmt::format("there is a flow `{}` already", (*loaded)->definition.name),
              "remove one of them, or give its file another `flow: NAME`");
        return;
    }
    gathered.definitions.push_back((*loaded)->definition);
    gathered.places.push_back(&node);
    flows.use.push_back(std::move(use));
}

void take_flows(Reading& reading, const YamlNode& node, const std::string& folder,
                FlowSettings& flows, Gathered& gathered) {
    std::vector<const YamlNode*> named;
    if (node.kind == YamlNode::Kind::scalar) named.push_back(&node);
    for (const YamlNode& item : node.items) named.push_back(&item);
    if (named.empty())
        reading.findings.push_back(
            {Severity::error, node.line, node.column, "no flow is named", std::string(kForms)});
    for (const YamlNode* one : named) {
        if (one->kind != YamlNode::Kind::scalar) {
            reading.findings.push_back({Severity::error, one->line, one->column,
                                        fmt::format("a flow is {}", name_of(one->kind)),
                                        std::string(kForms)});
            continue;
        }
        std::string use = one->text;
        if (flow_file::is_path(use) && !use.starts_with('/') && !folder.empty())
            use = fmt::format("{}/{}", folder, use);
        take_flow(reading, *one, std::move(use), flows, gathered);
    }
}

// Who may send one event, in place of what its flow says.
void take_allowed(Section& section, const YamlNode::Member& given, flow::Definition& definition,
                  flow::Names& allowed) {
    std::vector<std::string> events{"create"};
    for (const flow::EventRule& one : definition.events) events.push_back(one.name);
    if (!section.texts(given.name, allowed)) return;
    if (allowed.empty())
        section.error(given.value, fmt::format("`{}` names nobody", given.name),
                      "write `[role NAME]`, or leave it out: the flow's file says who may");
    if (std::ranges::find(events, given.name) == events.end()) {
        const auto meant = yaml::nearest(given.name, events);
        section.error(given.value,
                      fmt::format("`{}` is no event of `{}`", given.name, definition.name),
                      meant ? fmt::format("did you mean `{}`?", *meant)
                            : fmt::format("write one of {}", fmt::join(events, ", ")));
        return;
    }
    if (given.name == "create") definition.create.allow = allowed;
    for (flow::EventRule& one : definition.events)
        if (one.name == given.name) one.allow = allowed;
}

void read_allow(Reading& reading, Section& section, FlowSettings& flows, Gathered& gathered) {
    const YamlNode* node = section.take("allow");
    if (node == nullptr) return;
    constexpr std::string_view kAllow = "write `allow: { order: { ship: [role warehouse] } }`";
    if (node->kind != YamlNode::Kind::map) {
        section.error(*node, fmt::format("`allow` is {}", name_of(node->kind)),
                      std::string(kAllow));
        return;
    }
    for (const YamlNode::Member& of : node->members) {
        flow::Definition* definition = find_flow(gathered, of.name);
        if (definition == nullptr) {
            section.error(of.value, fmt::format("`{}` is no flow that is served", of.name),
                          "write a name of `use`");
            continue;
        }
        if (of.value.kind != YamlNode::Kind::map) {
            section.error(of.value, fmt::format("`{}` is {}", of.name, name_of(of.value.kind)),
                          std::string(kAllow));
            continue;
        }
        Section events(reading, &of.value, "flows.allow." + of.name, false);
        for (const YamlNode::Member& given : of.value.members)
            take_allowed(events, given, *definition, flows.allow[of.name][given.name]);
    }
}

void read_role(Reading& reading, Section& roles, const YamlNode::Member& given,
               const policy::CallerRule& caller, policy::RoleRule& role) {
    role.name = given.name;
    if (given.value.kind != YamlNode::Kind::map) {
        if (roles.texts(given.name, role.callers) && role.callers.empty())
            roles.error(given.value, fmt::format("nobody has the role `{}`", role.name),
                        "write `[ann]`, or `{ claim: roles }`");
        return;
    }
    roles.take(given.name);
    Section section(reading, &given.value, "flows.roles." + given.name, false);
    section.texts("callers", role.callers);
    section.text("jwt", role.jwt);
    section.text("claim", role.claim);
    section.text("has", role.has);
    section.finish();
    if (role.claim.empty()) {
        if (!role.jwt.empty() || !role.has.empty())
            section.error("which member of the token says the role is not said",
                          "write `claim: roles`");
        if (role.callers.empty())
            section.error(fmt::format("nobody has the role `{}`", role.name),
                          "write `callers: [ann]` or `claim: roles`");
        return;
    }
    if (role.has.empty()) role.has = role.name;
    if (role.jwt.empty() && caller.source == policy::CallerRule::Source::jwt)
        role.jwt = caller.name;
    if (role.jwt.empty())
        section.error("whose tokens say the role is not said",
                      "write `jwt: SET`, one of `callers`");
}

void read_roles(Reading& reading, Section& section, FlowSettings& flows) {
    const YamlNode* node = section.take("roles");
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::map) {
        section.error(*node, fmt::format("`roles` is {}", name_of(node->kind)),
                      "write `roles: { support: [ann, bob] }`");
        return;
    }
    Section roles(reading, node, "flows.roles", false);
    for (const YamlNode::Member& given : node->members)
        read_role(reading, roles, given, flows.caller, flows.roles.emplace_back());
    std::ranges::sort(flows.roles, {}, &policy::RoleRule::name);
}

void read_flow_retention(Section& parent, FlowSettings& flows) {
    policy::Retention& retention = flows.retention;
    Section section = parent.section("retention");
    section.duration("result", retention.result);
    std::chrono::milliseconds key{};
    const YamlNode* given = section.take("key");
    if (given != nullptr && given->text == "forever")
        retention.key = std::nullopt;
    else if (section.duration("key", key))
        retention.key = key;
    std::chrono::milliseconds finished{};
    given = section.take("finished");
    if (given != nullptr && given->text == "forever")
        flows.finished = std::nullopt;
    else if (section.duration("finished", finished))
        flows.finished = finished;
    section.finish();
    if (flows.finished && *flows.finished < kFinishedMin)
        section.error("`finished` would drop orders that facts may still come for",
                      "write at least 2d, or `forever`");
    if (retention.result < policy::kResultRetentionMin)
        section.error("`result` is too short for a repeat to find it", "write at least 1m");
    if (retention.key && *retention.key < retention.result)
        section.error("`key` is shorter than `result`", "write it as long, or leave it out");
}

// What an override makes of a flow is judged as the flow itself is.
void make_machines(Reading& reading, Gathered& gathered, FlowSettings& flows) {
    for (std::size_t i = 0; i < gathered.definitions.size(); ++i) {
        const std::string name = gathered.definitions[i].name;
        auto machine = flow::Machine::compile(std::move(gathered.definitions[i]));
        if (machine) {
            flows.machines.push_back(*std::move(machine));
            continue;
        }
        for (const flow::Finding& found : machine.error())
            say(reading, *gathered.places[i], name,
                {found.severity, 0, 0, fmt::format("{}: {}", found.path, found.what),
                 found.remedy});
    }
}

}  // namespace

void use_built_in_flows(Config& config) {
    for (const flow_file::BuiltIn& one : flow_file::built_in()) {
        auto loaded = flow_file::load_flow(one.text);
        if (!loaded) continue;  // a test loads each of them
        auto machine = flow::Machine::compile(std::move(loaded->definition));
        if (!machine) continue;
        config.flows.use.emplace_back(one.name);
        config.flows.machines.push_back(*std::move(machine));
    }
    for (const flow::Machine& machine : config.flows.machines)
        for (const Called& call : calls_of(machine.definition()))
            config.services.try_emplace(call.service, policy::Upstream{.demo = true});
}

void read_flows(Reading& reading, Section& top, const std::string& folder, FlowSettings& flows) {
    const YamlNode* node = top.take("flows");
    if (node == nullptr) return;
    Gathered gathered;
    if (node->kind != YamlNode::Kind::map) {
        take_flows(reading, *node, folder, flows, gathered);
    } else {
        Section section = top.section("flows");
        if (const YamlNode* use = section.take("use"))
            take_flows(reading, *use, folder, flows, gathered);
        else
            section.error("`flows` names none", "write `use: [order, ./coupon.yaml]` below it");
        read_caller(section, flows.caller);
        read_roles(reading, section, flows);
        read_allow(reading, section, flows, gathered);
        read_flow_retention(section, flows);
        section.finish();
    }
    make_machines(reading, gathered, flows);
}

}  // namespace pawl::config
