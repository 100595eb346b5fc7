// SPDX-License-Identifier: Apache-2.0
// Names: what a metric's label, a path and an address can hold; each once; and how many of each there may be.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/flow/findings.hpp"

namespace pawl::flow {
namespace {

// What the representation of an entity has beside its fields.
constexpr std::array<std::string_view, 9> kOwn{
    "id", "state", "version", "items", "business_key", "deadlines", "created_at", "flow", "links"};

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= kNameBytesMax && is_letter(name.front()) &&
           std::ranges::all_of(
               name, [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

void check_name(Findings& found, const std::string& path, std::string_view name) {
    if (!is_name(name))
        found.error(
            path, fmt::format("`{}` is not a name", name),
            fmt::format("write a letter, then letters, digits and `_`, {} at most", kNameBytesMax));
}

template <class List, class Name>
void check_list(Findings& found, const std::string& path, const List& list, std::size_t most,
                Name name_of_one) {
    if (list.size() > most)
        found.error(path, fmt::format("{} of {}, at most {}", list.size(), path, most),
                    "split the flow");
    std::set<std::string_view> seen;
    for (const auto& one : list) {
        const std::string& name = name_of_one(one);
        check_name(found, fmt::format("{}.{}", path, name), name);
        if (!seen.insert(name).second)
            found.error(fmt::format("{}.{}", path, name), fmt::format("`{}` stands twice", name),
                        "keep one of them");
    }
}

void check_fields(Findings& found, const std::string& path, const std::vector<Field>& fields) {
    check_list(found, path, fields, kFieldsMax,
               [](const Field& one) -> const std::string& { return one.name; });
    for (const Field& field : fields)
        if (std::ranges::find(kOwn, field.name) != kOwn.end())
            found.error(fmt::format("{}.{}", path, field.name),
                        fmt::format("every entity has a `{}` of its own", field.name),
                        "give the field another name");
}

bool is_role(const std::string& who) { return who.starts_with("role ") && is_name(who.substr(5)); }

void check_renewed_by(Findings& found, const StateRule& state) {
    for (const std::string& who : state.renewed_by)
        if (who != "anyone" && !is_role(who))
            found.error(fmt::format("states.{}.deadline.allow", state.name),
                        fmt::format("`{}` renews nothing", who), "write `anyone` or `role NAME`");
}

void check_allow(Findings& found, const EventRule& event) {
    const std::string path = path_of(event) + ".allow";
    for (const std::string& who : event.allow) {
        if (who != "callback" && who != "anyone" && !is_role(who))
            found.error(path, fmt::format("`{}` is nobody", who),
                        "write `callback`, `anyone` or `role NAME`");
        if (who == "callback" && !event.external)
            found.error(
                path, fmt::format("`{}` is a request, which no notification sends", event.name),
                event.name == "create" ? "write `anyone` or `role NAME`"
                                       : "write `anyone` or `role NAME`, or `external: true`");
    }
}

}  // namespace

void check_names(Findings& found) {
    const Definition& flow = found.definition();
    check_name(found, "flow", flow.name);
    const auto name = [](const auto& one) -> const std::string& { return one.name; };
    check_fields(found, "fields", flow.fields);
    check_list(found, "states", flow.states, kStatesMax, name);
    check_list(found, "events", flow.events, kEventsMax, name);
    check_list(found, "probes", flow.probes, kProbesMax, name);
    check_list(found, "sagas", flow.sagas, kSagasMax, name);
    check_list(found, "deadlines", flow.deadlines, kDeadlinesMax,
               [](const FlowDeadline& one) -> const std::string& { return one.rule.name; });
    if (flow.states.empty())
        found.error("states", "the flow has no states", "write `states: { created: {}, … }`");
    for (const StateRule& state : flow.states) {
        check_renewed_by(found, state);
        if (state.name == kSame)
            found.error("states.same", "`same` means the state that an event comes from",
                        "give the state another name");
    }
    check_allow(found, flow.create);
    for (const EventRule& event : flow.events) {
        check_fields(found, path_of(event) + ".fields", event.fields);
        check_allow(found, event);
        if (event.name == "create")
            found.error("events.create", "`create` is how every entity begins",
                        "write what it does at `create:`, or give the event another name");
        if (event.transitions.empty() || event.transitions.size() > kTransitionsMax)
            found.error(path_of(event),
                        fmt::format("`{}` has {} transitions, from 1 to {}", event.name,
                                    event.transitions.size(), kTransitionsMax),
                        "write `from: …` and `to: …`");
    }
}

}  // namespace pawl::flow
