// SPDX-License-Identifier: Apache-2.0
// The store of one world: a shelf, watched, behind a server with faults. The shelf is a map, or the engine of
// the embedded store on a file in memory.
#pragma once

#include "sim/run/stage.hpp"
#include "store/sqlite/engine.hpp"

namespace pawl::sim {

struct Stage::Store {
    Store(StoreKind kind, World& world, Book& book, Audit& audit, Rarities& rarities);

    // The number of the next boot. The embedded store gives it out itself and starts with its node: claims of
    // earlier boots have ended when this returns.
    std::uint64_t begin_boot(std::uint64_t last);
    // The store's own process dies and comes back.
    void restart();
    // Nothing is left that somebody could settle. Looked at once a second.
    bool settled(MonotonicTime now);

    StoreKind kind;
    World& world;
    SeededEntropy entropy;
    std::optional<store::MemoryShelf> memory;
    std::unique_ptr<sqlite::Engine> engine;
    WatchedShelf watched;
    store::SimulatedServer server;
    MonotonicTime looked_at{};

  private:
    void start(sqlite::StoreFile file);
};

}  // namespace pawl::sim
