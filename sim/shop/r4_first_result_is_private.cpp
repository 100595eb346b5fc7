// SPDX-License-Identifier: Apache-2.0
// R4: the first result of an event belongs to who sent it, and to those who may read the entity. Whoever else
// sends the same unique values learns only that somebody was first.
#include <algorithm>

#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class FirstResultIsPrivate final : public ShopAuditor {
  public:
    explicit FirstResultIsPrivate(const ShopAuditParts& parts) : ShopAuditor("R4", parts) {}

    void answered(const ShopAnswer& event) override {
        const engine::Sent& sent = event.wish.sent;
        const engine::Outcome& outcome = event.outcome;
        if (event.wish.kind != Wish::Kind::event || sent.may_read || outcome.id.empty()) return;
        if (sent.event.sender != flow::Sender::caller) return;
        if (!outcome.answer || outcome.answer->status >= 300) return;
        if (outcome.told == engine::Told::present) return;
        told_.push_back({outcome.id, sent.event.name, sent.event.caller, event.wish.number});
    }

    void ended(const ShopEnding& ending) override {
        std::map<std::string, const Story*> stories;
        for (const Story& story : ending.stories) stories.emplace(story.entity.id, &story);
        for (const Told& told : told_) {
            const auto at = stories.find(told.id);
            if (at == stories.end()) continue;  // L1's
            const bool is_own = std::ranges::any_of(at->second->steps, [&](const auto& step) {
                return step.history.event == told.event && step.history.caller == told.caller;
            });
            if (!is_own)
                find("wish {}: {} was given the result of a `{}` of {} that was not theirs",
                     told.wish, told.caller, told.event, told.id);
        }
    }

  private:
    struct Told {
        std::string id;
        std::string event;
        std::string caller;
        Number wish = 0;
    };
    std::vector<Told> told_;
};

}  // namespace

ShopAuditorPtr first_result_is_private(const ShopAuditParts& parts) {
    return std::make_unique<FirstResultIsPrivate>(parts);
}

}  // namespace pawl::sim
