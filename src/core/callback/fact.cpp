// SPDX-License-Identifier: Apache-2.0
#include "core/callback/fact.hpp"

#include <array>

#include "runtime/plant/planted.hpp"

namespace pawl::callback {
namespace {

constexpr std::array<std::string_view, kProviderCount> kProviders{"wechat", "alipay", "stripe",
                                                                  "standard_webhooks", "hmac"};
constexpr std::array<std::string_view, 3> kKinds{"paid", "closed", "refunded"};
constexpr std::array<std::string_view, 3> kNews{"fact", "nothing", "attention"};
constexpr std::array<std::string_view, 4> kReasons{"not_authentic", "key_unknown", "out_of_time",
                                                   "sealed"};

}  // namespace

std::string_view name_of(Provider provider) {
    return kProviders[static_cast<std::size_t>(provider)];
}
std::string_view name_of(FactKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
std::string_view name_of(News news) { return kNews[static_cast<std::size_t>(news)]; }
std::string_view name_of(Refusal::Reason reason) {
    return kReasons[static_cast<std::size_t>(reason)];
}

Digest notification_key(Provider provider, std::string_view account, std::string_view event_id,
                        std::string_view body) {
    if (is_planted(Plant::ids_of_all_accounts)) account = {};
    if (event_id.empty())
        return sha256_parts("pawl.callback.body.1", {name_of(provider), account, body});
    return sha256_parts("pawl.callback.event.1", {name_of(provider), account, event_id});
}

Digest fact_key(Provider provider, std::string_view account, const Fact& fact) {
    return sha256_parts("pawl.callback.fact.1",
                        {name_of(provider), account, fact.out_trade_no, fact.transaction_id,
                         name_of(fact.kind), fact.refund_number});
}

std::map<std::string, std::string, std::less<>> named_values(Provider provider,
                                                             std::string_view account,
                                                             const Fact& fact) {
    std::map<std::string, std::string, std::less<>> values{
        {"provider", std::string(name_of(provider))},
        {"account", std::string(account)},
        {"out_trade_no", fact.out_trade_no},
        {"transaction_id", fact.transaction_id},
        {"kind", std::string(name_of(fact.kind))},
        {"refund_number", fact.refund_number},
        {"merchant", fact.merchant},
        {"app", fact.app}};
    if (fact.amount) {
        values[fact.amount_so_far ? "amount_so_far" : "amount"] = fact.amount->decimal_text();
        values["currency"] = fact.amount->currency();
    }
    std::erase_if(values, [](const auto& value) { return value.second.empty(); });
    return values;
}

}  // namespace pawl::callback
