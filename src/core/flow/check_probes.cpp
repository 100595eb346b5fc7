// SPDX-License-Identifier: Apache-2.0
// What a probe finds is the same fact that a notification tells. It has to say which one, or the order that it pays
// would pay the notification back as a second payment, and each look would put another entry before a person.
#include <algorithm>

#include <fmt/format.h>

#include "core/flow/findings.hpp"

namespace pawl::flow {
namespace {

bool is_said(const Definition& flow, const Probe& probe, const std::string& name) {
    if (name == "id" || name == "business_key") return true;
    const bool of_entity = std::ranges::find(flow.fields, name, &Field::name) != flow.fields.end();
    return of_entity ||
           std::ranges::any_of(probe.facts, [&](const auto& fact) { return fact.first == name; });
}

}  // namespace

void check_probes(Findings& found) {
    const Definition& flow = found.definition();
    for (const Probe& probe : flow.probes) {
        const EventRule* event = event_named(flow, probe.event);
        if (event == nullptr) continue;
        for (const UniqueRule& unique : event->unique)
            for (const std::string& name : unique.fields)
                if (unique.while_in.empty() && !is_said(flow, probe, name))
                    found.error(
                        fmt::format("probes.{}.facts", probe.name),
                        fmt::format("`{}` is known by its `{}`, and `{}` does not say where "
                                    "the answer has it",
                                    event->name, name, probe.name),
                        fmt::format("write `{0}: $.{0}`, where the answer names it", name));
    }
}

}  // namespace pawl::flow
