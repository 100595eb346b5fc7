// SPDX-License-Identifier: Apache-2.0
#include "core/policy/units.hpp"
#include "surface/config/address.hpp"
#include "surface/config/describe_lines.hpp"

namespace pawl::config {
namespace {

using namespace callback;
using policy::format_duration;

std::string shown_role(const policy::RoleRule& role) {
    std::vector<std::string> parts;
    if (!role.callers.empty()) parts.push_back(fmt::format("callers: {}", listed(role.callers)));
    if (!role.claim.empty())
        parts.push_back(fmt::format("jwt: {}, claim: {}, has: {}", quoted(role.jwt),
                                    quoted(role.claim), quoted(role.has)));
    return fmt::format("{{ {} }}", fmt::join(parts, ", "));
}

std::string shown_allowed(const std::map<std::string, flow::Names>& events) {
    std::vector<std::string> parts;
    for (const auto& [event, allowed] : events)
        parts.push_back(fmt::format("{}: {}", quoted(event), listed(allowed)));
    return fmt::format("{{ {} }}", fmt::join(parts, ", "));
}

void describe_use(Lines& out, const FlowSettings& flows) {
    out.add("flows:");
    out.add("  use: {}", listed(flows.use));
    out.add("  caller: {}", shown_caller(flows.caller));
    if (!flows.roles.empty()) out.add("  roles:");
    for (const policy::RoleRule& role : flows.roles)
        out.add("    {}: {}", quoted(role.name), shown_role(role));
    if (!flows.allow.empty()) out.add("  allow:");
    for (const auto& [flow, events] : flows.allow)
        out.add("    {}: {}", quoted(flow), shown_allowed(events));
    out.add("  retention: {{ result: {}, key: {}, finished: {} }}",
            format_duration(flows.retention.result),
            flows.retention.key ? format_duration(*flows.retention.key) : "forever",
            flows.finished ? format_duration(*flows.finished) : "forever");
}

std::string shown_path(const key::JsonPath& path) { return quoted(path.text); }

std::string shown_body(const JsonMapping& body) {
    std::vector<std::string> kinds;
    for (const auto& [type, kind] : body.kinds)
        kinds.push_back(fmt::format("{}: {}", quoted(type), name_of(kind)));
    std::string out =
        fmt::format("type: {}, kinds: {{ {} }}, order: {}, transaction: {}", shown_path(body.type),
                    fmt::join(kinds, ", "), shown_path(body.order), shown_path(body.transaction));
    for (const auto& [name, path] :
         {std::pair{"refund", &body.refund}, std::pair{"amount", &body.amount},
          std::pair{"currency", &body.currency}, std::pair{"merchant", &body.merchant}})
        if (*path) out += fmt::format(", {}: {}", name, shown_path(**path));
    out += fmt::format(", minor_units: {}", body.minor_units);
    for (const auto& [name, text] : {std::pair{"currency_default", &body.currency_default},
                                     std::pair{"merchant_expected", &body.merchant_expected}})
        if (!text->empty()) out += fmt::format(", {}: {}", name, quoted(*text));
    return fmt::format("{{ {} }}", out);
}

std::string shown_answer(const HmacAccount::Answer& answer) {
    std::string out = fmt::format("status: {}", answer.status);
    if (!answer.content_type.empty())
        out += fmt::format(", content_type: {}", quoted(answer.content_type));
    if (!answer.body.empty()) out += fmt::format(", body: {}", quoted(answer.body));
    return fmt::format("{{ {} }}", out);
}

// The members of each provider's own.
struct Members {
    Lines& out;

    void text(std::string_view name, const std::string& value) const {
        if (!value.empty()) out.add("    {}: {}", name, quoted(value));
    }
    void operator()(const WechatAccount& account) const {
        text("mchid", account.mchid);
        text("appid", account.appid);
    }
    void operator()(const AlipayAccount& account) const {
        text("app_id", account.app_id);
        text("seller_id", account.seller_id);
        text("currency", account.currency);
    }
    void operator()(const StripeAccount& account) const {
        text("connected", account.connected);
        out.add("    live: {}", account.live);
        text("order_member", account.order_member);
        out.add("    ignore_without_order: {}", account.ignore_without_order);
    }
    void operator()(const StandardWebhooksAccount& account) const {
        out.add("    body: {}", shown_body(account.mapping));
    }
    void operator()(const HmacAccount& account) const {
        const bool hex = account.encoding == HmacAccount::Encoding::hex;
        std::string signature =
            fmt::format("header: {}, encoding: {}, tolerance: {}", quoted(account.signature_header),
                        hex ? "hex" : "base64", format_duration(account.tolerance));
        if (!account.signature_prefix.empty())
            signature += fmt::format(", prefix: {}", quoted(account.signature_prefix));
        if (!account.time_header.empty())
            signature += fmt::format(", time_header: {}", quoted(account.time_header));
        out.add("    signature: {{ {} }}", signature);
        out.add("    event_id: {}", shown_path(account.event_id));
        out.add("    body: {}", shown_body(account.mapping));
        out.add("    memory: {}", format_duration(account.memory));
        out.add("    answers: {{ taken: {}, failed: {}, not_authentic: {} }}",
                shown_answer(account.taken), shown_answer(account.failed),
                shown_answer(account.not_authentic));
    }
};

void describe_account(Lines& out, const CallbackSetting& setting) {
    const Subscription& subscription = setting.subscription;
    const Provider provider = provider_of(subscription.account);
    out.add("  - provider: {}", name_of(provider));
    out.add("    name: {}", quoted(subscription.account.name));
    out.add("    flow: {}", quoted(subscription.flow));
    if (!subscription.tenant.empty()) out.add("    tenant: {}", quoted(subscription.tenant));
    std::vector<std::string> events;
    for (const auto& [kind, event] : subscription.events)
        events.push_back(fmt::format("{}: {}", name_of(kind), quoted(event)));
    out.add("    events: {{ {} }}", fmt::join(events, ", "));
    std::visit(Members{out}, subscription.account.provider);
    const bool public_keys = provider == Provider::wechat || provider == Provider::alipay;
    out.add("    {}:", public_keys ? "keys" : "secrets");
    for (const KeySource& key : setting.keys) {
        std::string source = shown_source(key.secret);
        if (!key.serial.empty()) source.insert(1, fmt::format(" serial: {},", quoted(key.serial)));
        out.add("      - {}", source);
    }
    if (!setting.api_keys.empty()) out.add("    api_keys:");
    for (const policy::Secret& key : setting.api_keys) out.add("      - {}", shown_source(key));
}

}  // namespace

void describe_flows(Lines& out, const Config& config) {
    if (!config.flows.use.empty()) describe_use(out, config.flows);
    if (!config.services.empty()) out.add("services:");
    for (const auto& [name, upstream] : config.services) {
        const std::string at = quoted(format_upstream(upstream));
        if (upstream.trust)
            out.add("  {}: {{ upstream: {}, upstream_tls: {} }}", quoted(name), at,
                    shown_trust(*upstream.trust));
        else
            out.add("  {}: {}", quoted(name), at);
    }
    if (!config.stations.empty()) out.add("stations:");
    for (const auto& [name, secrets] : config.stations) {
        out.add("  {}:", quoted(name));
        out.add("    secrets:");
        for (const Secret& secret : secrets) out.add("      - {}", shown_source(secret));
    }
    if (!config.callbacks.empty()) out.add("callbacks:");
    for (const CallbackSetting& setting : config.callbacks) describe_account(out, setting);
}

}  // namespace pawl::config
