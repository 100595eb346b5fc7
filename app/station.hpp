// SPDX-License-Identifier: Apache-2.0
// One event loop and what lives on it: a home, a gateway, a server, connections to upstreams. Stations share
// nothing but the store's writer and the routes; each is built before its loop is turned, and is gone only
// after it stands still.
#pragma once

#include <memory>
#include <string>

#include "app/flow_chores.hpp"
#include "app/flow_station.hpp"
#include "app/upstream_effects.hpp"
#include "gateway/gateway.hpp"
#include "gateway/home.hpp"
#include "net/http/server.hpp"
#include "net/http/upstreams.hpp"
#include "runtime/task/promise.hpp"
#include "runtime/task/system_loop.hpp"
#include "surface/api/callback_port.hpp"
#include "surface/api/operation_status.hpp"
#include "surface/config/config.hpp"

namespace pawl::app {

// Where request bodies go that are too long for memory.
std::string body_folder(const config::Config& config);

// What all stations share. It outlives them.
struct Around {
    gateway::Observer& observer;
    gateway::CallbackFigures& callbacks;
    const gateway::ShadowDesk& shadows;
    FlowChores& flows;
    const FlowOffer& offer;
};

class Station {
  public:
    // What belongs to one loop of a store.
    struct Ports {
        std::unique_ptr<store::Records> records;
        std::unique_ptr<store::FlowStore> flows;
        std::size_t number = 0;  // of the loop, from 0
    };
    Station(std::unique_ptr<SystemLoop> system, Ports ports, const record::Owner& owner,
            const config::Config& config, std::size_t loops,
            std::shared_ptr<http::BodyRoom> body_room);

    Loop& loop() { return system_->loop(); }
    SystemLoop& system() { return *system_; }
    store::Records& records() { return *records_; }
    gateway::Home& home() { return home_; }
    const gateway::HomeFigures& figures() const { return figures_; }
    UpstreamEffects& effects() { return effects_; }
    http::Upstreams& upstreams() { return upstreams_; }
    FlowStation& flows() { return flows_; }
    TaskGroup& group() { return group_; }
    gateway::Gateway& gateway() { return *gateway_; }  // after open()

    // All seats, in the order of the stations.
    void open(const std::vector<gateway::Seat>& seats,
              std::shared_ptr<const gateway::Routes> routes, const Around& around);
    // After open(). Returns the port. Errors: as of http::Server::listen.
    Result<std::uint16_t> listen(const config::Address& address, const config::Tls& tls);

    // From here on, called on this loop.
    Task<void> reload(std::shared_ptr<const gateway::Routes> routes, FlowOffer offer);
    // Takes nothing new, and ends when what runs has ended, or at the deadline. True: nothing is left.
    Task<bool> drain(MonotonicTime deadline);
    // Ends timers: true once the station is being drained.
    Task<bool> leaves_within(std::chrono::nanoseconds pause);

  private:
    Task<void> note_replays();

    std::unique_ptr<SystemLoop> system_;
    std::unique_ptr<store::Records> records_;
    record::Owner owner_;
    std::string tenant_;
    http::ServerLimits server_limits_;
    http::Upstreams upstreams_;
    UpstreamEffects effects_;
    FlowStation flows_;
    gateway::HomeFigures figures_;
    gateway::Home home_;
    std::unique_ptr<gateway::Gateway> gateway_;
    std::unique_ptr<api::CallbackPort> callbacks_;
    std::unique_ptr<api::DataService> service_;
    std::unique_ptr<http::Server> server_;
    Promise<bool> leaving_;
    TaskGroup group_;
};

}  // namespace pawl::app
