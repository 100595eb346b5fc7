// SPDX-License-Identifier: Apache-2.0
// A node's way to the flows of its store, as the simulated store gives it; what the node is doing is counted on
// the way, so that a crash knows in which phase it came.
#pragma once

#include "sim/node/node_records.hpp"
#include "sim/shop/watched_flows.hpp"
#include "store/memory/simulated_flows.hpp"

namespace pawl::sim {

struct ShopDoing {
    int committing = 0;
    int asking = 0;
};

class ShopFlows final : public store::FlowStore {
  public:
    // All outlive it.
    ShopFlows(store::SimulatedServer& server, WatchedFlows& shelf, Loop& loop, ShopDoing& doing,
              const Partition& partition)
        : inner_(server, shelf, loop), loop_(loop), doing_(doing), partition_(partition) {}

    // Called as a commit leaves.
    std::function<void(std::string_view step)> on_step;

    Task<Result<store::FlowReply>> commit(store::FlowCommit commit) override;
    Task<Result<store::Loaded>> load(store::FlowSubject subject) override;
    Task<Result<std::vector<flow::Entity>>> page(store::PageQuery query) override {
        return inner_.page(std::move(query));
    }
    Task<Result<std::vector<store::FlowStep>>> history(store::FlowSubject subject,
                                                       std::uint64_t after,
                                                       std::size_t limit) override {
        return inner_.history(std::move(subject), after, limit);
    }
    Task<Result<store::StatesSlice>> states(std::string from, std::size_t limit) override {
        return inner_.states(std::move(from), limit);
    }
    Task<Result<std::optional<stock::Level>>> level(std::string tenant, stock::Sku sku) override {
        return inner_.level(std::move(tenant), std::move(sku));
    }
    Task<Result<std::vector<store::WaitingEntry>>> waiting(std::uint64_t after,
                                                           std::size_t limit) override {
        return inner_.waiting(after, limit);
    }
    Task<Result<std::vector<store::AttentionEntry>>> attention(std::uint64_t after,
                                                               std::size_t limit) override {
        return inner_.attention(after, limit);
    }
    Task<Result<std::vector<store::AttentionEntry>>> entries(store::EntriesQuery query) override {
        return inner_.entries(std::move(query));
    }
    Task<Result<store::DueRows>> due(std::int64_t until_ms, std::size_t limit) override {
        return inner_.due(until_ms, limit);
    }
    Task<Result<std::int64_t>> next_due_ms() override { return inner_.next_due_ms(); }
    Task<Result<store::SagaRows>> due_sagas(std::int64_t until_ms, std::size_t limit) override {
        return inner_.due_sagas(until_ms, limit);
    }
    Task<Result<std::vector<store::SagaRow>>> sagas(std::optional<store::SagaState> state,
                                                    std::uint64_t after,
                                                    std::size_t limit) override {
        return inner_.sagas(state, after, limit);
    }
    Task<Result<std::vector<store::SagaRow>>> look_at_sagas(store::SagasQuery query) override {
        return inner_.look_at_sagas(std::move(query));
    }
    Task<Result<std::vector<store::ParkedRow>>> parked(std::string sink,
                                                       std::size_t limit) override {
        return inner_.parked(std::move(sink), limit);
    }
    Task<Result<store::OutboxFigures>> outbox_figures(std::string sink) override {
        return inner_.outbox_figures(std::move(sink));
    }
    Task<Result<std::vector<std::string>>> sinks() override { return inner_.sinks(); }
    Task<store::ErrandReply> send(store::Errand errand) override;
    Task<Result<store::OutboxLook>> look(std::string sink, std::size_t limit) override {
        return inner_.look(std::move(sink), limit);
    }

  private:
    store::SimulatedFlows inner_;
    Loop& loop_;
    ShopDoing& doing_;
    const Partition& partition_;
};

// Ends with the coroutine, also when its node dies.
class Counted {
  public:
    explicit Counted(int& count) : count_(count) { ++count_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --count_; }

  private:
    int& count_;
};

}  // namespace pawl::sim
