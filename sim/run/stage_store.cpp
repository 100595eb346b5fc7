// SPDX-License-Identifier: Apache-2.0
#include "sim/run/stage_store.hpp"

#include "runtime/result/assert.hpp"
#include "store/sqlite/store_file.hpp"

namespace pawl::sim {

Stage::Store::Store(StoreKind kind_, World& world_, Book& book, Audit& audit, Rarities& rarities)
    : kind(kind_),
      world(world_),
      entropy(split(world_.seed(), "store")),
      watched(book, audit, rarities, world_.trace()),
      server(world_.outside().loop(), watched) {
    if (kind == StoreKind::memory) {
        watched.put(memory.emplace(world.clock()));
        return;
    }
    auto file = sqlite::open_store({.path = std::string(sqlite::kInMemory)});
    PAWL_ASSERT(file.has_value());
    start(std::move(*file));
}

void Stage::Store::start(sqlite::StoreFile file) {
    auto started = sqlite::Engine::start(std::move(file), world.clock(), entropy);
    PAWL_ASSERT(started.has_value());
    engine = std::move(*started);
    watched.put(*engine);
}

std::uint64_t Stage::Store::begin_boot(std::uint64_t last) {
    if (kind == StoreKind::memory) {
        memory->restart();
        memory->end_other_boots(last + 1);
        return last + 1;
    }
    if (last > 0) start(std::move(*engine).release());
    return engine->boot();
}

void Stage::Store::restart() {
    if (memory) memory->restart();
}

bool Stage::Store::settled(MonotonicTime now) {
    if (now - looked_at < std::chrono::seconds{1}) return false;
    looked_at = now;
    const auto totals = watched.totals();
    return totals && totals->in_progress + totals->open + totals->uncertain == 0;
}

}  // namespace pawl::sim
