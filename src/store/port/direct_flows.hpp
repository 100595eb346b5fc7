// SPDX-License-Identifier: Apache-2.0
// The ports of flows straight onto a shelf, on the calling thread, a commit per call: for tools and tests.
#pragma once

#include "store/port/flow_shelf.hpp"
#include "store/port/flow_store.hpp"

namespace pawl::store {

class DirectFlows final : public FlowStore {
  public:
    // `shelf` outlives it.
    explicit DirectFlows(FlowShelf& shelf) : shelf_(shelf) {}

    Task<Result<FlowReply>> commit(FlowCommit commit) override {
        co_return std::move(shelf_.commit_flows({&commit, 1}).front());
    }
    Task<Result<Loaded>> load(FlowSubject subject) override { co_return shelf_.load(subject); }
    Task<Result<std::vector<flow::Entity>>> page(PageQuery query) override {
        co_return shelf_.page(query);
    }
    Task<Result<std::vector<FlowStep>>> history(FlowSubject subject, std::uint64_t after,
                                                std::size_t limit) override {
        co_return shelf_.history(subject, after, limit);
    }
    Task<Result<StatesSlice>> states(std::string from, std::size_t limit) override {
        co_return shelf_.states(from, limit);
    }
    Task<Result<std::optional<stock::Level>>> level(std::string tenant, stock::Sku sku) override {
        co_return shelf_.level(tenant, sku);
    }
    Task<Result<std::vector<WaitingEntry>>> waiting(std::uint64_t after,
                                                    std::size_t limit) override {
        co_return shelf_.waiting(after, limit);
    }
    Task<Result<std::vector<AttentionEntry>>> attention(std::uint64_t after,
                                                        std::size_t limit) override {
        co_return shelf_.attention(after, limit);
    }
    Task<Result<std::vector<AttentionEntry>>> entries(EntriesQuery query) override {
        co_return shelf_.entries(query);
    }
    Task<Result<DueRows>> due(std::int64_t until_ms, std::size_t limit) override {
        co_return shelf_.due(until_ms, limit);
    }
    Task<Result<std::int64_t>> next_due_ms() override { co_return shelf_.next_due_ms(); }
    Task<Result<SagaRows>> due_sagas(std::int64_t until_ms, std::size_t limit) override {
        co_return shelf_.due_sagas(until_ms, limit);
    }
    Task<Result<std::vector<SagaRow>>> sagas(std::optional<SagaState> state, std::uint64_t after,
                                             std::size_t limit) override {
        co_return shelf_.sagas(state, after, limit);
    }
    Task<Result<std::vector<SagaRow>>> look_at_sagas(SagasQuery query) override {
        co_return shelf_.look_at_sagas(query);
    }
    Task<Result<std::vector<ParkedRow>>> parked(std::string sink, std::size_t limit) override {
        co_return shelf_.parked(sink, limit);
    }
    Task<Result<OutboxFigures>> outbox_figures(std::string sink) override {
        co_return shelf_.outbox_figures(sink);
    }
    Task<Result<std::vector<std::string>>> sinks() override { co_return shelf_.sinks(); }
    Task<ErrandReply> send(Errand errand) override {
        co_return std::move(shelf_.commit_errands({&errand, 1}).front());
    }
    Task<Result<OutboxLook>> look(std::string sink, std::size_t limit) override {
        co_return shelf_.unsent(sink, limit);
    }

  private:
    FlowShelf& shelf_;
};

}  // namespace pawl::store
