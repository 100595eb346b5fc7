// SPDX-License-Identifier: Apache-2.0
// The ports of flows on the SQLite store for one event loop, over the Writer that its records go through:
// both are written with the same flush.
#pragma once

#include "store/port/flow_store.hpp"
#include "store/sqlite/writer.hpp"

namespace pawl::sqlite {

class SqliteFlows final : public store::FlowStore {
  public:
    // Both outlive it.
    SqliteFlows(Writer& writer, Loop& loop);
    SqliteFlows(const SqliteFlows&) = delete;
    SqliteFlows& operator=(const SqliteFlows&) = delete;
    // What is under way is carried out, and its answers are dropped.
    ~SqliteFlows() override;

    Task<Result<store::FlowReply>> commit(store::FlowCommit commit) override;
    Task<Result<store::Loaded>> load(store::FlowSubject subject) override;
    Task<Result<std::vector<flow::Entity>>> page(store::PageQuery query) override;
    Task<Result<std::vector<store::FlowStep>>> history(store::FlowSubject subject,
                                                       std::uint64_t after,
                                                       std::size_t limit) override;
    Task<Result<store::StatesSlice>> states(std::string from, std::size_t limit) override;
    Task<Result<std::optional<stock::Level>>> level(std::string tenant, stock::Sku sku) override;
    Task<Result<std::vector<store::WaitingEntry>>> waiting(std::uint64_t after,
                                                           std::size_t limit) override;
    Task<Result<std::vector<store::AttentionEntry>>> attention(std::uint64_t after,
                                                               std::size_t limit) override;
    Task<Result<std::vector<store::AttentionEntry>>> entries(store::EntriesQuery query) override;
    Task<Result<store::DueRows>> due(std::int64_t until_ms, std::size_t limit) override;
    Task<Result<std::int64_t>> next_due_ms() override;
    Task<Result<store::SagaRows>> due_sagas(std::int64_t until_ms, std::size_t limit) override;
    Task<Result<std::vector<store::SagaRow>>> sagas(std::optional<store::SagaState> state,
                                                    std::uint64_t after,
                                                    std::size_t limit) override;
    Task<Result<std::vector<store::SagaRow>>> look_at_sagas(store::SagasQuery query) override;
    Task<Result<std::vector<store::ParkedRow>>> parked(std::string sink,
                                                       std::size_t limit) override;
    Task<Result<store::OutboxFigures>> outbox_figures(std::string sink) override;
    Task<Result<std::vector<std::string>>> sinks() override;
    Task<store::ErrandReply> send(store::Errand errand) override;
    Task<Result<store::OutboxLook>> look(std::string sink, std::size_t limit) override;

  private:
    // On the reader's thread.
    template <class T, class Look>
    Task<Result<T>> read(Look look);

    Writer& writer_;
    Loop& loop_;
    std::shared_ptr<LoopInbox> inbox_;
};

}  // namespace pawl::sqlite
