// SPDX-License-Identifier: Apache-2.0
// G2: by the ledger of the service that refunds, each refund that began was made once, with the amount that was paid,
// or stands before a person; none was made that did not begin.
#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class RefundsMade final : public ShopAuditor {
  public:
    explicit RefundsMade(const ShopAuditParts& parts) : ShopAuditor("G2", parts) {}

    void ended(const ShopEnding& ending) override {
        std::map<std::string, int> made;
        for (const Refund& refund : ending.refunds) {
            ++made[refund.transaction];
            const Money* money = book_.transaction(refund.transaction);
            if (money != nullptr && cents_of(refund.amount) != cents_of(money->amount))
                find("{} was paid with {}, and {} went back", refund.transaction, money->amount,
                     refund.amount);
        }
        for (const store::SagaRow& saga : ending.sagas) {
            if (saga.start.name != "refund") continue;
            const std::string money = value_in(saga.start.values, "transaction_id");
            const int times = made[money];
            made.erase(money);
            if (saga.state == store::SagaState::running)
                find("the refund of {} is neither made nor before a person", money);
            if (times > 1 || (saga.state == store::SagaState::done && times == 0))
                find("the refund of {} is {}, and was made {} times", money,
                     store::name_of(saga.state), times);
        }
        for (const auto& [money, times] : made)
            if (times > 0) find("{} was refunded, and nothing had begun that", money);
    }
};

}  // namespace

ShopAuditorPtr refunds_made(const ShopAuditParts& parts) {
    return std::make_unique<RefundsMade>(parts);
}

}  // namespace pawl::sim
