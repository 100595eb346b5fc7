// SPDX-License-Identifier: Apache-2.0
// The store that a configuration names: opened once, its calls carried by one Records per event loop. The
// only place where a backend has a name.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/task/loop.hpp"
#include "store/port/damage.hpp"
#include "store/port/flow_store.hpp"
#include "store/port/records.hpp"
#include "store/sealed/sealing_key.hpp"
#include "surface/api/metrics_text.hpp"
#include "surface/cli/commands.hpp"
#include "surface/config/config.hpp"

namespace pawl::app {

class StorePlace {
  public:
    virtual ~StorePlace() = default;
    // Built before `loop` is turned; outlived by this place.
    virtual std::unique_ptr<store::Records> records_for(Loop& loop) = 0;
    virtual std::unique_ptr<store::FlowStore> flows_for(Loop& loop) = 0;
    // Of this run; claims of every other boot have ended.
    virtual std::uint64_t boot() const = 0;
    virtual api::StoreFigures figures() const = 0;
    // Of stored answers; to be registered before the first of them is written.
    virtual const store::SealingKeys& keys() const = 0;
    // Rows of flows that cannot be read, each once.
    virtual std::vector<store::DamagedRow> new_damage() = 0;
    // What is in hand is written; nothing is taken any more.
    virtual void close() = 0;
};

// `on_fatal` is told once, from the writer's thread, when the disk left a commit in doubt: the process must
// end without serving further.
// Errors: store_locked, store_readonly, store_full, store_corrupt, store_newer, unavailable.
Result<std::unique_ptr<StorePlace>> open_store(const config::Config& config,
                                               std::function<void(const Error&)> on_fatal);

// For looks beside a running server, or without one. Errors: as above.
Result<std::unique_ptr<store::Records>> open_store_to_read(const std::string& path, Loop& loop);
// The same with the flows, which are shown opened: with the keys that the configuration names.
Result<std::unique_ptr<cli::FlowsToRead>> open_flows_to_read(const config::Config& config,
                                                             Loop& loop);

}  // namespace pawl::app
