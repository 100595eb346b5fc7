// SPDX-License-Identifier: Apache-2.0
// Flows in maps, beside the records of a MemoryShelf and in the same commits.
#pragma once

#include "store/memory/memory_flow_rows.hpp"
#include "store/port/flow_shelf.hpp"

namespace pawl::store {

class MemoryFlows final : public FlowShelf {
  public:
    // `records` outlives it.
    explicit MemoryFlows(MemoryShelf& records) : records_(records), rows_(records) {
        records_.count_beside([this](std::uint64_t tenant) { return rows_.stored_bytes(tenant); });
    }
    MemoryFlows(const MemoryFlows&) = delete;
    MemoryFlows& operator=(const MemoryFlows&) = delete;
    ~MemoryFlows() override {
        records_.count_beside([](std::uint64_t) { return 0; });
    }

    std::vector<Result<FlowReply>> commit_flows(std::span<const FlowCommit> commits) override;
    Result<Loaded> load(const FlowSubject& subject) override;
    Result<std::vector<flow::Entity>> page(const PageQuery& query) override;
    Result<std::vector<FlowStep>> history(const FlowSubject& subject, std::uint64_t after,
                                          std::size_t limit) override;
    Result<StatesSlice> states(const std::string& from, std::size_t limit) override;
    Result<std::optional<stock::Level>> level(const std::string& tenant,
                                              const stock::Sku& sku) override;
    Result<std::vector<WaitingEntry>> waiting(std::uint64_t after, std::size_t limit) override;
    Result<std::vector<AttentionEntry>> attention(std::uint64_t after, std::size_t limit) override;
    Result<std::vector<AttentionEntry>> entries(const EntriesQuery& query) override;
    Result<DueRows> due(std::int64_t until_ms, std::size_t limit) override;
    Result<std::int64_t> next_due_ms() override;
    std::vector<ErrandReply> commit_errands(std::span<const Errand> errands) override;
    Result<SagaRows> due_sagas(std::int64_t until_ms, std::size_t limit) override;
    Result<std::vector<SagaRow>> sagas(std::optional<SagaState> state, std::uint64_t after,
                                       std::size_t limit) override;
    Result<std::vector<SagaRow>> look_at_sagas(const SagasQuery& query) override;
    Result<OutboxLook> unsent(const std::string& sink, std::size_t limit) override;
    Result<std::vector<ParkedRow>> parked(const std::string& sink, std::size_t limit) override;
    Result<OutboxFigures> outbox_figures(const std::string& sink) override;
    Result<std::vector<std::string>> sinks() override;

    // As MemoryFlowRows has it.
    bool damage(std::string_view table, std::size_t place) { return rows_.damage(table, place); }
    DamageBook& damage_met() { return rows_.damage_met(); }

    // Another node takes over; before the records' own fail_over().
    void fail_over();

  private:
    // What was read or written, unless it met a row that cannot be read.
    template <class T>
    Result<T> told(Result<T> found);

    MemoryShelf& records_;
    MemoryFlowRows rows_;
};

}  // namespace pawl::store
