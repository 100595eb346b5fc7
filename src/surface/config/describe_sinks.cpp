// SPDX-License-Identifier: Apache-2.0
#include "core/policy/units.hpp"
#include "surface/config/address.hpp"
#include "surface/config/describe_lines.hpp"

namespace pawl::config {
namespace {

std::string shown_webhook(const WebhookSetting& webhook) {
    std::vector<std::string> previous;
    for (const Secret& secret : webhook.previous) previous.push_back(shown_source(secret));
    std::string out =
        fmt::format("url: {}, secret: {}", quoted(format_upstream(webhook.upstream) + webhook.path),
                    shown_source(webhook.secret));
    if (!previous.empty()) out += fmt::format(", previous: [{}]", fmt::join(previous, ", "));
    return fmt::format("{{ {}, timeout: {}, parallel: {} }}", out,
                       policy::format_duration(webhook.timeout), webhook.parallel);
}

}  // namespace

void describe_sinks(Lines& out, const Config& config) {
    if (!config.sinks.empty()) out.add("sinks:");
    for (const auto& [name, sink] : config.sinks) {
        out.add("  {}:", quoted(name));
        if (sink.webhook)
            out.add("    webhook: {}", shown_webhook(*sink.webhook));
        else
            out.add("    file: {}", quoted(sink.file));
        if (!sink.flows.empty()) out.add("    flows: {}", listed(sink.flows));
        if (!sink.types.empty()) out.add("    types: {}", listed(sink.types));
        out.add("    from_the_beginning: {}", sink.from_the_beginning);
        out.add("    tries: {}", sink.tries);
    }
}

}  // namespace pawl::config
