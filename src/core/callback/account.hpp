// SPDX-License-Identifier: Apache-2.0
// A callback account: whose notifications are believed, under which keys, and what its bodies call things. Several keys
// are good at once, so that each can be changed without a gap.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/callback/fact.hpp"
#include "core/key/json.hpp"
#include "runtime/codec/signature.hpp"
#include "runtime/result/result.hpp"

namespace pawl::callback {

inline constexpr std::size_t kKeysMax = 8;
inline constexpr std::size_t kSecretBytesMin = 16;
inline constexpr std::size_t kSecretBytesMax = 512;
inline constexpr std::size_t kStandardSecretBytesMin = 24;  // Standard Webhooks; 64 at most
inline constexpr std::size_t kStandardSecretBytesMax = 64;
inline constexpr std::chrono::milliseconds kToleranceDefault = std::chrono::minutes{5};
inline constexpr std::chrono::milliseconds kToleranceMax = std::chrono::hours{1};
inline constexpr std::chrono::milliseconds kMemoryMin = std::chrono::hours{24};

// WeChat Pay, APIv3.
struct WechatAccount {
    struct Key {
        std::string serial;  // of the platform certificate, or PUB_KEY_ID_...
        PublicKey key;       // RSA
    };
    std::string mchid;                  // the merchant's, or the sub-merchant's
    std::string appid;                  // empty: any
    std::vector<Key> keys;              // WeChat Pay's
    std::vector<std::string> api_keys;  // APIv3 keys, 32 bytes each: open the resource
};

struct AlipayAccount {
    std::string app_id;
    std::string seller_id;        // empty: any
    std::vector<PublicKey> keys;  // Alipay's, RSA
    std::string currency = "CNY";
};

struct StripeAccount {
    std::vector<std::string> secrets;  // whsec_..., as the dashboard shows them
    std::string connected;             // acct_... whose events these are; empty: the account's own
    bool live = true;                  // false: a test-mode endpoint
    std::string order_member = "out_trade_no";  // of metadata: names the order
    bool ignore_without_order = false;  // else a payment that names no order waits for people
};

// Where the members of a JSON body stand, for providers that leave the body to the sender.
struct JsonMapping {
    key::JsonPath type;
    std::map<std::string, FactKind, std::less<>>
        kinds;  // by the value at `type`; others are ignored
    key::JsonPath order;
    key::JsonPath transaction;
    std::optional<key::JsonPath> refund;  // needed for refunded
    std::optional<key::JsonPath> amount;  // needed for paid and refunded
    bool minor_units = true;              // else decimal
    std::optional<key::JsonPath> currency;
    std::string currency_default;  // where the body does not say
    std::optional<key::JsonPath> merchant;
    std::string merchant_expected;
};

struct StandardWebhooksAccount {
    std::vector<std::string> secrets;  // the bytes: see standard_secret()
    JsonMapping mapping;
};

struct HmacAccount {
    enum class Encoding : std::uint8_t { hex, base64 };
    struct Answer {
        int status = 200;
        std::string content_type;
        std::string body;
    };
    std::vector<std::string> secrets;
    std::string signature_header;
    std::string signature_prefix;  // "sha256=", or empty
    Encoding encoding = Encoding::hex;
    std::string time_header;  // empty: the body alone is signed; else `TIME.BODY`, in seconds
    std::chrono::milliseconds tolerance = kToleranceDefault;
    key::JsonPath event_id;
    JsonMapping mapping;
    std::chrono::milliseconds memory = std::chrono::days{7};
    Answer taken{200, {}, {}};
    Answer failed{500, {}, {}};
    Answer not_authentic{401, {}, {}};
};

struct Account {
    std::string name;  // of the URL
    std::variant<WechatAccount, AlipayAccount, StripeAccount, StandardWebhooksAccount, HmacAccount>
        provider;
};

Provider provider_of(const Account& account);

// From "whsec_BASE64" or BASE64. Errors: config_invalid.
Result<std::string> standard_secret(std::string_view text);

// What verify_and_read() relies on. Errors: config_invalid, with what to write.
Status check(const Account& account);

}  // namespace pawl::callback
