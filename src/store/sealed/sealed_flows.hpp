// SPDX-License-Identifier: Apache-2.0
// Flows are sealed on their way into any store and opened on their way out, as answers are (decision 0012, 0018). The
// store judges, finds and cleans as it always does; what it sees in the values is other text.
#pragma once

#include <memory>

#include "store/port/damage.hpp"
#include "store/port/flow_store.hpp"
#include "store/sealed/flow_seal.hpp"

namespace pawl::store {

class SealedFlows final : public FlowStore {
  public:
    // Whatever is passed by reference outlives it. Of one subject, what the keys cannot open is store_corrupt.
    // Readings of many go past it and note it; a compensation and an outgoing event among them are left to a
    // person, as the right key may be found yet.
    SealedFlows(FlowStore& flows, const SealingKeys& keys, DamageBook& damage)
        : flows_(flows), seal_(keys), damage_(damage) {}
    SealedFlows(std::unique_ptr<FlowStore> flows, const SealingKeys& keys, DamageBook& damage)
        : owned_(std::move(flows)), flows_(*owned_), seal_(keys), damage_(damage) {}

    Task<Result<FlowReply>> commit(FlowCommit commit) override;
    Task<Result<Loaded>> load(FlowSubject subject) override;
    Task<Result<std::vector<flow::Entity>>> page(PageQuery query) override;
    Task<Result<std::vector<FlowStep>>> history(FlowSubject subject, std::uint64_t after,
                                                std::size_t limit) override;
    Task<Result<std::vector<WaitingEntry>>> waiting(std::uint64_t after,
                                                    std::size_t limit) override;
    Task<Result<std::vector<AttentionEntry>>> attention(std::uint64_t after,
                                                        std::size_t limit) override;
    Task<Result<std::vector<AttentionEntry>>> entries(EntriesQuery query) override;
    Task<Result<SagaRows>> due_sagas(std::int64_t until_ms, std::size_t limit) override;
    Task<Result<std::vector<SagaRow>>> sagas(std::optional<SagaState> state, std::uint64_t after,
                                             std::size_t limit) override;
    Task<Result<std::vector<SagaRow>>> look_at_sagas(SagasQuery query) override;
    Task<Result<std::vector<ParkedRow>>> parked(std::string sink, std::size_t limit) override;
    Task<Result<OutboxLook>> look(std::string sink, std::size_t limit) override;

    Task<Result<std::optional<stock::Level>>> level(std::string tenant, stock::Sku sku) override {
        return flows_.level(std::move(tenant), std::move(sku));
    }
    Task<Result<StatesSlice>> states(std::string from, std::size_t limit) override {
        return flows_.states(std::move(from), limit);
    }
    Task<Result<DueRows>> due(std::int64_t until_ms, std::size_t limit) override {
        return flows_.due(until_ms, limit);
    }
    Task<Result<std::int64_t>> next_due_ms() override { return flows_.next_due_ms(); }
    Task<Result<OutboxFigures>> outbox_figures(std::string sink) override {
        return flows_.outbox_figures(std::move(sink));
    }
    Task<Result<std::vector<std::string>>> sinks() override { return flows_.sinks(); }
    Task<ErrandReply> send(Errand errand) override { return flows_.send(std::move(errand)); }

  private:
    // Pages of `read`, which continues behind the last row of the one before, until `limit` can be opened.
    template <class Row, class Read, class Open>
    Task<Result<std::vector<Row>>> pages(std::size_t limit, Read read, Open open);
    // What cannot be opened says so in place of its reason.
    void open(std::vector<AttentionEntry>& entries);
    // False: it could not be written down.
    Task<bool> leave_to_person(SagaRow row);
    Task<bool> park(std::string sink, OutboxRow row);

    std::unique_ptr<FlowStore> owned_;
    FlowStore& flows_;
    FlowSeal seal_;
    DamageBook& damage_;
};

}  // namespace pawl::store
