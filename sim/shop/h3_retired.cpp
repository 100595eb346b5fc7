// SPDX-License-Identifier: Apache-2.0
// H3: only what is over is taken away: it came to its end longer ago than it is kept, its refunds are made or before a
// person no more, and nothing waits for it. Afterwards its id is known to nobody, and no request moves it again.
#include "sim/shop/shop_auditor.hpp"
#include "sim/shop/shop_node.hpp"

namespace pawl::sim {
namespace {

class OnlyWhatIsOver final : public ShopAuditor {
  public:
    explicit OnlyWhatIsOver(const ShopAuditParts& parts) : ShopAuditor("H3", parts) {}

    void retired(const ShopRetired& event) override {
        const flow::Entity& entity = event.story.entity;
        const flow::StateRule* state = state_in(declared(entity.flow), entity.state);
        if (state == nullptr || !state->final)
            find("{} {} went while it was {}", entity.flow, entity.id, entity.state);
        const std::int64_t last_ms =
            event.story.steps.empty() ? 0 : event.story.steps.back().history.at_ms;
        const auto kept = std::chrono::milliseconds(kKeepsFinished).count();
        if (last_ms + kept > event.now_ms)
            find("{} {} went {} ms after its last step", entity.flow, entity.id,
                 event.now_ms - last_ms);
        for (const store::SagaRow& saga : event.sagas)
            if (saga.state != store::SagaState::done && saga.subject.flow == entity.flow &&
                saga.subject.id == entity.id)
                find("{} {} went before its `{}` was done", entity.flow, entity.id,
                     saga.start.name);
        gone_.insert(entity.id);
    }

    void answered(const ShopAnswer& event) override {
        using engine::Told;
        const Told told = event.outcome.told;
        if (!gone_.contains(event.outcome.id) || !(told == Told::applied || told == Told::present))
            return;
        find("`{}` of {} was {}, and {} is gone", event.wish.sent.event.name, event.outcome.id,
             engine::name_of(told), event.outcome.id);
    }

    void committed(const ShopCommit& event) override {
        if (event.after && gone_.contains(event.after->id))
            find("{} {} is there again", event.after->flow, event.after->id);
    }

  private:
    std::set<std::string> gone_;
};

}  // namespace

ShopAuditorPtr only_what_is_over(const ShopAuditParts& parts) {
    return std::make_unique<OnlyWhatIsOver>(parts);
}

}  // namespace pawl::sim
