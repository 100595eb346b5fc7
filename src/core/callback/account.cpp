// SPDX-License-Identifier: Apache-2.0
#include "core/callback/account.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runtime/codec/aead.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::callback {
namespace {

// Says what is wrong with one account.
struct Check {
    std::string name;

    std::unexpected<Error> wrong(std::string_view what) const {
        return fail(Code::config_invalid, fmt::format("Callback account {}: {}", name, what));
    }

    Status count(std::size_t keys, std::string_view what) const {
        if (keys >= 1 && keys <= kKeysMax) return {};
        return wrong(fmt::format("it has {} {}; give 1 to {}.", keys, what, kKeysMax));
    }

    Status secrets(const std::vector<std::string>& secrets, std::size_t bytes_min,
                   std::size_t bytes_max) const {
        if (auto counted = count(secrets.size(), "secrets"); !counted) return counted;
        for (const std::string& secret : secrets)
            if (secret.size() < bytes_min || secret.size() > bytes_max)
                return wrong(fmt::format("a secret has {} bytes; give {} to {}.", secret.size(),
                                         bytes_min, bytes_max));
        return {};
    }

    Status rsa(const PublicKey& key) const {
        if (key.kind() == PublicKey::Kind::rsa) return {};
        return wrong("a public key is not RSA; the provider signs with RSA.");
    }

    Status mapping(const JsonMapping& mapping) const {
        if (mapping.kinds.empty())
            return wrong("no event type is mapped; name those that mean paid, closed or refunded.");
        const auto tells = [&](FactKind kind) {
            return std::ranges::any_of(mapping.kinds,
                                       [kind](const auto& row) { return row.second == kind; });
        };
        if (tells(FactKind::refunded) && !mapping.refund)
            return wrong("refunds are mapped without the path of their number.");
        if ((tells(FactKind::paid) || tells(FactKind::refunded)) && !mapping.amount)
            return wrong("payments are mapped without the path of their amount.");
        if (mapping.amount && !mapping.currency && mapping.currency_default.empty())
            return wrong("amounts are mapped without a currency: give its path, or one for all.");
        if (mapping.merchant && mapping.merchant_expected.empty())
            return wrong("the merchant is read, but which one is expected is not said.");
        return {};
    }

    Status answer(const HmacAccount::Answer& answer, bool success) const {
        const bool good = success ? answer.status >= 200 && answer.status <= 299
                                  : answer.status >= 400 && answer.status <= 599;
        if (good) return {};
        return wrong(fmt::format("the status {} says {}; senders go by the status.", answer.status,
                                 success ? "no success" : "no failure"));
    }

    Status operator()(const WechatAccount& account) const {
        if (account.mchid.empty()) return wrong("its mchid is missing.");
        if (auto counted = count(account.keys.size(), "keys of WeChat Pay"); !counted)
            return counted;
        for (const auto& [serial, key] : account.keys) {
            if (serial.empty()) return wrong("a key has no serial (Wechatpay-Serial).");
            if (auto good = rsa(key); !good) return good;
        }
        if (auto counted = count(account.api_keys.size(), "APIv3 keys"); !counted) return counted;
        const auto has_length = [](const std::string& key) { return key.size() == kAeadKeyBytes; };
        if (!std::ranges::all_of(account.api_keys, has_length))
            return wrong("an APIv3 key does not have 32 bytes.");
        return {};
    }
    Status operator()(const AlipayAccount& account) const {
        if (account.app_id.empty()) return wrong("its app_id is missing.");
        if (!Amount::in_decimal("0", account.currency))
            return wrong("its currency is not three letters.");
        if (auto counted = count(account.keys.size(), "keys of Alipay"); !counted) return counted;
        for (const PublicKey& key : account.keys)
            if (auto good = rsa(key); !good) return good;
        return {};
    }
    Status operator()(const StripeAccount& account) const {
        if (account.order_member.empty())
            return wrong("which metadata names the order is not said.");
        return secrets(account.secrets, kSecretBytesMin, kSecretBytesMax);
    }
    Status operator()(const StandardWebhooksAccount& account) const {
        if (auto good = secrets(account.secrets, kStandardSecretBytesMin, kStandardSecretBytesMax);
            !good)
            return good;
        return mapping(account.mapping);
    }
    Status operator()(const HmacAccount& account) const {
        if (account.signature_header.empty())
            return wrong("the header of the signature is missing.");
        if (account.tolerance < std::chrono::seconds{1} || account.tolerance > kToleranceMax)
            return wrong("its tolerance is not between 1 s and 1 h.");
        if (account.memory < kMemoryMin) return wrong("its memory is less than a day.");
        for (const auto& [given, success] :
             {std::pair(&account.taken, true), std::pair(&account.failed, false),
              std::pair(&account.not_authentic, false)})
            if (auto good = answer(*given, success); !good) return good;
        if (auto good = secrets(account.secrets, kSecretBytesMin, kSecretBytesMax); !good)
            return good;
        return mapping(account.mapping);
    }
};

}  // namespace

Provider provider_of(const Account& account) {
    static constexpr std::array kOrder{Provider::wechat, Provider::alipay, Provider::stripe,
                                       Provider::standard_webhooks, Provider::hmac};
    return kOrder[account.provider.index()];
}

Result<std::string> standard_secret(std::string_view text) {
    if (text.starts_with("whsec_")) text.remove_prefix(6);
    auto bytes = from_base64(text);
    if (!bytes)
        return fail(Code::config_invalid,
                    "A secret of Standard Webhooks is `whsec_` and base64, or base64.");
    return *std::move(bytes);
}

Status check(const Account& account) {
    if (account.name.empty() || account.name.size() > kFactTextBytesMax)
        return fail(Code::config_invalid, "A callback account needs a name, for its URL.");
    return std::visit(Check{account.name}, account.provider);
}

}  // namespace pawl::callback
