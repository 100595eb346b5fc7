// SPDX-License-Identifier: Apache-2.0
// L1: what was acknowledged is there: every order whose creation was answered, and every transition that a sender
// was told of, as it was told.
#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class NoOrderLost final : public ShopAuditor {
  public:
    explicit NoOrderLost(const ShopAuditParts& parts) : ShopAuditor("L1", parts) {}

    void answered(const ShopAnswer& event) override {
        const engine::Outcome& told = event.outcome;
        if (told.told != engine::Told::applied || told.id.empty()) return;
        if (event.wish.kind != Wish::Kind::event) return;
        const auto& asked = event.wish.sent.event.if_match;
        if (asked && told.version != *asked + 1)
            find("`{}` of {} was asked for on version {} and made version {}",
                 event.wish.sent.event.name, told.id, *asked, told.version);
        told_.push_back(
            {told.id, told.version, event.wish.sent.event.name, told.to, told.refusal.has_value()});
    }

    void ended(const ShopEnding& ending) override {
        std::map<std::string, const Story*> stories;
        for (const Story& story : ending.stories) stories.emplace(story.entity.id, &story);
        for (const Told& told : told_) {
            const auto at = stories.find(told.id);
            if (at == stories.end()) {
                find("{} was answered as version {} of {}, which is not there", told.event,
                     told.version, told.id);
                continue;
            }
            const auto& steps = at->second->steps;
            if (told.version == 0 || told.version > steps.size()) {
                find("{} of {}: version {} was answered, the history has {}", told.event, told.id,
                     told.version, steps.size());
                continue;
            }
            // Found paid: another event took its place, and the sender was told so.
            const flow::History& row = steps[told.version - 1].history;
            if (row.to != told.to || (row.event != told.event && !told.overtaken))
                find("{} of {} was answered as {} in version {}, which is {} to {}", told.event,
                     told.id, told.to, told.version, row.event, row.to);
        }
    }

  private:
    struct Told {
        std::string id;
        std::uint64_t version = 0;
        std::string event;
        std::string to;
        bool overtaken = false;
    };
    std::vector<Told> told_;
};

}  // namespace

ShopAuditorPtr no_order_lost(const ShopAuditParts& parts) {
    return std::make_unique<NoOrderLost>(parts);
}

}  // namespace pawl::sim
