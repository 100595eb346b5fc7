// SPDX-License-Identifier: Apache-2.0
// A node's way to its store, as the simulated store gives it; what the node is doing is counted on the way,
// so that a crash knows in which phase it came.
#pragma once

#include "sim/outside/wire.hpp"
#include "sim/store/watched_shelf.hpp"
#include "store/memory/simulated_records.hpp"

namespace pawl::sim {

// What is between a node and its store.
enum class Partition : std::uint8_t { none, calls_lost, answers_lost };

class NodeRecords final : public store::Records {
  public:
    NodeRecords(store::SimulatedServer& server, Loop& loop, Doing& doing, ClaimsInFlight& in_flight,
                const Partition& partition)
        : inner_(server, loop),
          loop_(loop),
          doing_(doing),
          in_flight_(in_flight),
          partition_(partition) {}

    // Called with the name of each mutating call as it leaves.
    std::function<void(std::string_view step)> on_call;

    store::Capabilities capabilities() const override { return inner_.capabilities(); }
    Task<Result<store::Reply>> apply(record::Call call) override;
    Task<Result<std::optional<store::Stored>>> read(Digest identity) override;
    bool may_know(const Digest& identity) const override { return inner_.may_know(identity); }
    Task<Result<store::SweepReport>> sweep(std::size_t limit) override {
        return inner_.sweep(limit);
    }
    Task<Result<std::vector<record::Row>>> unresolved(store::UnresolvedQuery query) override {
        return inner_.unresolved(std::move(query));
    }
    Task<Result<store::Totals>> totals() override { return inner_.totals(); }
    void note(store::TimelineEntry entry) override { inner_.note(std::move(entry)); }
    Task<Result<std::vector<store::TimelineEntry>>> timeline(Digest identity) override {
        return inner_.timeline(identity);
    }
    Task<Result<std::vector<Digest>>> find(store::LookUp kind, std::string value,
                                           std::size_t limit) override {
        return inner_.find(kind, std::move(value), limit);
    }

  private:
    int* count_of(const record::Call& call);

    store::SimulatedRecords inner_;
    Loop& loop_;
    Doing& doing_;
    ClaimsInFlight& in_flight_;
    const Partition& partition_;
};

}  // namespace pawl::sim
