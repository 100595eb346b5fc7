// SPDX-License-Identifier: Apache-2.0
// Every state, event, field, probe and saga that is named is declared.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/flow/findings.hpp"

namespace pawl::flow {
namespace {

template <class List>
Names names_in(const List& list) {
    Names names;
    for (const auto& one : list) names.push_back(one.name);
    return names;
}

// A kind of thing that is declared, with its names.
class Declared {
  public:
    Declared(Findings& found, std::string_view kind, Names names)
        : found_(found), kind_(kind), names_(std::move(names)) {}

    void require(const std::string& path, const std::string& name) const {
        if (std::ranges::find(names_, name) != names_.end()) return;
        const std::string_view article = kind_ == "event" ? "an" : "a";
        found_.error(path,
                     name.empty()
                         ? fmt::format("{} {} is missing", article, kind_)
                         : fmt::format("`{}` is not {} {} of this flow", name, article, kind_),
                     names_.empty() ? fmt::format("declare it under `{}s`", kind_)
                                    : fmt::format("write one of {}, or declare it under `{}s`",
                                                  fmt::join(names_, ", "), kind_));
    }
    void require_all(const std::string& path, const Names& names) const {
        std::set<std::string_view> seen;
        for (const std::string& name : names) {
            require(path, name);
            if (!seen.insert(name).second)
                found_.error(path, fmt::format("`{}` stands twice", name), "write it once");
        }
    }

  private:
    Findings& found_;
    std::string_view kind_;
    Names names_;
};

struct All {
    Declared states, events, fields, probes, sagas;
};

void check_known(Findings& found, const std::string& path, const EventRule& event,
                 const Names& fields) {
    for (const std::string& field : fields)
        if (!type_of(found.definition(), event, field))
            found.error(
                path, fmt::format("`{}` is not a field of `{}`", field, event.name),
                fmt::format("declare it under `fields`, of the flow or of `{}`", event.name));
}

void check_exclusive(Findings& found, const All& all, const ExclusiveRule& rule,
                     const std::string& path) {
    all.fields.require(path + ".resource", rule.resource);
    all.states.require_all(path + ".while", rule.while_in);
    if (rule.while_in.empty())
        found.error(path, "`exclusive` says not in which states the slot is held",
                    "write `while: [STATE, …]`");
    for (const auto& [name, field] : {std::pair(".from", rule.from), std::pair(".to", rule.to)}) {
        all.fields.require(path + name, field);
        const auto type = type_of(found.definition(), found.definition().create, field);
        if (type && *type != FieldType::time)
            found.error(path + name, fmt::format("`{}` is not a time", field),
                        fmt::format("write `fields: {{ {}: time }}`", field));
    }
}

void check_transition(Findings& found, const All& all, const EventRule& event,
                      const Transition& transition, const std::string& path) {
    if (&event != &found.definition().create) {
        all.states.require_all(path + ".from", transition.from);
        if (transition.from.empty())
            found.error(path, fmt::format("`{}` says not where it comes from", event.name),
                        "write `from: STATE`");
        if (transition.to != kSame) all.states.require(path + ".to", transition.to);
    }
    if (!transition.before.empty()) all.probes.require(path + ".before", transition.before);
    if (!transition.saga.empty()) all.sagas.require(path + ".saga", transition.saga);
    if (transition.exclusive)
        check_exclusive(found, all, *transition.exclusive, path + ".exclusive");
    for (const auto& [name, branch] :
         {std::pair(".short", &transition.short_of), std::pair(".taken", &transition.taken)}) {
        if (!*branch) continue;
        all.states.require(path + name + ".to", (*branch)->to);
        if (!(*branch)->saga.empty()) all.sagas.require(path + name + ".saga", (*branch)->saga);
    }
}

void check_event(Findings& found, const All& all, const EventRule& event) {
    const std::string path = path_of(event);
    all.fields.require_all(path + ".set", event.set);
    for (const UniqueRule& unique : event.unique) {
        check_known(found, path + ".unique", event, unique.fields);
        all.states.require_all(path + ".unique.while", unique.while_in);
        if (unique.fields.empty())
            found.error(path + ".unique", "`unique` names no fields", "write `fields: [FIELD, …]`");
    }
    if (!event.token) return;
    check_known(found, path + ".token", event, {event.token->field});
    check_known(found, path + ".token.over", event, event.token->over);
    if (!event.token->station.empty())
        check_known(found, path + ".token.station", event, {event.token->station});
    const Names& over = event.token->over;
    if (std::ranges::find(over, event.token->time) == over.end())
        found.error(path + ".token", "the token's age is not part of it",
                    "write `time: FIELD`, one of those in `over`");
}

// A code is made of what the entity holds whenever it is shown: what changes would refuse the code that was given out.
void check_codes(Findings& found) {
    const Definition& flow = found.definition();
    for (const EventRule& event : flow.events)
        for (const std::string& name : event.set)
            if (std::ranges::find(flow.check_code, name) != flow.check_code.end())
                found.error("check_code",
                            fmt::format("`{}` is set by `{}`, and every code that was given out "
                                        "before would be refused after it",
                                        name, event.name),
                            "name fields that no event sets");
}

void check_probe(Findings& found, const All& all, const Probe& probe) {
    const std::string path = fmt::format("probes.{}", probe.name);
    all.events.require(path + ".event", probe.event);
    for (const EventRule& event : found.definition().events) {
        if (event.name != probe.event) continue;
        if (!event.external)
            found.error(path + ".event",
                        fmt::format("`{}` reports no fact that a probe could find", event.name),
                        "name an event that is `external: true`");
        for (const auto& [fact, place] : probe.facts)
            check_known(found, path + ".facts", event, {fact});
    }
}

void check_saga_key(Findings& found, const SagaRule& saga) {
    const Definition& flow = found.definition();
    for (const std::string& name : saga.key) {
        const auto knows = [&](const EventRule& event) {
            return type_of(flow, event, name).has_value();
        };
        const bool known = name == "id" || name == "business_key" || knows(flow.create) ||
                           std::ranges::any_of(flow.events, knows);
        if (!known)
            found.error(fmt::format("sagas.{}.key", saga.name),
                        fmt::format("`{}` is not a field of any event", name),
                        "name fields that tell one fact from another");
    }
}

}  // namespace

void check_references(Findings& found) {
    const Definition& flow = found.definition();
    const All all{{found, "state", names_in(flow.states)},
                  {found, "event", names_in(flow.events)},
                  {found, "field", names_in(flow.fields)},
                  {found, "probe", names_in(flow.probes)},
                  {found, "saga", names_in(flow.sagas)}};
    all.states.require("initial", flow.initial);
    all.fields.require_all("check_code", flow.check_code);
    check_codes(found);
    if (flow.correlate && flow.correlate->field != "business_key")
        all.fields.require("correlate.field", flow.correlate->field);
    for (const FlowDeadline& deadline : flow.deadlines) {
        const std::string path = fmt::format("deadlines.{}", deadline.rule.name);
        all.events.require(path + ".event", deadline.rule.event);
        all.states.require_all(path + ".until", deadline.until);
    }
    for (const StateRule& state : flow.states) {
        const std::string path = fmt::format("states.{}", state.name);
        if (state.deadline) all.events.require(path + ".deadline.event", state.deadline->event);
        for (const Late& late : state.late) {
            all.events.require(path + ".late", late.event);
            if (!late.saga.empty()) all.sagas.require(path + ".late." + late.event, late.saga);
        }
    }
    check_event(found, all, flow.create);
    for (const EventRule& event : flow.events) check_event(found, all, event);
    each_transition(
        flow, [&](const EventRule& event, const Transition& transition, const std::string& path) {
            check_transition(found, all, event, transition, path);
        });
    for (const Probe& probe : flow.probes) check_probe(found, all, probe);
    for (const SagaRule& saga : flow.sagas) check_saga_key(found, saga);
}

}  // namespace pawl::flow
