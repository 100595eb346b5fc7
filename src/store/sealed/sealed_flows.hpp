// SPDX-License-Identifier: Apache-2.0
// Flows are sealed on their way into any store and opened on their way out, as answers are (decision 0012, 0018). The
// store judges, finds and cleans as it always does; what it sees in the values is other text.
#pragma once

#include <memory>

#include "store/port/flow_store.hpp"
#include "store/sealed/flow_seal.hpp"

namespace pawl::store {

class SealedFlows final : public FlowStore {
  public:
    // Whatever is passed by reference outlives it. Reading what the keys cannot open is store_corrupt.
    SealedFlows(FlowStore& flows, const SealingKeys& keys) : flows_(flows), seal_(keys) {}
    SealedFlows(std::unique_ptr<FlowStore> flows, const SealingKeys& keys)
        : owned_(std::move(flows)), flows_(*owned_), seal_(keys) {}

    Task<Result<FlowReply>> commit(FlowCommit commit) override;
    Task<Result<Loaded>> load(FlowSubject subject) override;
    Task<Result<std::vector<flow::Entity>>> page(PageQuery query) override;
    Task<Result<std::vector<FlowStep>>> history(FlowSubject subject, std::uint64_t after,
                                                std::size_t limit) override;
    Task<Result<std::vector<WaitingEntry>>> waiting(std::uint64_t after,
                                                    std::size_t limit) override;
    Task<Result<std::vector<AttentionEntry>>> attention(std::uint64_t after,
                                                        std::size_t limit) override;
    Task<Result<SagaRows>> due_sagas(std::int64_t until_ms, std::size_t limit) override;
    Task<Result<std::vector<SagaRow>>> sagas(std::optional<SagaState> state, std::uint64_t after,
                                             std::size_t limit) override;
    Task<Result<std::vector<ParkedRow>>> parked(std::string sink, std::size_t limit) override;
    Task<Result<OutboxLook>> look(std::string sink, std::size_t limit) override;

    Task<Result<std::optional<stock::Level>>> level(std::string tenant, stock::Sku sku) override {
        return flows_.level(std::move(tenant), std::move(sku));
    }
    Task<Result<DueRows>> due(std::int64_t until_ms, std::size_t limit) override {
        return flows_.due(until_ms, limit);
    }
    Task<Result<std::int64_t>> next_due_ms() override { return flows_.next_due_ms(); }
    Task<Result<std::int64_t>> next_saga_ms() override { return flows_.next_saga_ms(); }
    Task<Result<OutboxFigures>> outbox_figures(std::string sink) override {
        return flows_.outbox_figures(std::move(sink));
    }
    Task<ErrandReply> send(Errand errand) override { return flows_.send(std::move(errand)); }

  private:
    // Every one of them opened, or none is given out.
    template <class List, class Open>
    Result<List> opened(Result<List> list, Open open) const;

    std::unique_ptr<FlowStore> owned_;
    FlowStore& flows_;
    FlowSeal seal_;
};

}  // namespace pawl::store
