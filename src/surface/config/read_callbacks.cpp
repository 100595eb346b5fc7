// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_callbacks.hpp"

#include <array>

#include <fmt/format.h>

#include "surface/config/read_callback_body.hpp"
#include "surface/config/read_secret.hpp"

namespace pawl::config {
namespace {

using namespace callback;

constexpr std::array<std::string_view, kProviderCount> kProviders{"wechat", "alipay", "stripe",
                                                                  "standard_webhooks", "hmac"};
constexpr std::size_t kNameMax = 64;

bool is_url_name(std::string_view name) {
    return !name.empty() && name.size() <= kNameMax && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.';
    });
}

// `keys: [{ serial: …, file: … }]`, `secrets: [{ env: PAWL_… }]`: up to eight at once, so that each can be
// changed without a gap.
template <class Take>
void read_sources(Section& entry, std::string_view name, const Take& take) {
    const YamlNode* node = entry.take(name);
    const std::string form = fmt::format("write `{}: [{{ file: /run/secrets/… }}]`", name);
    if (node == nullptr) {
        entry.error(fmt::format("`{}` is missing", name), form);
        return;
    }
    if (node->kind != YamlNode::Kind::list) {
        entry.error(*node, fmt::format("`{}` is {}", name, name_of(node->kind)), form);
        return;
    }
    if (node->items.empty() || node->items.size() > kKeysMax)
        entry.error(*node, fmt::format("`{}` has {}", name, node->items.size()),
                    fmt::format("give 1 to {}", kKeysMax));
    for (const YamlNode& item : node->items) take(item);
}

void read_secrets_of(Reading& reading, Section& entry, std::string_view name,
                     std::vector<KeySource>& keys) {
    read_sources(entry, name, [&](const YamlNode& item) {
        read_source(reading, item, fmt::format("callbacks.{}", name), keys.emplace_back().secret);
    });
}

// A key of WeChat Pay with the serial that Wechatpay-Serial names.
void read_serial_keys(Reading& reading, Section& entry, std::vector<KeySource>& keys) {
    read_sources(entry, "keys", [&](const YamlNode& item) {
        KeySource& key = keys.emplace_back();
        const bool is_map = item.kind == YamlNode::Kind::map;
        Section section(reading, is_map ? &item : nullptr, "callbacks.keys", false);
        section.text("serial", key.serial);
        if (key.serial.empty())
            section.error(
                item, "a key has no serial",
                "write `{ serial: …, file: wechatpay.pem }`, as Wechatpay-Serial says it");
        read_source_in(reading, section, item, "callbacks.keys", key.secret);
        section.finish();
    });
}

void read_wechat(Reading& reading, Section& entry, CallbackSetting& setting) {
    auto& account = setting.subscription.account.provider.emplace<WechatAccount>();
    if (!entry.text("mchid", account.mchid))
        entry.error("`mchid` is missing", "write the merchant's number at WeChat Pay");
    entry.text("appid", account.appid);
    read_serial_keys(reading, entry, setting.keys);
    read_sources(entry, "api_keys", [&](const YamlNode& item) {
        read_source(reading, item, "callbacks.api_keys", setting.api_keys.emplace_back());
    });
}

void read_alipay(Reading& reading, Section& entry, CallbackSetting& setting) {
    auto& account = setting.subscription.account.provider.emplace<AlipayAccount>();
    if (!entry.text("app_id", account.app_id))
        entry.error("`app_id` is missing", "write the application's number at Alipay");
    entry.text("seller_id", account.seller_id);
    entry.text("currency", account.currency);
    if (!Amount::in_decimal("0", account.currency))
        entry.error("`currency` is not three letters", "write one such as `CNY`");
    read_secrets_of(reading, entry, "keys", setting.keys);
}

void read_stripe(Reading& reading, Section& entry, CallbackSetting& setting) {
    auto& account = setting.subscription.account.provider.emplace<StripeAccount>();
    entry.text("connected", account.connected);
    entry.flag("live", account.live);
    entry.text("order_member", account.order_member);
    entry.flag("ignore_without_order", account.ignore_without_order);
    read_secrets_of(reading, entry, "secrets", setting.keys);
}

void read_answer(Section& answers, std::string_view name, HmacAccount::Answer& answer,
                 std::size_t least, std::size_t most) {
    Section section = answers.section(name);
    std::size_t status = 0;
    if (section.number("status", status, least, most)) answer.status = static_cast<int>(status);
    section.text("content_type", answer.content_type);
    section.text("body", answer.body);
    section.finish();
}

void read_hmac(Reading& reading, Section& entry, CallbackSetting& setting) {
    auto& account = setting.subscription.account.provider.emplace<HmacAccount>();
    Section signature = entry.section("signature");
    signature.text("header", account.signature_header);
    signature.text("prefix", account.signature_prefix);
    constexpr std::array<std::string_view, 2> kEncodings{"hex", "base64"};
    signature.choice("encoding", kEncodings, [&](std::string_view name) -> Status {
        account.encoding =
            name == "hex" ? HmacAccount::Encoding::hex : HmacAccount::Encoding::base64;
        return {};
    });
    signature.text("time_header", account.time_header);
    if (signature.duration("tolerance", account.tolerance) &&
        (account.tolerance < std::chrono::seconds{1} || account.tolerance > kToleranceMax))
        signature.error("`tolerance` is not between 1s and 1h", "write one such as `5m`");
    signature.finish();
    if (account.signature_header.empty())
        entry.error("which header carries the signature is not said",
                    "write `signature: { header: X-Signature }`");
    if (!read_path(entry, "event_id", account.event_id) && !entry.has("event_id"))
        entry.error("`event_id` is missing",
                    "write `event_id: $.id`, where a notification's id is");
    read_callback_body(entry, account.mapping);
    if (entry.duration("memory", account.memory) && account.memory < kMemoryMin)
        entry.error("`memory` is less than a day", "write at least `1d`");
    Section answers = entry.section("answers");
    read_answer(answers, "taken", account.taken, 200, 299);
    read_answer(answers, "failed", account.failed, 400, 599);
    read_answer(answers, "not_authentic", account.not_authentic, 400, 599);
    answers.finish();
    read_secrets_of(reading, entry, "secrets", setting.keys);
}

void read_provider(Reading& reading, Section& entry, CallbackSetting& setting) {
    std::optional<Provider> provider;
    entry.choice("provider", kProviders, [&](std::string_view name) -> Status {
        provider = static_cast<Provider>(std::ranges::find(kProviders, name) - kProviders.begin());
        return {};
    });
    if (!provider) {
        if (!entry.has("provider"))
            entry.error("`provider` is missing",
                        fmt::format("write one of {}", fmt::join(kProviders, ", ")));
        return;
    }
    switch (*provider) {
        case Provider::wechat:
            return read_wechat(reading, entry, setting);
        case Provider::alipay:
            return read_alipay(reading, entry, setting);
        case Provider::stripe:
            return read_stripe(reading, entry, setting);
        case Provider::standard_webhooks:
            read_callback_body(
                entry,
                setting.subscription.account.provider.emplace<StandardWebhooksAccount>().mapping);
            return read_secrets_of(reading, entry, "secrets", setting.keys);
        case Provider::hmac:
            return read_hmac(reading, entry, setting);
    }
}

void read_events(Section& entry, Subscription& subscription) {
    Section events = entry.section("events");
    for (const std::string_view name : fact_kind_names()) {
        std::string event;
        if (events.text(name, event)) subscription.events[*fact_kind_from(name)] = event;
    }
    events.finish();
    if (entry.has("events") && subscription.events.empty())
        entry.error("`events` maps nothing", "write `events: { paid: pay }`, or leave it out");
}

void read_one(Reading& reading, const YamlNode& node, Config& config) {
    CallbackSetting& setting = config.callbacks.emplace_back();
    setting.line = node.line;
    setting.column = node.column;
    const bool is_map = node.kind == YamlNode::Kind::map;
    Section entry(reading, is_map ? &node : nullptr, "callbacks", false);
    if (!is_map) {
        entry.error(node, fmt::format("an account is {}", name_of(node.kind)),
                    "write `- provider: stripe` and its settings below");
        return;
    }
    Subscription& subscription = setting.subscription;
    read_provider(reading, entry, setting);
    entry.text("name", subscription.account.name);
    if (!is_url_name(subscription.account.name))
        entry.error("an account needs a name for its address",
                    "write `name: main`: letters, digits, `-`, `_` and `.`, at most 64");
    if (!entry.text("flow", subscription.flow) && !entry.has("flow"))
        entry.error("which flow the account's facts are about is not said", "write `flow: order`");
    subscription.tenant = config.tenant;
    if (!entry.text("tenant", subscription.tenant) && config.tenant_rule)
        entry.error("whose orders the account's facts are about is not said",
                    "write `tenant: NAME`");
    read_events(entry, subscription);
    entry.finish();
}

}  // namespace

void read_callbacks(Reading& reading, Section& top, Config& config) {
    const YamlNode* node = top.take("callbacks");
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::list) {
        top.error(*node, fmt::format("`callbacks` is {}", name_of(node->kind)),
                  "write each account below it as `- provider: …`");
        return;
    }
    for (const YamlNode& item : node->items) read_one(reading, item, config);
}

}  // namespace pawl::config
