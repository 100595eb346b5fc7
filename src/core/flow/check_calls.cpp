// SPDX-License-Identifier: Apache-2.0
// What probes and sagas call: a method and an address, and what makes one call differ from another.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/flow/findings.hpp"

namespace pawl::flow {
namespace {

bool is_call(std::string_view text) {
    constexpr std::array<std::string_view, 6> kMethods{"GET", "HEAD",  "POST",
                                                       "PUT", "PATCH", "DELETE"};
    const auto blank = text.find(' ');
    if (blank == std::string_view::npos) return false;
    const std::string_view url = text.substr(blank + 1);
    const bool is_url = (url.starts_with("http://") && url.size() > 7) ||
                        (url.starts_with("https://") && url.size() > 8);
    return is_url && std::ranges::find(kMethods, text.substr(0, blank)) != kMethods.end() &&
           std::ranges::none_of(url, [](unsigned char c) { return c <= 0x20 || c == 0x7f; });
}

void check_call(Findings& found, const std::string& path, const std::string& call) {
    if (!is_call(call))
        found.error(path, fmt::format("`{}` is not a method and an address", call),
                    "write `POST http://pay/refunds`");
}

// What may stand in braces: what every entity has, its fields, and of a saga what it is keyed by.
void check_names(Findings& found, const std::string& path, std::string_view call,
                 const Names& keyed_by) {
    Names known{"id", "flow", "business_key"};
    for (const Field& field : found.definition().fields) known.push_back(field.name);
    known.insert(known.end(), keyed_by.begin(), keyed_by.end());
    for (auto open = call.find('{'); open != std::string_view::npos; open = call.find('{')) {
        call.remove_prefix(open + 1);
        const auto close = call.find('}');
        const std::string_view name = call.substr(0, close);
        if (close == std::string_view::npos || std::ranges::find(known, name) == known.end())
            found.error(path, fmt::format("nothing tells what `{{{}}}` is", name),
                        fmt::format("write one of {{{}}}", fmt::join(known, "}, {")));
    }
}

// "$.paid == true": a path into the answer, and what stands there.
bool is_condition(std::string_view text) {
    const auto sign = text.find(" == ");
    return text.starts_with("$.") && sign != std::string_view::npos && sign > 2 &&
           sign + 4 < text.size();
}

void check_probe(Findings& found, const Probe& probe) {
    const std::string path = fmt::format("probes.{}", probe.name);
    check_call(found, path + ".call", probe.call);
    check_names(found, path + ".call", probe.call, {});
    if (!is_condition(probe.paid))
        found.error(path + ".paid",
                    fmt::format("`{}` says not what a paid order looks like", probe.paid),
                    "write `paid: \"$.paid == true\"`");
    if (probe.give_up <= std::chrono::milliseconds(0))
        found.error(path + ".give_up", "the probe gives up before it asks", "write `give_up: 24h`");
}

void check_saga(Findings& found, const SagaRule& saga) {
    const std::string path = fmt::format("sagas.{}", saga.name);
    if (saga.call.empty() == saga.steps.empty())
        found.error(path, "a saga is one call or several steps",
                    "write either `call: POST http://…` or `steps: [ … ]`");
    if (!saga.call.empty()) check_call(found, path + ".call", saga.call);
    check_names(found, path + ".call", saga.call, saga.key);
    for (const SagaStep& step : saga.steps) {
        check_call(found, path + ".steps", step.call);
        if (!step.compensate.empty()) check_call(found, path + ".steps", step.compensate);
    }
    if (saga.key.empty())
        found.error(path + ".key", "nothing tells one run of this saga from another",
                    "write `key: [provider, transaction_id]`");
}

}  // namespace

void check_calls(Findings& found) {
    for (const Probe& probe : found.definition().probes) check_probe(found, probe);
    for (const SagaRule& saga : found.definition().sagas) check_saga(found, saga);
}

}  // namespace pawl::flow
