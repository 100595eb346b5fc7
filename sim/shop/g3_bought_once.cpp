// SPDX-License-Identifier: Apache-2.0
// G3: what a payment has bought is done once: every step once, in their order, by the ledgers of those who did it, or
// it stands before a person; nothing is done for what was not paid. A payment counts as refunded only when its own
// money has gone back.
#include <algorithm>

#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class BoughtOnce final : public ShopAuditor {
  public:
    explicit BoughtOnce(const ShopAuditParts& parts) : ShopAuditor("G3", parts) {}

    void ended(const ShopEnding& ending) override {
        std::map<std::string, std::vector<std::string>> done;  // steps, by entity
        for (const Work& work : ending.works) done[work.entity].push_back(work.step);
        std::map<std::string, const store::SagaRow*> begun;
        for (const store::SagaRow& saga : ending.sagas)
            if (saga.start.name == "fulfil" && !begun.emplace(saga.subject.id, &saga).second)
                find("{} was fulfilled twice", saga.subject.id);
        for (const Story& story : ending.stories) {
            if (story.entity.flow != "payment") continue;
            const std::string money = check_rows(story);
            const auto saga = begun.find(story.entity.id);
            if ((saga != begun.end()) != !money.empty())
                find("{} was {}paid, and what it bought was {}begun", story.entity.id,
                     money.empty() ? "not " : "", saga == begun.end() ? "not " : "");
            if (saga == begun.end()) continue;
            check_steps(*saga->second, done[story.entity.id]);
            done.erase(story.entity.id);
        }
        for (const auto& [entity, steps] : done)
            if (!steps.empty()) find("`{}` was done for {}, which was not paid", steps[0], entity);
    }

  private:
    // The transaction that paid it; empty: none.
    std::string check_rows(const Story& story) {
        std::string money;
        for (const store::FlowStep& step : story.steps) {
            const flow::History& row = step.history;
            if (row.course != flow::Course::applied) continue;
            const auto at = row.values.find("transaction_id");
            const std::string transaction = at == row.values.end() ? "nothing" : at->second;
            if (row.event == "paid") money = transaction;
            if (row.event == "refunded" && transaction != money)
                find("{} was paid by {}, and counts as refunded by what became of {}",
                     story.entity.id, money, transaction);
        }
        return money;
    }
    void check_steps(const store::SagaRow& saga, const std::vector<std::string>& done) {
        std::vector<std::string> all;
        const auto& rules = declared("payment").sagas;
        const auto rule = std::ranges::find(rules, "fulfil", &flow::SagaRule::name);
        for (const flow::SagaStep& step : rule->steps) all.push_back(step.name);
        const bool in_order =
            done.size() <= all.size() && std::equal(done.begin(), done.end(), all.begin());
        if (!in_order || (saga.state == store::SagaState::done && done.size() != all.size()))
            find("the steps of {}, which is {}, were {}", saga.subject.id,
                 store::name_of(saga.state), fmt::join(done, ", "));
        if (saga.state == store::SagaState::running)
            find("the steps of {} are neither made nor before a person", saga.subject.id);
    }
};

}  // namespace

ShopAuditorPtr bought_once(const ShopAuditParts& parts) {
    return std::make_unique<BoughtOnce>(parts);
}

}  // namespace pawl::sim
