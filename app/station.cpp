// SPDX-License-Identifier: Apache-2.0
#include "app/station.hpp"

#include <filesystem>

namespace pawl::app {
namespace {

// A tenant's keys are spread evenly over the loops.
gateway::HomeLimits home_limits(const config::Limits& limits, std::size_t loops) {
    gateway::HomeLimits own;
    own.cache_bytes_max = limits.cache_bytes_max;
    own.waiters_per_key_max = limits.waiters_per_key_max;
    own.in_flight = {limits.unresolved_per_caller_max, limits.unresolved_per_tenant_max};
    own.waiters_per_tenant_max = std::max<std::size_t>(limits.waiters_per_tenant_max / loops, 1);
    return own;
}

}  // namespace

std::string body_folder(const config::Config& config) {
    if (!config.body_folder.empty()) return config.body_folder;
    const std::string beside = std::filesystem::path(config.store.path).parent_path();
    return beside.empty() ? "." : beside;
}

Station::Station(std::unique_ptr<SystemLoop> system, Ports ports, const record::Owner& owner,
                 const config::Config& config, std::size_t loops,
                 std::shared_ptr<http::BodyRoom> body_room)
    : system_(std::move(system)),
      records_(std::move(ports.records)),
      owner_(owner),
      tenant_(config.tenant),
      upstreams_(loop()),
      effects_(upstreams_),
      flows_(loop(), std::move(ports.flows), *records_, effects_, ports.number),
      home_(loop(), *records_, owner, home_limits(config.limits, loops), figures_),
      leaving_(loop()),
      group_(loop()) {
    server_limits_.connections_max = config.limits.connections_max;
    server_limits_.body_folder = body_folder(config);
    server_limits_.tunnel_idle = config.limits.websocket_idle;
    server_limits_.body_room = std::move(body_room);
}

void Station::open(const std::vector<gateway::Seat>& seats,
                   std::shared_ptr<const gateway::Routes> routes, const Around& around) {
    std::vector<gateway::Home*> homes;
    for (const gateway::Seat& seat : seats) homes.push_back(&seat.home);
    callbacks_ = std::make_unique<api::CallbackPort>(loop(), *records_, std::move(homes), routes,
                                                     around.callbacks);
    gateway_ = std::make_unique<gateway::Gateway>(
        loop(), gateway::GatewaySetup{tenant_, seats, &around.shadows, &effects_},
        std::move(routes), around.observer);
    service_ = std::make_unique<api::DataService>(*records_, *callbacks_, *gateway_);
    FlowChores& chores = around.flows;
    auto due = [&chores, this](std::int64_t next_due_ms) { chores.hint(loop(), next_due_ms); };
    flows_.open(around.offer, {chores, chores, around.observer, std::move(due), owner_}, *service_);
    server_ = std::make_unique<http::Server>(loop(), flows_.service(), upstreams_, server_limits_);
}

Result<std::uint16_t> Station::listen(const config::Address& address, const config::Tls& tls) {
    auto port = tls.given() ? server_->listen(address.host, address.port,
                                              {tls.certificate, tls.key, tls.client_ca})
                            : server_->listen(address.host, address.port);
    if (port) group_.spawn(note_replays());
    return port;
}

Task<void> Station::reload(std::shared_ptr<const gateway::Routes> routes, FlowOffer offer) {
    flows_.reload(offer);
    callbacks_->reload(routes);
    gateway_->reload(std::move(routes));
    co_return;
}

Task<bool> Station::drain(MonotonicTime deadline) {
    if (!leaving_.is_set()) leaving_.set(true);
    if (server_) server_->stop_accepting();
    const bool home_empty = co_await home_.drain(deadline);
    const bool server_empty = server_ == nullptr || co_await server_->drain(deadline);
    if (server_) server_->close();
    const bool flows_empty = co_await flows_.drain(deadline);
    const bool timers_ended = co_await group_.drain(deadline);
    co_return home_empty&& server_empty&& flows_empty&& timers_ended;
}

Task<bool> Station::leaves_within(std::chrono::nanoseconds pause) {
    co_return (co_await leaving_.wait(loop().now() + pause)).has_value();
}

Task<void> Station::note_replays() {
    while (!co_await leaves_within(gateway::HomeLimits{}.replay_note_every)) home_.note_replays();
}

}  // namespace pawl::app
