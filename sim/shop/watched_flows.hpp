// SPDX-License-Identifier: Apache-2.0
// A shelf of flows with an eye on it: every commit goes to the auditors with the entity as it was last seen and
// as it is now, and what retention takes away is told, and kept for the end.
#pragma once

#include "sim/shop/shop_auditor.hpp"
#include "sim/shop/shop_rare.hpp"
#include "sim/world/trace.hpp"
#include "store/port/flow_shelf.hpp"

namespace pawl::sim {

class WatchedFlows final : public store::FlowShelf {
  public:
    WatchedFlows(ShopAudit& audit, ShopRarities& rarities, Trace& trace)
        : audit_(audit), rarities_(rarities), trace_(trace) {}

    // The shelf that is watched; another one after a restart. It outlives its watching.
    void put(store::FlowShelf& shelf) { shelf_ = &shelf; }
    store::FlowShelf& shelf() { return *shelf_; }

    std::vector<Result<store::FlowReply>> commit_flows(
        std::span<const store::FlowCommit> commits) override;
    Result<store::Loaded> load(const store::FlowSubject& subject) override {
        return shelf_->load(subject);
    }
    Result<std::vector<flow::Entity>> page(const store::PageQuery& query) override {
        return shelf_->page(query);
    }
    Result<std::vector<store::FlowStep>> history(const store::FlowSubject& subject,
                                                 std::uint64_t after, std::size_t limit) override {
        return shelf_->history(subject, after, limit);
    }
    Result<store::StatesSlice> states(const std::string& from, std::size_t limit) override {
        return shelf_->states(from, limit);
    }
    Result<std::optional<stock::Level>> level(const std::string& tenant,
                                              const stock::Sku& sku) override {
        return shelf_->level(tenant, sku);
    }
    Result<std::vector<store::WaitingEntry>> waiting(std::uint64_t after,
                                                     std::size_t limit) override {
        return shelf_->waiting(after, limit);
    }
    Result<std::vector<store::AttentionEntry>> attention(std::uint64_t after,
                                                         std::size_t limit) override {
        return shelf_->attention(after, limit);
    }
    Result<std::vector<store::AttentionEntry>> entries(const store::EntriesQuery& query) override {
        return shelf_->entries(query);
    }
    Result<store::DueRows> due(std::int64_t until_ms, std::size_t limit) override {
        return shelf_->due(until_ms, limit);
    }
    Result<std::int64_t> next_due_ms() override { return shelf_->next_due_ms(); }
    std::vector<store::ErrandReply> commit_errands(std::span<const store::Errand> errands) override;
    Result<store::SagaRows> due_sagas(std::int64_t until_ms, std::size_t limit) override {
        return shelf_->due_sagas(until_ms, limit);
    }
    Result<std::vector<store::SagaRow>> sagas(std::optional<store::SagaState> state,
                                              std::uint64_t after, std::size_t limit) override {
        return shelf_->sagas(state, after, limit);
    }
    Result<std::vector<store::SagaRow>> look_at_sagas(const store::SagasQuery& query) override {
        return shelf_->look_at_sagas(query);
    }
    Result<store::OutboxLook> unsent(const std::string& sink, std::size_t limit) override {
        return shelf_->unsent(sink, limit);
    }
    Result<std::vector<store::ParkedRow>> parked(const std::string& sink,
                                                 std::size_t limit) override {
        return shelf_->parked(sink, limit);
    }
    Result<store::OutboxFigures> outbox_figures(const std::string& sink) override {
        return shelf_->outbox_figures(sink);
    }
    Result<std::vector<std::string>> sinks() override { return shelf_->sinks(); }

    // Of the store, to be told with what is retired.
    std::function<std::int64_t()> store_now;
    // All that the store holds, and held, of these flows and SKUs.
    ShopEnding everything(const std::set<std::string>& flows, const std::vector<stock::Sku>& skus);
    // No deadline runs, no compensation, and the sink has every event.
    bool is_at_rest(std::string_view sink);
    // Called when a node may be made to crash: a commit has been made.
    std::function<void(std::string_view step)> on_commit;

  private:
    using Key = std::pair<std::string, std::string>;  // flow, id

    Result<store::FlowReply> commit_one(const store::FlowCommit& commit);
    store::ErrandReply carry_out(const store::Errand& errand);
    // Those that have come to their end.
    std::vector<Story> over();
    void tell(const store::FlowCommit& commit, const store::FlowReply& reply);
    void count(const store::FlowCommit& commit, const store::FlowReply& reply,
               const std::optional<flow::Entity>& before);
    void count_bundle(const flow::Bundle& bundle, const std::optional<flow::Entity>& before);

    store::FlowShelf* shelf_ = nullptr;
    ShopAudit& audit_;
    ShopRarities& rarities_;
    Trace& trace_;
    std::map<Key, std::optional<flow::Entity>> seen_;
    std::map<std::string, int> late_payments_;  // by id
    std::vector<Story> retired_;
};

}  // namespace pawl::sim
