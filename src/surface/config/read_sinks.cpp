// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_sinks.hpp"

#include <fmt/format.h>

#include "core/callback/account.hpp"
#include "core/policy/target_template.hpp"
#include "core/policy/units.hpp"
#include "surface/config/address.hpp"
#include "surface/config/read_secret.hpp"

namespace pawl::config {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kForm = "write `sinks: { ledger: { file: events.jsonl } }`";
constexpr std::string_view kUrlForm = "write `url: https://shop.example/hooks`";
constexpr std::size_t kSinksMax = 50;
constexpr std::size_t kParallelMax = 256;
constexpr std::size_t kTriesMax = 1'000;
constexpr std::chrono::milliseconds kTimeoutMax = 60s;
// Of Standard Webhooks.
constexpr std::size_t kSecretBytesMin = 24;
constexpr std::size_t kSecretBytesMax = 64;

bool is_sink_name(std::string_view name) {
    return !name.empty() && name.size() <= flow::kNameBytesMax &&
           std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
           });
}

Status parse_url(std::string_view text, WebhookSetting& webhook) {
    const auto [place, path] = split_endpoint(text);
    auto upstream = parse_upstream(place);
    if (!upstream) return fail(upstream.error());
    if (upstream->demo)
        return fail(Code::config_invalid,
                    fmt::format("the demonstration takes no events; {}", kUrlForm));
    if (!path.starts_with('/') || !std::ranges::all_of(path, policy::is_target_character))
        return fail(Code::config_invalid, fmt::format("`{}` is not a path; {}", path, kUrlForm));
    webhook.upstream = *std::move(upstream);
    webhook.path = path;
    return {};
}

void read_webhook(Reading& reading, Section& sink, WebhookSetting& webhook) {
    Section section = sink.section("webhook");
    section.scalar("url", [&](std::string_view text) { return parse_url(text, webhook); });
    if (!section.has("url")) section.error("`webhook` names no receiver", std::string(kUrlForm));
    read_secret(reading, section, "secret", webhook.secret);
    if (const YamlNode* previous = section.take("previous"); previous != nullptr) {
        if (previous->kind != YamlNode::Kind::list)
            section.error(*previous, fmt::format("`previous` is {}", name_of(previous->kind)),
                          "write `previous: [{ file: /run/secrets/… }]`");
        else
            for (const YamlNode& node : previous->items)
                read_source(reading, node, "webhook.previous", webhook.previous.emplace_back());
    }
    if (section.duration("timeout", webhook.timeout) &&
        (webhook.timeout <= 0ms || webhook.timeout > kTimeoutMax))
        section.error(*section.take("timeout"), "no receiver is waited for so long",
                      fmt::format("write at most {}", policy::format_duration(kTimeoutMax)));
    section.number("parallel", webhook.parallel, 1, kParallelMax);
    section.finish();
}

void read_one(Reading& reading, const std::string& name, const YamlNode& node, SinkSetting& sink) {
    Section section(reading, &node, "sinks." + name, false);
    const bool has_file = section.text("file", sink.file);
    if (section.has("webhook")) read_webhook(reading, section, sink.webhook.emplace());
    section.take("webhook");
    section.texts("flows", sink.flows);
    section.texts("types", sink.types);
    section.flag("from_the_beginning", sink.from_the_beginning);
    section.number("tries", sink.tries, 1, kTriesMax);
    section.finish();
    if (has_file == sink.webhook.has_value())
        section.error(fmt::format("`{}` needs one place for its events", name),
                      "write `file:` or `webhook:` below it");
    for (const std::string& type : sink.types)
        if (type.empty() || type.find('*') < type.size() - 1)
            section.error(*section.take("types"), fmt::format("`{}` is no type of events", type),
                          "write one such as `order.paid`, or `order.*` for all that begin so");
}

}  // namespace

void read_sinks(Reading& reading, Section& top, Sinks& sinks) {
    const YamlNode* node = top.take("sinks");
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::map) {
        top.error(*node, fmt::format("`sinks` is {}", name_of(node->kind)), std::string(kForm));
        return;
    }
    if (node->members.size() > kSinksMax)
        top.error(*node, fmt::format("`sinks` has more than {}", kSinksMax),
                  "let one receiver hand events on");
    for (const YamlNode::Member& member : node->members) {
        if (!is_sink_name(member.name))
            top.error(member.value, fmt::format("`{}` cannot name a sink", member.name),
                      "write small letters, digits, `-` and `_`");
        if (member.value.kind == YamlNode::Kind::map)
            read_one(reading, member.name, member.value, sinks[member.name]);
        else
            top.error(member.value,
                      fmt::format("`{}` is {}", member.name, name_of(member.value.kind)),
                      std::string(kForm));
    }
}

void judge_sinks(Reading& reading, const YamlNode& root, const Config& config) {
    const YamlNode* all = root.find("sinks");
    std::map<std::string, std::string> files;
    for (const auto& [name, sink] : config.sinks) {
        const YamlNode* node = all == nullptr ? nullptr : all->find(name);
        const auto add = [&](std::string what, std::string remedy) {
            reading.findings.push_back({policy::Severity::error, node == nullptr ? 0 : node->line,
                                        node == nullptr ? 0 : node->column, std::move(what),
                                        std::move(remedy)});
        };
        for (const std::string& flow : sink.flows)
            if (std::ranges::none_of(config.flows.machines, [&](const flow::Machine& machine) {
                    return machine.definition().name == flow;
                }))
                add(fmt::format("there is no flow `{}`", flow), "name one of `flows`");
        if (sink.file.empty()) continue;
        const auto [other, is_new] = files.try_emplace(sink.file, name);
        if (!is_new)
            add(fmt::format("`{}` writes the file of `{}`", name, other->second),
                "give each its own file");
    }
}

Status read_sink_files(Sinks& sinks) {
    for (auto& [name, sink] : sinks) {
        if (!sink.webhook) continue;
        const std::string setting = fmt::format("sinks.{}.webhook.secret", name);
        if (auto read = read_file_of(sink.webhook->secret, setting, false); !read) return read;
        for (policy::Secret& former : sink.webhook->previous)
            if (auto read =
                    read_file_of(former, fmt::format("sinks.{}.webhook.previous", name), false);
                !read)
                return read;
        if (auto secrets = signing_secrets_of(name, *sink.webhook); !secrets)
            return fail(std::move(secrets.error()));
    }
    return {};
}

Result<std::vector<std::string>> signing_secrets_of(const std::string& name,
                                                    const WebhookSetting& webhook) {
    std::vector<std::string> secrets;
    const auto add = [&](const policy::Secret& secret) -> Status {
        auto bytes = callback::standard_secret(secret.value);
        if (!bytes || bytes->size() < kSecretBytesMin || bytes->size() > kSecretBytesMax)
            return fail(Code::config_invalid,
                        fmt::format("a secret of `sinks.{}.webhook` is not `whsec_` and base64 of "
                                    "{} to {} bytes",
                                    name, kSecretBytesMin, kSecretBytesMax));
        secrets.push_back(*std::move(bytes));
        return {};
    };
    if (auto added = add(webhook.secret); !added) return fail(std::move(added.error()));
    for (const policy::Secret& former : webhook.previous)
        if (auto added = add(former); !added) return fail(std::move(added.error()));
    return secrets;
}

}  // namespace pawl::config
