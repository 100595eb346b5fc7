// SPDX-License-Identifier: Apache-2.0
// G1: money that came too late, came twice, or bought what is not there any more is refunded once, and so is what
// support gives back; nothing else is. What a person pays back by hand is his alone: the flow neither refunds it
// nor gives anything for it.
#include <algorithm>

#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class OneRefund final : public ShopAuditor {
  public:
    explicit OneRefund(const ShopAuditParts& parts) : ShopAuditor("G1", parts) {}

    void ended(const ShopEnding& ending) override {
        std::map<std::string, int> begun;
        std::map<std::string, int> owed;
        for (const Story& story : ending.stories) {
            std::string paid_by;  // the order's present money
            for (const store::FlowStep& step : story.steps) {
                for (const flow::SagaStart& saga : step.sagas)
                    if (saga.name == "refund") ++begun[value_in(saga.values, "transaction_id")];
                const flow::History& row = step.history;
                if (is_payment(row.event)) {
                    const auto at = row.values.find("transaction_id");
                    const std::string money = at == row.values.end() ? "nothing" : at->second;
                    if (row.course == flow::Course::applied)
                        paid_by = money;
                    else
                        owed[money] = 1;
                    if (book_.was_paid_back(money))
                        find("{} was paid back by hand, and is in the history of {}", money,
                             story.entity.id);
                }
                if (gives_back(story.entity, row)) owed[paid_by] = 1;
            }
        }
        std::string before;
        for (const auto& [money, entry] : book_.paid_back()) {
            if (money == before) find("{} was paid back by hand twice", money);
            if (begun[money] > 0) find("{} was refunded, and paid back by hand", money);
            before = money;
        }
        for (const auto& [money, times] : owed)
            if (begun[money] != times)
                find("{} has to be refunded once, and {} refunds began", money, begun[money]);
        for (const auto& [money, times] : begun)
            if (times > 0 && !owed.contains(money))
                find("{} was refunded {} times and should not have been", money, times);
    }

  private:
    bool gives_back(const flow::Entity& entity, const flow::History& row) const {
        if (row.course != flow::Course::applied || is_payment(row.event)) return false;
        const flow::EventRule* event = event_in(declared(entity.flow), row.event);
        return event != nullptr && std::ranges::any_of(event->transitions, [&](const auto& way) {
                   return way.saga == "refund" &&
                          std::ranges::find(way.from, row.from) != way.from.end();
               });
    }
};

}  // namespace

ShopAuditorPtr one_refund(const ShopAuditParts& parts) {
    return std::make_unique<OneRefund>(parts);
}

}  // namespace pawl::sim
