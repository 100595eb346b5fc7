// SPDX-License-Identifier: Apache-2.0
// One node's way to a simulated store. Mutating calls meet the server's faults; reads take their time and
// fail only while the server cannot be reached.
#pragma once

#include "store/memory/memory_shelf.hpp"
#include "store/memory/simulated_server.hpp"

namespace pawl::store {

class SimulatedRecords : public Records {
  public:
    // Both outlive it. `loop` is the node's, not the server's.
    SimulatedRecords(SimulatedServer& server, Loop& loop) : server_(server), loop_(loop) {}

    Capabilities capabilities() const override;
    Task<Result<Reply>> apply(record::Call call) override;
    Task<Result<std::optional<Stored>>> read(Digest identity) override;
    bool may_know(const Digest& identity) const override {
        return server_.shelf().may_know(identity);
    }
    Task<Result<SweepReport>> sweep(std::size_t limit) override;
    Task<Result<std::vector<record::Row>>> unresolved(UnresolvedQuery query) override;
    Task<Result<Totals>> totals() override;
    void note(TimelineEntry entry) override;
    Task<Result<std::vector<TimelineEntry>>> timeline(Digest identity) override;
    Task<Result<std::vector<Digest>>> find(LookUp kind, std::string value,
                                           std::size_t limit) override;

  private:
    SimulatedServer& server_;
    Loop& loop_;
};

// A store in memory that never fails, for one loop: shelf, server and front in one.
class MemoryRecords final : public SimulatedRecords {
  public:
    explicit MemoryRecords(Loop& loop) : MemoryRecords(loop, std::make_unique<Parts>(loop)) {}

    MemoryShelf& shelf() { return parts_->shelf; }
    SimulatedServer& server() { return parts_->server; }

  private:
    struct Parts {
        explicit Parts(Loop& loop) : shelf(loop.clock()), server(loop, shelf) {}
        MemoryShelf shelf;
        SimulatedServer server;
    };
    MemoryRecords(Loop& loop, std::unique_ptr<Parts> parts)
        : SimulatedRecords(parts->server, loop), parts_(std::move(parts)) {}

    std::unique_ptr<Parts> parts_;
};

}  // namespace pawl::store
