// SPDX-License-Identifier: Apache-2.0
// What flows send out, on a loop of its own that may wait for a disk: the relays of the configured sinks, and the
// runner of sagas.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/report.hpp"
#include "app/upstream_effects.hpp"
#include "engine/calls/saga_runner.hpp"
#include "runtime/task/promise.hpp"
#include "runtime/task/system_loop.hpp"
#include "store/port/flow_store.hpp"
#include "stream/relays.hpp"
#include "surface/api/errands.hpp"
#include "surface/config/config.hpp"

namespace pawl::app {

class Errands {
  public:
    // Built before `system` is turned and gone after it stands still. `flows` is of its loop.
    Errands(std::unique_ptr<SystemLoop> system, std::unique_ptr<store::FlowStore> flows,
            Report& report);

    // The sinks of the configuration, whose secrets are read. Once, before anything else. Errors: config_invalid.
    Status build(const config::Config& config);
    SystemLoop& system() { return *system_; }
    Loop& loop() { return loop_; }
    // Where a person looks and speaks, on the loop `here`; `own` is that loop's. Outlived by this.
    api::ErrandDesk desk(Loop& here, store::FlowStore& own);
    // Something was committed that sinks may want. From anywhere.
    void hint_from_anywhere();

    // From here on, called on its loop.
    Task<void> begin(std::shared_ptr<const engine::Machines> machines,
                     std::shared_ptr<const engine::Services> services);
    // Sinks stay as they are until the next start.
    Task<void> reload(std::shared_ptr<const engine::Machines> machines,
                      std::shared_ptr<const engine::Services> services);
    // Takes nothing new up. True: what was under way has ended.
    Task<bool> drain(MonotonicTime deadline);

  private:
    Task<void> watch();
    Task<void> tell_of_removed_sinks();
    Task<void> watch_sink(std::string name);

    std::unique_ptr<SystemLoop> system_;
    Loop& loop_;
    std::unique_ptr<store::FlowStore> flows_;
    Report& report_;
    http::Upstreams upstreams_;
    UpstreamEffects asker_;
    engine::SagaFigures saga_figures_;
    engine::SagaRunner runner_;
    std::unique_ptr<stream::Relays> relays_;
    std::map<std::string, std::uint64_t> parked_;  // told of
    std::map<std::string, bool> is_late_;
    Promise<bool> leaving_;
    TaskGroup group_;
};

}  // namespace pawl::app
