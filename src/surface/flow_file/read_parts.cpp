// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_file/read_parts.hpp"

#include <array>

#include <fmt/format.h>

#include "core/flow/names.hpp"

namespace pawl::flow_file {

using flow::Definition;

const std::vector<YamlNode::Member>& members_of(Section& section, std::string_view name) {
    static const std::vector<YamlNode::Member> kNone;
    const YamlNode* node = section.take(name);
    if (node == nullptr) return kNone;
    if (node->kind == YamlNode::Kind::map) return node->members;
    section.error(*node, fmt::format("`{}` is {}", name, yaml::name_of(node->kind)),
                  fmt::format("write `{}: {{ NAME: … }}`", name));
    return kNone;
}

Section section_of(Reading& reading, std::string_view name, const YamlNode& value,
                   const std::string& path) {
    if (value.kind == YamlNode::Kind::map) return {reading, &value, path, false};
    Section none(reading, nullptr, path, false);
    if (value.kind != YamlNode::Kind::null)
        none.error(value, fmt::format("`{}` is {}", name, yaml::name_of(value.kind)),
                   fmt::format("write `{}: {{ … }}`", name));
    return none;
}

void read_fields(Reading& reading, Section& section, const std::string& path,
                 std::vector<flow::Field>& fields) {
    for (const YamlNode::Member& member : members_of(section, "fields")) {
        flow::Field field{.name = member.name};
        // The short form is the type alone.
        YamlNode typed;
        typed.kind = YamlNode::Kind::map;
        typed.line = member.value.line;
        typed.column = member.value.column;
        typed.members.push_back({"type", member.line, member.column, member.value});
        const bool is_short = member.value.kind == YamlNode::Kind::scalar;
        Section one = section_of(reading, member.name, is_short ? typed : member.value,
                                 fmt::format("{}.{}", path, member.name));
        if (!one.choice("type", flow::field_type_names(), flow::field_type_from, field.type) &&
            !one.has("type"))
            section.error(member.value, fmt::format("the field `{}` has no type", member.name),
                          fmt::format("write `{}: text`", member.name));
        one.flag("required", field.required);
        one.finish();
        fields.push_back(std::move(field));
    }
}

namespace {

void read_rule(Section& section, timer::Rule& rule) {
    section.duration("after", rule.after);
    section.text("event", rule.event);
}

void read_late(Reading& reading, Section& state, const std::string& path,
               std::vector<flow::Late>& late) {
    for (const YamlNode::Member& member : members_of(state, "late")) {
        flow::Late one{.event = member.name};
        if (member.value.kind == YamlNode::Kind::scalar) {
            one.ignore = member.value.text == "ignore";
            if (!one.ignore) one.saga = member.value.text;
        } else {
            Section section = section_of(reading, member.name, member.value,
                                         fmt::format("{}.late.{}", path, member.name));
            section.text("saga", one.saga);
            section.text("emit", one.emit);
            section.finish();
        }
        late.push_back(std::move(one));
    }
}

}  // namespace

void read_states(Reading& reading, Section& file, Definition& definition) {
    for (const YamlNode::Member& member : members_of(file, "states")) {
        flow::StateRule state{.name = member.name};
        const std::string path = fmt::format("states.{}", member.name);
        Section section = section_of(reading, member.name, member.value, path);
        section.flag("final", state.final);
        if (section.has("deadline")) {
            Section deadline = section.section("deadline");
            state.deadline = timer::Rule{.name = member.name};
            read_rule(deadline, *state.deadline);
            std::chrono::milliseconds cap{};
            if (deadline.duration("cap", cap)) state.deadline->cap = cap;
            deadline.texts("allow", state.renewed_by);
            deadline.finish();
        } else {
            section.take("deadline");
        }
        read_late(reading, section, path, state.late);
        section.finish();
        definition.states.push_back(std::move(state));
    }
}

void read_deadlines(Reading& reading, Section& file, Definition& definition) {
    for (const YamlNode::Member& member : members_of(file, "deadlines")) {
        flow::FlowDeadline deadline;
        deadline.rule.name = member.name;
        deadline.rule.from = timer::From::create;
        Section section = section_of(reading, member.name, member.value,
                                     fmt::format("deadlines.{}", member.name));
        constexpr std::array<std::string_view, 1> kFrom{"create"};
        section.choice("from", kFrom, [](std::string_view) -> Status { return {}; });
        read_rule(section, deadline.rule);
        section.texts("until", deadline.until);
        section.finish();
        definition.deadlines.push_back(std::move(deadline));
    }
}

void read_calls(Reading& reading, Section& file, Definition& definition) {
    for (const YamlNode::Member& member : members_of(file, "probes")) {
        flow::Probe probe{.name = member.name};
        Section section =
            section_of(reading, member.name, member.value, fmt::format("probes.{}", member.name));
        section.text("call", probe.call);
        section.text("paid", probe.paid);
        section.text("event", probe.event);
        section.duration("give_up", probe.give_up);
        for (const YamlNode::Member& fact : members_of(section, "facts")) {
            if (fact.value.kind == YamlNode::Kind::scalar)
                probe.facts.emplace_back(fact.name, fact.value.text);
            else
                section.error(fact.value,
                              fmt::format("`{}` is {}", fact.name, yaml::name_of(fact.value.kind)),
                              fmt::format("write `{}: $.MEMBER`", fact.name));
        }
        section.finish();
        definition.probes.push_back(std::move(probe));
    }
    for (const YamlNode::Member& member : members_of(file, "sagas")) {
        flow::SagaRule saga{.name = member.name};
        Section section =
            section_of(reading, member.name, member.value, fmt::format("sagas.{}", member.name));
        section.text("call", saga.call);
        section.texts("key", saga.key);
        if (const YamlNode* steps = section.take("steps"))
            for (const YamlNode& node : steps->items) {
                flow::SagaStep step;
                Section one =
                    section_of(reading, "steps", node, fmt::format("sagas.{}.steps", member.name));
                one.text("name", step.name);
                one.text("call", step.call);
                one.text("compensate", step.compensate);
                one.finish();
                saga.steps.push_back(std::move(step));
            }
        section.finish();
        definition.sagas.push_back(std::move(saga));
    }
}

}  // namespace pawl::flow_file
