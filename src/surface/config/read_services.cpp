// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_services.hpp"

#include <fmt/format.h>

#include "surface/config/address.hpp"
#include "surface/config/read_trust.hpp"

namespace pawl::config {
namespace {

constexpr std::string_view kForm = "write `services: { pay: \"http://127.0.0.1:9000\" }`";

bool is_service_name(std::string_view name) {
    return !name.empty() && name.size() <= flow::kNameBytesMax &&
           std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                      c == '.';
           });
}

Section::Parse into(policy::Upstream& target) {
    return [&target](std::string_view text) -> Status {
        auto upstream = parse_upstream(text);
        if (!upstream) return fail(upstream.error());
        upstream->trust = std::move(target.trust);
        target = *std::move(upstream);
        return {};
    };
}

void read_one(Reading& reading, Section& all, const YamlNode::Member& member,
              policy::Upstream& upstream) {
    if (member.value.kind == YamlNode::Kind::scalar) {
        all.scalar(member.name, into(upstream));
        return;
    }
    all.take(member.name);
    if (member.value.kind != YamlNode::Kind::map) {
        all.error(member.value, fmt::format("`{}` is {}", member.name, name_of(member.value.kind)),
                  std::string(kForm));
        return;
    }
    Section section(reading, &member.value, "services." + member.name, false);
    const bool given = section.scalar("upstream", into(upstream));
    read_trust(section, upstream.trust);
    section.finish();
    if (given && upstream.trust && !upstream.tls)
        section.error("`upstream_tls` speaks of an upstream without TLS",
                      "write `upstream: https://…`, or remove `upstream_tls`");
    if (!given && !section.has("upstream"))
        section.error(fmt::format("`{}` says not where it is", member.name),
                      "write `upstream: http://127.0.0.1:9000` below it");
}

}  // namespace

void read_services(Reading& reading, Section& top, Services& services) {
    const YamlNode* node = top.take("services");
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::map) {
        top.error(*node, fmt::format("`services` is {}", name_of(node->kind)), std::string(kForm));
        return;
    }
    Section all(reading, node, "services", false);
    for (const YamlNode::Member& member : node->members) {
        if (!is_service_name(member.name))
            all.error(member.value, fmt::format("`{}` is no host in a call", member.name),
                      "write small letters, digits, `-`, `_` and `.`");
        read_one(reading, all, member, services[member.name]);
    }
}

std::vector<Called> calls_of(const flow::Definition& flow) {
    std::vector<Called> calls;
    const auto add = [&](const std::string& by, std::string_view call) {
        const auto scheme = call.find("://");
        if (scheme == std::string_view::npos) return;
        call.remove_prefix(scheme + 3);
        calls.push_back({by, std::string(call.substr(0, call.find_first_of("/?#:")))});
    };
    for (const flow::Probe& probe : flow.probes) add(probe.name, probe.call);
    for (const flow::SagaRule& saga : flow.sagas) {
        add(saga.name, saga.call);
        for (const flow::SagaStep& step : saga.steps) {
            add(saga.name, step.call);
            add(saga.name, step.compensate);
        }
    }
    return calls;
}

}  // namespace pawl::config
