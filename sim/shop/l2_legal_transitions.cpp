// SPDX-License-Identifier: Apache-2.0
// L2: an entity moves only as its flow declares, one version at a time, and each version has its row of history.
#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class LegalTransitions final : public ShopAuditor {
  public:
    explicit LegalTransitions(const ShopAuditParts& parts) : ShopAuditor("L2", parts) {}

    void committed(const ShopCommit& event) override {
        if (!event.after) return;
        const flow::Entity& after = *event.after;
        const std::uint64_t version = event.before ? event.before->version : 0;
        const std::string state = event.before ? event.before->state : std::string();
        const auto* bundle = std::get_if<flow::Bundle>(&event.commit.decision);
        const bool moves = bundle != nullptr && event.reply.outcome == store::FlowOutcome::applied;
        if (after.version != version + (moves ? 1 : 0))
            find("{} {}: version {} after version {}", after.flow, after.id, after.version,
                 version);
        if (!moves && after.state != state)
            find("{} {}: {} became {} without a transition", after.flow, after.id, state,
                 after.state);
        if (!moves) return;
        flow::History row = bundle->history;
        row.from = state;
        row.to = after.state;
        if (!is_declared(declared(after.flow), row))
            find("{} {}: `{}` led from {} to {}, which is not declared", after.flow, after.id,
                 row.event, state, after.state);
    }

    void ended(const ShopEnding& ending) override {
        for (const Story& story : ending.stories) check(story);
    }

  private:
    void check(const Story& story) {
        const flow::Entity& entity = story.entity;
        if (story.steps.size() != entity.version)
            find("{} {}: version {} with {} rows of history", entity.flow, entity.id,
                 entity.version, story.steps.size());
        std::string state;
        std::int64_t at_ms = 0;
        for (std::size_t i = 0; i < story.steps.size(); ++i) {
            const flow::History& row = story.steps[i].history;
            if (row.version != i + 1 || row.from != state || row.at_ms < at_ms)
                find("{} {}: row {} has version {} and goes from {} after {}", entity.flow,
                     entity.id, i + 1, row.version, row.from, state);
            if (!is_declared(declared(entity.flow), row))
                find("{} {}: row {}, `{}` from {} to {}, is not declared", entity.flow, entity.id,
                     i + 1, row.event, row.from, row.to);
            state = row.to;
            at_ms = row.at_ms;
        }
        if (state != entity.state)
            find("{} {}: {} and its history ends in {}", entity.flow, entity.id, entity.state,
                 state);
    }
};

}  // namespace

ShopAuditorPtr legal_transitions(const ShopAuditParts& parts) {
    return std::make_unique<LegalTransitions>(parts);
}

}  // namespace pawl::sim
