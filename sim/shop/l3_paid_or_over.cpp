// SPDX-License-Identifier: Apache-2.0
// L3: paid xor timed out. An order has one payment that counts, or it ran out of time, never both; and where the
// provider has to be asked first, nothing ends before it has said, of this version, that there is no money, or names
// only what a person has paid back, or names none and a person has let this version go.
#include <algorithm>

#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class PaidOrOver final : public ShopAuditor {
  public:
    explicit PaidOrOver(const ShopAuditParts& parts) : ShopAuditor("L3", parts) {}

    void committed(const ShopCommit& event) override {
        const auto* bundle = std::get_if<flow::Bundle>(&event.commit.decision);
        if (bundle == nullptr || event.reply.outcome != store::FlowOutcome::applied) return;
        if (bundle->course != flow::Course::applied || !event.before || !event.after) return;
        const flow::EventRule* rule = event_in(declared(event.after->flow), bundle->history.event);
        if (rule == nullptr) return;
        const bool asks = std::ranges::any_of(rule->transitions, [&](const auto& way) {
            return !way.before.empty() &&
                   std::ranges::find(way.from, event.before->state) != way.from.end();
        });
        const Purchase* purchase = book_.known_as(event.after->business_key);
        if (!asks || purchase == nullptr) return;
        if (!book_.was_told(purchase->number, event.before->version, flow::Probed::unpaid) &&
            !has_settled_money(purchase->number) &&
            !book_.was_let_go(event.after->id, event.before->version))
            find("{} {}: `{}` ended version {}, of which the provider never said that it is unpaid",
                 event.after->flow, event.after->id, bundle->history.event, event.before->version);
    }

    void ended(const ShopEnding& ending) override {
        for (const Story& story : ending.stories) {
            int paid = 0;
            int expired = 0;
            for (const store::FlowStep& step : story.steps) {
                if (step.history.course != flow::Course::applied) continue;
                paid += is_payment(step.history.event) ? 1 : 0;
                expired += ends_unpaid(step.history.event) ? 1 : 0;
            }
            if (paid + expired > 1)
                find("{} {}: paid {} times and timed out {} times", story.entity.flow,
                     story.entity.id, paid, expired);
        }
    }

  private:
    bool has_settled_money(Number purchase) const {
        return std::ranges::any_of(book_.money(), [&](const Money& money) {
            return money.purchase == purchase && book_.was_paid_back(money.transaction);
        });
    }
    static bool ends_unpaid(std::string_view event) {
        return event == "expire" || event == "give_up" || event == "closed";
    }
};

}  // namespace

ShopAuditorPtr paid_or_over(const ShopAuditParts& parts) {
    return std::make_unique<PaidOrOver>(parts);
}

}  // namespace pawl::sim
