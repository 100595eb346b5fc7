// SPDX-License-Identifier: Apache-2.0
// V1: once faults have stopped every sender has a last word, every fact is acknowledged and no deadline is overdue;
// once the horizon of facts has passed too, none waits: what nothing can settle stands in the list for people.
#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

// A sweep and a paced step may lie before what has just become due.
constexpr std::int64_t kOverdueMs = 60'000;

class ShopSettles final : public ShopAuditor {
  public:
    explicit ShopSettles(const ShopAuditParts& parts) : ShopAuditor("V1", parts) {}

    void rested(const ShopEnding& ending) override {
        if (ending.unacknowledged > 0)
            find("{} facts were not acknowledged", ending.unacknowledged);
        for (const Number number : ending.unanswered) {
            const Wish& wish = book_.wishes()[number - 1];
            find("wish {}, `{}` of {}, got no last word", number, wish.sent.event.name,
                 wish.sent.subject.business_key);
        }
        for (const Story& story : ending.stories)
            for (const timer::Running& running : story.entity.deadlines)
                if (running.due_ms + kOverdueMs < ending.now_ms && running.asked == 0)
                    find("{} {}: `{}` was due {} ms ago", story.entity.flow, story.entity.id,
                         running.name, ending.now_ms - running.due_ms);
    }

    void ended(const ShopEnding& ending) override {
        rested(ending);
        for (const store::WaitingEntry& entry : ending.waiting)
            find("a fact `{}` of {} waits still", entry.fact.event.name,
                 entry.subject.business_key);
    }
};

}  // namespace

ShopAuditorPtr shop_settles(const ShopAuditParts& parts) {
    return std::make_unique<ShopSettles>(parts);
}

}  // namespace pawl::sim
