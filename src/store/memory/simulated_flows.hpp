// SPDX-License-Identifier: Apache-2.0
// One node's way to the flows of a simulated store, through the faults of the same server as its records.
#pragma once

#include "store/memory/simulated_server.hpp"
#include "store/port/flow_shelf.hpp"
#include "store/port/flow_store.hpp"

namespace pawl::store {

class SimulatedFlows final : public FlowStore {
  public:
    // All outlive it. `shelf` belongs to the server's side; `loop` is the node's.
    SimulatedFlows(SimulatedServer& server, FlowShelf& shelf, Loop& loop)
        : server_(server), shelf_(shelf), loop_(loop) {}

    Task<Result<FlowReply>> commit(FlowCommit commit) override;
    Task<Result<Loaded>> load(FlowSubject subject) override;
    Task<Result<std::vector<flow::Entity>>> page(PageQuery query) override;
    Task<Result<std::vector<FlowStep>>> history(FlowSubject subject, std::uint64_t after,
                                                std::size_t limit) override;
    Task<Result<StatesSlice>> states(std::string from, std::size_t limit) override;
    Task<Result<std::optional<stock::Level>>> level(std::string tenant, stock::Sku sku) override;
    Task<Result<std::vector<WaitingEntry>>> waiting(std::uint64_t after,
                                                    std::size_t limit) override;
    Task<Result<std::vector<AttentionEntry>>> attention(std::uint64_t after,
                                                        std::size_t limit) override;
    Task<Result<std::vector<AttentionEntry>>> entries(EntriesQuery query) override;
    Task<Result<DueRows>> due(std::int64_t until_ms, std::size_t limit) override;
    Task<Result<std::int64_t>> next_due_ms() override;
    Task<Result<SagaRows>> due_sagas(std::int64_t until_ms, std::size_t limit) override;
    Task<Result<std::vector<SagaRow>>> sagas(std::optional<SagaState> state, std::uint64_t after,
                                             std::size_t limit) override;
    Task<Result<std::vector<SagaRow>>> look_at_sagas(SagasQuery query) override;
    Task<Result<std::vector<ParkedRow>>> parked(std::string sink, std::size_t limit) override;
    Task<Result<OutboxFigures>> outbox_figures(std::string sink) override;
    Task<Result<std::vector<std::string>>> sinks() override;
    Task<ErrandReply> send(Errand errand) override;
    Task<Result<OutboxLook>> look(std::string sink, std::size_t limit) override;

  private:
    SimulatedServer& server_;
    FlowShelf& shelf_;
    Loop& loop_;
};

}  // namespace pawl::store
