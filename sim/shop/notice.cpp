// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/notice.hpp"

#include "core/callback/webhook_fixture.hpp"

namespace pawl::sim {
namespace {

using callback::FactKind;

std::string secret_of(const std::string& account) { return std::string(24, 's') + account; }

callback::Subscription subscription(std::string flow, std::map<FactKind, std::string> events) {
    callback::StandardWebhooksAccount provider;
    provider.secrets = {secret_of(flow)};
    provider.mapping = callback::plain_mapping();
    callback::Subscription one{{flow, std::move(provider)}, std::string(kShopTenant), flow, {}};
    for (auto& [kind, event] : events) one.events.emplace(kind, std::move(event));
    return one;
}

}  // namespace

std::string_view name_of(Notice::Kind kind) {
    constexpr std::array<std::string_view, 4> kNames{"genuine", "unreadable", "forged",
                                                     "misdirected"};
    return kNames[static_cast<std::size_t>(kind)];
}

void sign(Notice& notice, const std::string& from, WallTime now) {
    std::string data = fmt::format(R"("order":"{}","payment":"{}","shop":"{}")", notice.key,
                                   notice.transaction, kMerchant);
    if (!notice.refund.empty()) data += fmt::format(R"(,"refund":"{}")", notice.refund);
    if (!notice.amount.empty())
        data += fmt::format(R"(,"amount":"{}","currency":"EUR")", notice.amount);
    const std::string body = fmt::format(R"({{"type":"{}","data":{{{}}}}})", notice.says, data);
    notice.bytes = callback::standard_signed(secret_of(from), body, notice.event_id,
                                             milliseconds_of(now) / 1'000);
}

std::int64_t cents_of(std::string_view amount) {
    const auto point = std::min(amount.find('.'), amount.size());
    std::string digits(amount.substr(0, point));
    const std::string_view behind = amount.substr(std::min(point + 1, amount.size()));
    for (std::size_t i = 0; i < 2; ++i) digits += i < behind.size() ? behind[i] : '0';
    return std::stoll(digits);
}

std::shared_ptr<const engine::CallbackAccounts> shop_accounts() {
    static const auto accounts = std::make_shared<const engine::CallbackAccounts>(
        std::vector{subscription("order", {{FactKind::paid, "pay"}}),
                    subscription("booking", {{FactKind::paid, "pay"}}),
                    subscription("payment", {{FactKind::paid, "paid"},
                                             {FactKind::closed, "closed"},
                                             {FactKind::refunded, "refunded"}})});
    return accounts;
}

}  // namespace pawl::sim
