// SPDX-License-Identifier: Apache-2.0
#include "app/node.hpp"

#include <unistd.h>

#include <fmt/format.h>

#include "app/flow_check.hpp"
#include "app/flow_states.hpp"
#include "app/free_address.hpp"
#include "net/http/body_file.hpp"
#include "runtime/task/on_loop.hpp"
#include "store/port/self_test.hpp"
#include "store/sealed/key_register.hpp"
#include "surface/config/address.hpp"
#include "surface/config/read_callers.hpp"

namespace pawl::app {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kSweepMax = 1'000;
constexpr std::chrono::nanoseconds kSweepEvery = 1s;
constexpr int kSweepFailuresTold = 2;  // in a row: one may be for a long queue's sake
constexpr std::chrono::nanoseconds kProbeEvery = 1s;
constexpr std::chrono::nanoseconds kWatchEvery = 5s;

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data())
                                                          : std::string("localhost");
}

std::string node_name(const config::Config& config) {
    return config.node.empty() ? fmt::format("{}:{}", host_name(), config.listen.port)
                               : config.node;
}

}  // namespace

Node::Node(config::Config config, std::string version, Report& report)
    : config_(std::move(config)), version_(std::move(version)), report_(report) {}

// Whoever uses something is gone before it: servers before services, loops before the store.
Node::~Node() {
    loops_.reset();
    demo_server_.reset();
    admin_server_.reset();
    prober_.reset();
    chores_.reset();
    admin_.reset();
    demo_.reset();
    flows_.reset();
    stations_.clear();
    errands_.reset();
    if (store_) store_->close();
}

void Node::leave_at_once(int exit_code) {
    store_->close();
    std::_Exit(exit_code);
}

Status Node::build() {
    if (auto free = check_free(config_.listen, "listen"); !free) return free;
    if (auto free = check_free(config_.admin, "admin"); !free) return free;
    auto store = open_store(config_, [this](const Error& error) {
        report_.error(
            fmt::format("the store cannot go on, this process ends: {}", describe(error)));
        std::_Exit(row_of(error.code).exit_code);
    });
    if (!store) return fail(std::move(store.error()));
    store_ = std::move(*store);
    if (auto file = http::BodyFile::create(body_folder(config_)); !file)
        return fail(Code::config_invalid,
                    fmt::format("no file for a long request body can be made in {}: {}; write "
                                "`body_folder: PATH`",
                                body_folder(config_), file.error().cause));
    const record::Owner owner{node_name(config_), store_->boot()};
    const int loops = config_.loops > 0 ? config_.loops : usable_processors();
    std::vector<SystemLoop*> turned;
    const auto body_room = std::make_shared<http::BodyRoom>(config_.limits.body_disk_bytes_max);
    for (int i = 0; i < loops; ++i) {
        auto system = std::make_unique<SystemLoop>();
        Station::Ports ports{store_->records_for(system->loop()), store_->flows_for(system->loop()),
                             static_cast<std::size_t>(i)};
        turned.push_back(system.get());
        stations_.push_back(std::make_unique<Station>(std::move(system), std::move(ports), owner,
                                                      config_, static_cast<std::size_t>(loops),
                                                      body_room));
    }
    auto apart = std::make_unique<SystemLoop>();
    auto errand_flows = store_->flows_for(apart->loop());
    errands_ = std::make_unique<Errands>(std::move(apart), std::move(errand_flows), report_);
    if (auto built = errands_->build(config_); !built) return built;
    turned.push_back(&errands_->system());
    loops_ = std::make_unique<Loops>(std::move(turned));
    chores_ = std::make_unique<TaskGroup>(first_loop());
    flows_ = std::make_unique<FlowChores>(first_loop(), report_);
    return {};
}

// With the demonstration's address where the configuration means it.
config::Config Node::placed(config::Config config) const {
    const auto place = [this](policy::Upstream& upstream) {
        if (!upstream.demo) return;
        upstream.host = demo_address_.host;
        upstream.port = demo_address_.port;
    };
    for (policy::Route& route : config.routes) place(route.upstream);
    for (auto& [name, upstream] : config.services) place(upstream);
    if (config.default_upstream) place(*config.default_upstream);
    return config;
}

Result<std::shared_ptr<const gateway::Routes>> Node::routes_of(const config::Config& given) const {
    config::Config config = placed(given);
    auto table = policy::RouteTable::build(std::move(config.routes));
    if (!table) return fail(std::move(table.error()));
    std::optional<policy::Upstream> rest = std::move(config.default_upstream);
    auto callers = config::callers_of(config);
    if (!callers) return fail(std::move(callers.error()));
    return std::make_shared<const gateway::Routes>(std::move(*table), std::move(rest),
                                                   std::move(*callers), config.cors);
}

Status Node::start_demo(const config::Config& config) {
    const bool wanted =
        (config.default_upstream && config.default_upstream->demo) ||
        std::ranges::any_of(config.routes,
                            [](const policy::Route& route) { return route.upstream.demo; }) ||
        std::ranges::any_of(config.services, [](const auto& one) { return one.second.demo; });
    if (!wanted || demo_) return {};
    demo_ = std::make_unique<demo::DemoUpstream>(first_loop());
    demo_server_ =
        std::make_unique<http::Server>(first_loop(), *demo_, stations_.front()->upstreams());
    const auto port = demo_server_->listen("127.0.0.1", 0);
    if (!port) return fail(port.error());
    demo_address_ = {"127.0.0.1", *port};
    return {};
}

Status Node::start_admin() {
    admin_server_ =
        std::make_unique<http::Server>(first_loop(), *admin_, stations_.front()->upstreams());
    const auto port = admin_server_->listen(config_.admin.host, config_.admin.port);
    if (!port) return fail(port.error());
    reached_.admin = {config_.admin.host, *port};
    return {};
}

// After the stations are open.
api::AdminSetup Node::admin_setup() {
    api::AdminSetup setup;
    for (const auto& station : stations_) {
        setup.homes.push_back(&station->home());
        setup.figures.push_back(&station->figures());
        setup.gateways.push_back(&station->gateway());
        setup.desks.push_back(&station->flows().desk());
    }
    setup.token = config_.admin_token.value;
    setup.takes_word_at_once = config_.dev;
    setup.version = version_;
    setup.callbacks = &callbacks_;
    setup.shadows = &shadow_book_;
    setup.flows = &stations_.front()->flows().store();
    setup.errands = &*errand_desk_;
    setup.deadlines = [this] { return flows_->sweep_figures(); };
    setup.parking = [this] { return flows_->parking_figures(); };
    setup.facts = &flows_->fact_figures();
    setup.store = store_->figures();
    return setup;
}

Task<Result<Reached>> Node::begin() {
    Station& first = *stations_.front();
    const record::Owner owner{node_name(config_), store_->boot()};
    if (auto works = co_await store::self_test(first.records(), first.loop(), owner); !works)
        co_return fail(std::move(works.error()));
    if (auto known =
            co_await store::register_keys(first.records(), first.loop(), owner, store_->keys());
        !known)
        co_return fail(std::move(known.error()));
    const auto totals = co_await first.records().totals();
    if (!totals) co_return fail(totals.error());
    reached_.unresolved = totals->open + totals->uncertain;
    if (auto demo = start_demo(config_); !demo) co_return fail(std::move(demo.error()));
    reached_.demo = demo_address_;
    auto routes = routes_of(config_);
    if (!routes) co_return fail(std::move(routes.error()));

    auto offer = offer_of(placed(config_), nullptr);
    if (!offer) co_return fail(std::move(offer.error()));
    offer_ = std::move(*offer);

    std::vector<gateway::Seat> seats;
    for (const auto& station : stations_) seats.push_back({station->home(), station->effects()});
    gateway::Observer& observer =
        config_.dev ? static_cast<gateway::Observer&>(dev_lines_) : quiet_;
    shadows_.emplace(gateway::ShadowDesk{first.loop(), shadow_book_});
    const Around around{observer, callbacks_, *shadows_, *flows_, offer_};
    for (const auto& station : stations_) station->open(seats, *routes, around);
    errand_desk_.emplace(errands_->desk(first.loop(), first.flows().store()));
    flows_->tell_of_commits([this] { errands_->hint_from_anywhere(); });
    co_await on_loop(first.loop(), errands_->loop(),
                     errands_->begin(offer_.rules->shared_machines(), offer_.services));
    admin_ = std::make_unique<api::AdminService>(first.loop(), *chores_, first.records(),
                                                 admin_setup(), *routes);
    admin_->reload(served_of(offer_));
    prober_ = std::make_unique<gateway::Prober>(first.loop(), first.records(), seats,
                                                first.effects(), prober_figures_);
    prober_->reload(*routes);
    tell_doubts();

    config::Address address = config_.listen;
    for (const auto& station : stations_) {
        // Each on its own loop, which is being turned already.
        auto listening = [](Station& own, config::Address at,
                            config::Tls tls) -> Task<Result<std::uint16_t>> {
            co_return own.listen(at, tls);
        };
        const auto port = co_await on_loop(first.loop(), station->loop(),
                                           listening(*station, address, config_.tls));
        if (!port) co_return fail(port.error());
        address.port = *port;
    }
    reached_.listen = address;
    if (auto started = start_admin(); !started) co_return fail(std::move(started.error()));
    chores_->spawn(sweep());
    chores_->spawn(probe());
    chores_->spawn(watch());
    chores_->spawn(retire());
    flows_->start(first.flows(), config_.flows.finished);
    chores_->spawn(tell_of_states());
    reached_.loops = stations_.size();
    reached_.routes = config_.routes.size();
    reached_.flows = config_.flows.machines.size();
    co_return reached_;
}

Task<Status> Node::check_flows(FlowOffer next) {
    return check_change(first_loop(), stations_.front()->flows().store(), config_.tenant,
                        offer_.rules->shared_machines(), next.rules->shared_machines(),
                        [this](std::string line) { report_.warn(line); });
}

Task<Result<Node::Reloaded>> Node::reload(config::Config config) {
    if (auto demo = start_demo(config); !demo) co_return fail(std::move(demo.error()));
    auto routes = routes_of(config);
    if (!routes) co_return fail(std::move(routes.error()));
    auto offer = offer_of(placed(config), &offer_);
    if (!offer) co_return fail(std::move(offer.error()));
    if (auto good = co_await check_flows(*offer); !good) co_return fail(std::move(good.error()));
    Loop& here = first_loop();
    for (const auto& station : stations_)
        co_await on_loop(here, station->loop(), station->reload(*routes, *offer));
    offer_ = std::move(*offer);
    co_await on_loop(here, errands_->loop(),
                     errands_->reload(offer_.rules->shared_machines(), offer_.services));
    admin_->reload(*routes);
    admin_->reload(served_of(offer_));
    prober_->reload(*routes);
    std::vector<std::string> shadows;
    for (const policy::Route& route : config.routes)
        if (route.shadow) shadows.push_back(route.name);
    shadow_book_.keep_only(shadows);
    config_.routes = std::move(config.routes);
    config_.default_upstream = std::move(config.default_upstream);
    config_.flows = std::move(config.flows);
    chores_->spawn(tell_of_states());
    co_return Reloaded{config_.routes.size(), config_.flows.machines.size()};
}

Task<bool> Node::drain_station(Station& station, MonotonicTime deadline) {
    return on_loop(first_loop(), station.loop(), station.drain(deadline));
}

Task<bool> Node::end() {
    Loop& here = first_loop();
    const MonotonicTime deadline = here.now() + config_.drain;
    if (admin_) admin_->leave();
    // While its station still takes what they send.
    bool clean = co_await flows_->end(deadline);
    TaskGroup drains(here);
    auto drain_one = [](Node& node, Station& station, MonotonicTime until,
                        bool& all) -> Task<void> {
        if (!co_await node.drain_station(station, until)) all = false;
    };
    for (const auto& station : stations_) drains.spawn(drain_one(*this, *station, deadline, clean));
    co_await drains.drain(kNever);
    clean = co_await on_loop(here, errands_->loop(), errands_->drain(deadline)) && clean;
    for (const auto& server : {admin_server_.get(), demo_server_.get()}) {
        if (server == nullptr) continue;
        server->stop_accepting();
        co_await server->drain(here.now() + 1s);
        server->close();
    }
    clean = co_await chores_->drain(std::max(deadline, here.now() + 1s)) && clean;
    co_return clean;
}

// Before the first request comes.
void Node::tell_doubts() {
    for (const auto& station : stations_)
        station->home().tell_doubts([this, &loop = station->loop()](const gateway::Doubt& doubt) {
            if (const auto line = doubt_lines_.line(doubt, loop.now())) report_.warn(*line);
        });
}

Task<void> Node::sweep() {
    Station& first = *stations_.front();
    bool more = false;
    bool stopped = false;
    int failures = 0;  // in a row
    while (!co_await first.leaves_within(more ? 0ns : kSweepEvery)) {
        const auto swept = co_await first.records().sweep(kSweepMax);
        if (swept && failures >= kSweepFailuresTold) {
            report_.info("the store removes what is over again");
            admin_->show_upkeep({});
        }
        failures = swept ? 0 : failures + 1;
        if (failures == kSweepFailuresTold) tell_of_upkeep(swept.error());
        more = swept && swept->more;
        if (swept && swept->stopped && !stopped)
            report_.warn(
                "wall clock and monotonic clock disagree: nothing is removed until they run in "
                "step again");
        stopped = swept && swept->stopped;
    }
}

// Requests are served all the same, so that readiness stays as it is.
void Node::tell_of_upkeep(const Error& error) {
    const std::string fault =
        fmt::format("the store does not remove what is over, and grows: {}", error.text);
    report_.error(fault);
    admin_->show_upkeep(fault);
}

Task<void> Node::retire() {
    bool more = false;
    while (!co_await stations_.front()->leaves_within(more ? 0ns : kSweepEvery))
        more = co_await flows_->retire();
}

Task<void> Node::tell_of_states() {
    const auto rest = [&first = *stations_.front()] { return first.leaves_within(kSlicePause); };
    return flows_->tell_of_states(offer_.rules->shared_machines(), rest);
}

Task<void> Node::probe() {
    while (!co_await stations_.front()->leaves_within(kProbeEvery)) co_await prober_->pass();
}

// What an operator should hear of without looking.
Task<void> Node::watch() {
    std::uint64_t late_before = 0;
    std::int64_t settling_before = 0;
    while (!co_await stations_.front()->leaves_within(kWatchEvery)) {
        admin_->sample();
        if (const auto rest = doubt_lines_.rest()) report_.warn(*rest);
        flows_->tell_of_damage(store_->new_damage());
        std::uint64_t late = 0;
        std::int64_t settling = 0;
        for (const auto& station : stations_) {
            late += station->figures().stored_late.value();
            settling += station->figures().settling.value();
        }
        if (late > late_before)
            report_.error(
                fmt::format("{} operations took effect after they had been called not applied; "
                            "`pawl explain` shows which: look for stored_late",
                            late - late_before));
        if (settling > 0 && settling_before == 0)
            report_.error(fmt::format(
                "{} finished operations wait for the store to take their result: look at its disk; "
                "until then this node is not ready",
                settling));
        if (settling == 0 && settling_before > 0)
            report_.info("the store has taken every result that waited");
        late_before = late;
        settling_before = settling;
    }
}

}  // namespace pawl::app
