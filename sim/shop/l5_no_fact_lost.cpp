// SPDX-License-Identifier: Apache-2.0
// L5: every fact that was acknowledged is somewhere: applied, compensated, waiting, ignored by rule, or in the
// list for people, or was taken from it by one. Money whose amount differs is never applied.
#include <algorithm>

#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class NoFactLost final : public ShopAuditor {
  public:
    explicit NoFactLost(const ShopAuditParts& parts) : ShopAuditor("L5", parts) {}

    void ended(const ShopEnding& ending) override {
        std::set<std::string> known;
        for (const Story& story : ending.stories)
            for (const store::FlowStep& step : story.steps) {
                add(known, step.history.values);
                check_amount(story, step.history);
            }
        for (const store::AttentionEntry& entry : ending.attention)
            for (const flow::Fact& fact : entry.about)
                if (const std::string money = value_in(fact.values, "transaction_id");
                    is_payment(fact.event) && known.contains(money))
                    find("payment {} is in a history, and before a person: {}", money,
                         entry.reason);
        known.insert(book_.seen_to().begin(), book_.seen_to().end());
        for (const store::AttentionEntry& entry : ending.attention)
            if (entry.event) add(known, entry.event->values);
        for (const store::WaitingEntry& entry : ending.waiting) add(known, entry.fact.event.values);
        for (const Money& money : book_.money())
            if (money.acknowledged && !known.contains(money.transaction))
                find("payment {} of {} was acknowledged, and is nowhere", money.transaction,
                     book_.purchases()[money.purchase - 1].key);
        for (const Message& message : book_.messages()) {
            if (!message.acknowledged || known.contains(fmt::format("D{}", message.number)))
                continue;
            const Purchase& of = book_.purchases()[message.purchase - 1];
            if (!is_ignored(ending, of, message.event))
                find("message D{} of {}, `{}`, was acknowledged, and is nowhere", message.number,
                     of.key, message.event);
        }
        for (const Reversal& reversal : book_.reversals())
            if (reversal.acknowledged && !known.contains(fmt::format("R{}", reversal.number)) &&
                !is_ignored(ending, purchase_of(reversal), "refunded") &&
                !was_compensated(ending, book_.money()[reversal.money - 1]))
                find("reversal R{} was acknowledged, and is nowhere", reversal.number);
    }

  private:
    static void add(std::set<std::string>& known, const flow::Given& values) {
        for (const std::string_view name : {"transaction_id", "message", "refund_number"})
            if (const auto at = values.find(name); at != values.end()) known.insert(at->second);
    }
    void check_amount(const Story& story, const flow::History& row) {
        if (!is_payment(row.event) || row.course != flow::Course::applied) return;
        const auto at = row.values.find("transaction_id");
        const Money* money = at == row.values.end() ? nullptr : book_.transaction(at->second);
        if (money == nullptr)
            find("{} was paid by a payment that nobody made", story.entity.id);
        else if (!money->fits)
            find("{} was paid by {} of the wrong amount", story.entity.id, money->transaction);
        else if (book_.purchases()[money->purchase - 1].key != story.entity.business_key)
            find("{} was paid by {} of another", story.entity.id, money->transaction);
    }
    const Purchase& purchase_of(const Reversal& reversal) const {
        return book_.purchases()[book_.money()[reversal.money - 1].purchase - 1];
    }
    // What took such money back changes nothing.
    bool was_compensated(const ShopEnding& ending, const Money& money) const {
        return std::ranges::any_of(ending.stories, [&](const Story& story) {
            return std::ranges::any_of(story.steps, [&](const store::FlowStep& step) {
                const auto at = step.history.values.find("transaction_id");
                return is_payment(step.history.event) &&
                       step.history.course == flow::Course::compensated &&
                       at != step.history.values.end() && at->second == money.transaction;
            });
        });
    }
    // In some state that it was in.
    bool is_ignored(const ShopEnding& ending, const Purchase& of, const std::string& event) const {
        return std::ranges::any_of(ending.stories, [&](const Story& story) {
            return story.entity.business_key == of.key &&
                   std::ranges::any_of(story.steps, [&](const store::FlowStep& step) {
                       const flow::StateRule* state =
                           state_in(declared(story.entity.flow), step.history.to);
                       return state != nullptr &&
                              std::ranges::any_of(state->late, [&](const flow::Late& one) {
                                  return one.event == event && one.ignore;
                              });
                   });
        });
    }
};

}  // namespace

ShopAuditorPtr no_fact_lost(const ShopAuditParts& parts) {
    return std::make_unique<NoFactLost>(parts);
}

}  // namespace pawl::sim
