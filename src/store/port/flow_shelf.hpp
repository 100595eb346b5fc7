// SPDX-License-Identifier: Apache-2.0
// The synchronous half of a store of flows, as Shelf is of records: what one commit does, without queue, thread
// or event loop. Both write the same records. FlowStore is the other half, whatever lies between.
#pragma once

#include <span>

#include "store/port/errand_rows.hpp"
#include "store/port/timers.hpp"

namespace pawl::store {

class FlowShelf {
  public:
    virtual ~FlowShelf() = default;

    // One flush for all of them, carried out one after the other. Shape: one result per commit, in order; one
    // that cannot be carried out gets an error of its own and leaves the others alone.
    // Errors: as Flows::commit. Durable: when it returns.
    virtual std::vector<Result<FlowReply>> commit_flows(std::span<const FlowCommit> commits) = 0;

    // Shape, Errors, Durable: the same.
    virtual std::vector<ErrandReply> commit_errands(std::span<const Errand> errands) = 0;

    virtual Result<Loaded> load(const FlowSubject& subject) = 0;
    virtual Result<std::vector<flow::Entity>> page(const PageQuery& query) = 0;
    virtual Result<std::vector<FlowStep>> history(const FlowSubject& subject, std::uint64_t after,
                                                  std::size_t limit) = 0;
    virtual Result<StatesSlice> states(const std::string& from, std::size_t limit) = 0;
    virtual Result<std::optional<stock::Level>> level(const std::string& tenant,
                                                      const stock::Sku& sku) = 0;
    virtual Result<std::vector<WaitingEntry>> waiting(std::uint64_t after, std::size_t limit) = 0;
    virtual Result<std::vector<AttentionEntry>> attention(std::uint64_t after,
                                                          std::size_t limit) = 0;
    virtual Result<std::vector<AttentionEntry>> entries(const EntriesQuery& query) = 0;
    virtual Result<DueRows> due(std::int64_t until_ms, std::size_t limit) = 0;
    virtual Result<std::int64_t> next_due_ms() = 0;

    virtual Result<SagaRows> due_sagas(std::int64_t until_ms, std::size_t limit) = 0;
    virtual Result<std::vector<SagaRow>> sagas(std::optional<SagaState> state, std::uint64_t after,
                                               std::size_t limit) = 0;
    virtual Result<std::vector<SagaRow>> look_at_sagas(const SagasQuery& query) = 0;
    virtual Result<OutboxLook> unsent(const std::string& sink, std::size_t limit) = 0;
    virtual Result<std::vector<ParkedRow>> parked(const std::string& sink, std::size_t limit) = 0;
    virtual Result<OutboxFigures> outbox_figures(const std::string& sink) = 0;
    virtual Result<std::vector<std::string>> sinks() = 0;
};

}  // namespace pawl::store
