// SPDX-License-Identifier: Apache-2.0
// What a probe finds is the same fact that a notification tells. It has to say which one, or the order that it pays
// would pay the notification back as a second payment, and each look would put another entry before a person. And it is
// a question: it changes nothing, however often it is asked, and it is about one entity.
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

void check_method(Findings& found, const Probe& probe) {
    const std::string method = probe.call.substr(0, probe.call.find(' '));
    if (method == "GET" || method == probe.call) return;
    const std::string path = fmt::format("probes.{}.call", probe.name);
    const std::string remedy = "write `GET http://…`, an address that only answers";
    if (method == "HEAD")
        found.error(path,
                    fmt::format("`{}` asks with HEAD, whose answer holds nothing", probe.name),
                    remedy);
    else
        found.error(
            path,
            fmt::format("`{}` asks with {}, and what asks again and again may change nothing",
                        probe.name, method),
            remedy);
}

// Of every entity, and of each another one.
bool is_about_one(const Definition& flow, std::string_view call) {
    const auto names = [&](std::string_view name) {
        return call.find(fmt::format("{{{}}}", name)) != std::string_view::npos;
    };
    return names("id") || names("business_key") ||
           std::ranges::any_of(flow.fields, [&](const Field& field) {
               return field.required && names(field.name);
           });
}

}  // namespace

void check_probes(Findings& found) {
    const Definition& flow = found.definition();
    for (const Probe& probe : flow.probes) {
        check_method(found, probe);
        if (!is_about_one(flow, probe.call))
            found.error(fmt::format("probes.{}.call", probe.name),
                        fmt::format("`{}` asks the same of every {}: nothing says which one it is",
                                    probe.name, flow.name),
                        "write `{business_key}`, `{id}` or a field that each has into the address");
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
