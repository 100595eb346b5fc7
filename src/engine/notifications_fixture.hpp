// SPDX-License-Identifier: Apache-2.0
// For tests: an account whose sender signs as Standard Webhooks says, notifications of it, and what was heard of them.
#pragma once

#include <deque>

#include <fmt/format.h>

#include "core/callback/webhook_fixture.hpp"
#include "core/flow/flow_fixture.hpp"
#include "engine/notifications.hpp"
#include "store/conformance/rig.hpp"

namespace pawl::engine {

using store::conformance::HandLoop;

inline const std::string kShopSecret(32, 's');

inline callback::Subscription shop_account(std::string name = "main", std::string tenant = "t") {
    callback::StandardWebhooksAccount provider;
    provider.secrets = {kShopSecret};
    provider.mapping = callback::plain_mapping();
    return {{std::move(name), std::move(provider)},
            std::move(tenant),
            "order",
            {{callback::FactKind::paid, "pay"}}};
}

inline std::shared_ptr<const CallbackAccounts> accounts_of(
    std::vector<callback::Subscription> subscriptions) {
    return std::make_shared<const CallbackAccounts>(std::move(subscriptions));
}
inline std::shared_ptr<const Machines> machines_of(std::vector<flow::Definition> definitions) {
    std::vector<flow::Machine> machines;
    for (flow::Definition& one : definitions)
        machines.push_back(*flow::Machine::compile(std::move(one)));
    return std::make_shared<const Machines>(std::move(machines));
}

// A payment as the shop's body says it; amounts in minor units.
struct Paid {
    std::string order = "B1";
    std::string transaction = "T1";
    std::string amount = "1250";
    std::string currency = "EUR";
    std::string shop = "shop-7";
    std::string type = "payment.paid";

    std::string body() const {
        return fmt::format(
            R"({{"type":"{}","data":{{"order":"{}","payment":"{}","amount":{},"currency":"{}","shop":"{}"}}}})",
            type, order, transaction, amount, currency, shop);
    }
};

inline std::int64_t seconds_of(HandLoop& hand) {
    return milliseconds_of(hand.clock().wall()) / 1'000;
}
inline callback::Notification signed_by_shop(HandLoop& hand, const Paid& paid,
                                             const std::string& id = "msg_1",
                                             const std::string& secret = kShopSecret) {
    return callback::standard_signed(secret, paid.body(), id, seconds_of(hand));
}

class HeardAll final : public NotificationWatch {
  public:
    void heard(const HeardNotification& one) override { all.push_back(one); }
    std::vector<HeardNotification> all;
};

}  // namespace pawl::engine
