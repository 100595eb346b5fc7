// SPDX-License-Identifier: Apache-2.0
// L4, H2: no deadline fires early by the store's clock. When it is due follows from when the state was entered,
// when the order was made, and which renewals were acknowledged; what the row says is not asked.
#include <algorithm>

#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class NoEarlyDeadline final : public ShopAuditor {
  public:
    explicit NoEarlyDeadline(const ShopAuditParts& parts) : ShopAuditor("L4", parts) {}

    void committed(const ShopCommit& event) override {
        if (!event.after || event.reply.outcome != store::FlowOutcome::applied) return;
        const flow::Entity& after = *event.after;
        if (std::holds_alternative<flow::Renewal>(event.commit.decision) && event.before)
            return check_renewal(*event.before, after);
        const auto* bundle = std::get_if<flow::Bundle>(&event.commit.decision);
        if (bundle == nullptr) return;
        Known& known = known_[after.flow + " " + after.id];
        if (bundle->history.sender == flow::Sender::timer)
            check_fired(after, known, event, *bundle);
        if (bundle->course == flow::Course::created) known.created_ms = event.reply.now_ms;
        const std::string from = event.before ? event.before->state : std::string();
        if (from != after.state) known.entered_ms = event.reply.now_ms, known.not_before_ms = 0;
    }

    void answered(const ShopAnswer& event) override {
        const Wish& wish = event.wish;
        if (wish.kind != Wish::Kind::renewal || event.outcome.told != engine::Told::applied) return;
        const auto at = known_.find(wish.sent.subject.flow + " " + event.outcome.id);
        const flow::StateRule* state = state_in(declared(wish.sent.subject.flow), wish.deadline);
        if (at == known_.end() || state == nullptr || !state->deadline) return;
        Known& known = at->second;
        // The state may have been left and entered again since.
        if (known.entered_ms > event.sent_ms) return;
        known.not_before_ms = std::max(known.not_before_ms,
                                       due_of(*state->deadline, known.created_ms, event.sent_ms));
    }

  private:
    struct Known {
        std::int64_t created_ms = 0;
        std::int64_t entered_ms = 0;     // the present state
        std::int64_t not_before_ms = 0;  // as an acknowledged renewal says
    };

    static std::int64_t due_of(const timer::Rule& rule, std::int64_t created_ms,
                               std::int64_t from_ms) {
        const std::int64_t due_ms = from_ms + rule.after.count();
        return rule.cap ? std::min(due_ms, created_ms + rule.cap->count()) : due_ms;
    }

    void check_renewal(const flow::Entity& before, const flow::Entity& after) {
        for (const timer::Running& was : before.deadlines)
            for (const timer::Running& is : after.deadlines)
                if (was.name == is.name && is.due_ms < was.due_ms)
                    find("{} {}: a renewal of `{}` made it {} ms shorter", after.flow, after.id,
                         is.name, was.due_ms - is.due_ms);
    }

    void check_fired(const flow::Entity& after, const Known& known, const ShopCommit& event,
                     const flow::Bundle& bundle) {
        const flow::Definition& flow = declared(after.flow);
        std::int64_t due_ms = timer::kNever;
        for (const flow::FlowDeadline& deadline : flow.deadlines)
            if (deadline.rule.event == bundle.history.event &&
                std::ranges::find(deadline.until, event.before->state) == deadline.until.end())
                due_ms = std::min(due_ms, known.created_ms + deadline.rule.after.count());
        const flow::StateRule* state = state_in(flow, event.before->state);
        if (state != nullptr && state->deadline && state->deadline->event == bundle.history.event)
            due_ms = std::min(due_ms,
                              std::max(due_of(*state->deadline, known.created_ms, known.entered_ms),
                                       known.not_before_ms));
        if (event.reply.now_ms < due_ms)
            find("{} {}: `{}` fired {} ms early in {}", after.flow, after.id, bundle.history.event,
                 due_ms - event.reply.now_ms, event.before->state);
    }

    std::map<std::string, Known> known_;  // by flow and id
};

}  // namespace

ShopAuditorPtr no_early_deadline(const ShopAuditParts& parts) {
    return std::make_unique<NoEarlyDeadline>(parts);
}

}  // namespace pawl::sim
