// SPDX-License-Identifier: Apache-2.0
// An event is a map with its transition in it, or with a list of them under `transitions`.
#include <array>

#include <fmt/format.h>

#include "core/flow/names.hpp"
#include "surface/flow_file/read_parts.hpp"

namespace pawl::flow_file {
namespace {

using flow::Definition;
using flow::EventRule;
using flow::Guard;
using flow::Transition;

constexpr std::array<std::string_view, 4> kActions{"reserve", "confirm", "release", "return"};

// One condition with a value, or the two ends of a range.
void read_bounds(Reading& reading, const YamlNode::Member& member, const std::string& path,
                 std::vector<Guard>& guards) {
    Section section = section_of(reading, member.name, member.value, path);
    std::vector<Guard> read;
    for (const auto kind :
         {Guard::Kind::equals, Guard::Kind::one_of, Guard::Kind::at_least, Guard::Kind::at_most}) {
        Guard guard{member.name, kind, {}};
        if (section.texts(flow::name_of(kind), guard.values)) read.push_back(std::move(guard));
    }
    section.finish();
    const bool is_range = read.size() == 2 && read[0].kind == Guard::Kind::at_least &&
                          read[0].values.size() == 1 && read[1].values.size() == 1;
    if (is_range)
        guards.push_back(
            {member.name, Guard::Kind::between, {read[0].values.front(), read[1].values.front()}});
    else if (read.size() == 1)
        guards.push_back(std::move(read.front()));
    else if (read.size() > 1)
        section.error(fmt::format("`{}` has {} conditions", member.name, read.size()),
                      "keep one of them; `at_least` and `at_most`, one value each, may stand "
                      "together");
}

void read_guard(Reading& reading, const YamlNode::Member& member, const std::string& path,
                std::vector<Guard>& guards) {
    const YamlNode& value = member.value;
    if (value.kind == YamlNode::Kind::map) return read_bounds(reading, member, path, guards);
    const auto kind = flow::guard_kind_from(value.text);
    if (value.kind != YamlNode::Kind::scalar || !kind) {
        Section(reading, nullptr, path, false)
            .error(value, fmt::format("`{}` is no condition", value.text),
                   "write `same`, `present`, `owner`, `{ equals: … }`, `{ one_of: [ … ] }`, "
                   "`{ at_most: … }`, `{ at_least: … }` or `{ at_least: …, at_most: … }`");
        return;
    }
    guards.push_back({member.name, *kind, {}});
}

void read_branch(Section& section, std::string_view name, std::optional<flow::Branch>& branch) {
    if (!section.has(name)) {
        section.take(name);
        return;
    }
    Section below = section.section(name);
    branch.emplace();
    below.text("to", branch->to);
    below.text("saga", branch->saga);
    below.finish();
}

void read_exclusive(Section& section, std::optional<flow::ExclusiveRule>& exclusive) {
    if (!section.has("exclusive")) {
        section.take("exclusive");
        return;
    }
    Section below = section.section("exclusive");
    exclusive.emplace();
    below.text("resource", exclusive->resource);
    below.text("from", exclusive->from);
    below.text("to", exclusive->to);
    below.texts("while", exclusive->while_in);
    below.finish();
}

// What a transition does; where it leads is not a creation's to say.
void read_deeds(Reading& reading, Section& section, const std::string& path,
                Transition& transition) {
    for (const YamlNode::Member& member : members_of(section, "require"))
        read_guard(reading, member, fmt::format("{}.require.{}", path, member.name),
                   transition.require);
    read_exclusive(section, transition.exclusive);
    section.choice("stock", kActions, stock::action_from, transition.stock);
    section.text("emit", transition.emit);
    section.text("saga", transition.saga);
}

void read_transition(Reading& reading, Section& section, const std::string& path,
                     Transition& transition) {
    section.texts("from", transition.from);
    section.text("to", transition.to);
    read_deeds(reading, section, path, transition);
    section.text("before", transition.before);
    read_branch(section, "short", transition.short_of);
    read_branch(section, "taken", transition.taken);
}

void read_unique(Reading& reading, Section& section, const std::string& path, EventRule& event) {
    const YamlNode* node = section.take("unique");
    if (node == nullptr) return;
    const std::vector<YamlNode> one{*node};
    for (const YamlNode& item : node->kind == YamlNode::Kind::list ? node->items : one) {
        Section below = section_of(reading, "unique", item, path + ".unique");
        flow::UniqueRule rule;
        below.texts("fields", rule.fields);
        below.texts("while", rule.while_in);
        below.finish();
        event.unique.push_back(std::move(rule));
    }
}

void read_token(Section& section, EventRule& event) {
    if (!section.has("token")) {
        section.take("token");
        return;
    }
    Section below = section.section("token");
    event.token.emplace();
    below.text("field", event.token->field);
    below.texts("over", event.token->over);
    below.text("time", event.token->time);
    below.text("station", event.token->station);
    below.duration("valid", event.token->valid);
    below.duration("skew", event.token->skew);
    below.finish();
}

// What creation and every event share.
void read_request(Reading& reading, Section& section, const std::string& path, EventRule& event) {
    read_unique(reading, section, path, event);
    section.texts("allow", event.allow);
    section.choice("on_repeat", flow::on_repeat_names(), flow::on_repeat_from, event.on_repeat);
}

void read_transitions(Reading& reading, Section& section, const std::string& path,
                      EventRule& event) {
    const YamlNode* several = section.take("transitions");
    if (several == nullptr) {
        read_transition(reading, section, path, event.transitions.emplace_back());
        return;
    }
    if (several->kind != YamlNode::Kind::list)
        section.error(*several, fmt::format("`transitions` is {}", yaml::name_of(several->kind)),
                      "write `transitions: [{ from: …, to: … }]`");
    for (const YamlNode& node : several->items) {
        const std::string place = fmt::format("{}.transitions[{}]", path, event.transitions.size());
        Section one = section_of(reading, "transitions", node, place);
        read_transition(reading, one, place, event.transitions.emplace_back());
        one.finish();
    }
}

}  // namespace

void read_events(Reading& reading, Section& file, Definition& definition) {
    for (const YamlNode::Member& member : members_of(file, "events")) {
        EventRule event{.name = member.name};
        const std::string path = fmt::format("events.{}", member.name);
        Section section = section_of(reading, member.name, member.value, path);
        section.flag("external", event.external);
        read_fields(reading, section, path + ".fields", event.fields);
        section.texts("set", event.set);
        section.text("reverses", event.reverses);
        section.choice("early", flow::early_names(), flow::early_from, event.early);
        section.choice("noop", flow::noop_names(), flow::noop_from, event.noop);
        read_token(section, event);
        read_request(reading, section, path, event);
        read_transitions(reading, section, path, event);
        section.finish();
        definition.events.push_back(std::move(event));
    }
}

void read_create(Reading& reading, Section& file, Definition& definition) {
    Section section = file.section("create");
    read_request(reading, section, "create", definition.create);
    read_deeds(reading, section, "create", definition.create.transitions.front());
    read_branch(section, "short", definition.create.transitions.front().short_of);
    read_branch(section, "taken", definition.create.transitions.front().taken);
    section.finish();
}

}  // namespace pawl::flow_file
