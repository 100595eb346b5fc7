// SPDX-License-Identifier: Apache-2.0
// One running Pawl: the store, its stations, and on the first loop what there is once: the admin port, the
// demonstration upstream, the prober and the sweeper. It begins in an order in which nothing is served before
// it works, and ends in the reverse one, the store last.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/doubt_lines.hpp"
#include "app/errands.hpp"
#include "app/flow_chores.hpp"
#include "app/flow_offer.hpp"
#include "app/loops.hpp"
#include "app/report.hpp"
#include "app/request_lines.hpp"
#include "app/station.hpp"
#include "app/store_place.hpp"
#include "gateway/prober.hpp"
#include "surface/api/admin_service.hpp"
#include "surface/demo/demo_upstream.hpp"

namespace pawl::app {

// Where it can be reached, once it is ready.
struct Reached {
    config::Address listen;
    config::Address admin;
    config::Address demo;  // port 0: none
    std::size_t loops = 0;
    std::size_t routes = 0;
    std::size_t flows = 0;
    std::size_t unresolved = 0;  // left by earlier runs
};

class Node {
  public:
    Node(config::Config config, std::string version, Report& report);
    ~Node();

    // Opens the store and builds the stations. Errors: those of the store, config_invalid.
    Status build();
    Loop& first_loop() { return stations_.front()->loop(); }
    boost::asio::io_context& first_context() { return stations_.front()->system().context(); }
    // Turns the loops until end_loops().
    void run() { loops_->run(); }
    void end_loops() { loops_->stop(); }

    // On the first loop from here on.
    // Tests the store, then listens. Errors: store_weak, unavailable (a port is taken), config_invalid.
    Task<Result<Reached>> begin();
    // The routes of another configuration take over. Errors: config_invalid; then the present ones stay.
    // How many routes and flows there are then.
    struct Reloaded {
        std::size_t routes = 0;
        std::size_t flows = 0;
    };
    Task<Result<Reloaded>> reload(config::Config config);
    // What an operator should know of the latest reload; readiness shows it and stays as it is.
    void show_at_readiness(std::vector<std::string> notes) { admin_->show(std::move(notes)); }
    // Runs beside the rest and ends when leaves_within() says so.
    void spawn_chore(Task<void> chore) { chores_->spawn(std::move(chore)); }
    Task<bool> leaves_within(std::chrono::nanoseconds pause) {
        return stations_.front()->leaves_within(pause);
    }
    // Readiness off, nothing new, what runs ends. False: something still ran at the deadline.
    Task<bool> end();

    const config::Config& config() const { return config_; }
    // What the store promises, in a sentence.
    std::string store_strength() { return stations_.front()->records().capabilities().strength; }
    // The end without destroying what may still be used: the store is closed, then the process ends.
    [[noreturn]] void leave_at_once(int exit_code);

  private:
    // Where the configuration names it, and only once.
    Status start_demo(const config::Config& config);
    Status start_admin();
    api::AdminSetup admin_setup();
    config::Config placed(config::Config config) const;
    Result<std::shared_ptr<const gateway::Routes>> routes_of(const config::Config& config) const;
    Task<bool> drain_station(Station& station, MonotonicTime deadline);
    // What the change would leave behind. Errors: config_invalid, naming an entity that is there.
    Task<Status> check_flows(FlowOffer next);
    void tell_doubts();
    Task<void> retire();
    Task<void> tell_of_states();
    Task<void> sweep();
    void tell_of_upkeep(const Error& error);
    Task<void> probe();
    Task<void> watch();

    config::Config config_;
    std::string version_;
    Report& report_;
    std::unique_ptr<StorePlace> store_;
    std::vector<std::unique_ptr<Station>> stations_;
    std::unique_ptr<Loops> loops_;
    DevLines dev_lines_;
    Quiet quiet_;
    DoubtLines doubt_lines_;
    config::Address demo_address_;
    std::unique_ptr<demo::DemoUpstream> demo_;
    std::unique_ptr<http::Server> demo_server_;
    std::unique_ptr<api::AdminService> admin_;
    std::unique_ptr<http::Server> admin_server_;
    gateway::CallbackFigures callbacks_;
    gateway::ShadowBook shadow_book_;
    std::optional<gateway::ShadowDesk> shadows_;
    std::unique_ptr<Errands> errands_;  // gone only after the loops
    std::optional<api::ErrandDesk> errand_desk_;
    std::unique_ptr<FlowChores> flows_;  // gone only after the loops
    FlowOffer offer_;
    gateway::ProberFigures prober_figures_;
    std::unique_ptr<gateway::Prober> prober_;
    std::unique_ptr<TaskGroup> chores_;
    Reached reached_;
};

}  // namespace pawl::app
