// SPDX-License-Identifier: Apache-2.0
#include "sim/node/node.hpp"

#include "runtime/task/on_loop.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

Node::Seat::Seat(Node& node, std::size_t number)
    : room(node.around_.world, fmt::format("{}/{}", node.name_, number),
           split(node.around_.world.seed(), node.name_, node.boot_ * 16 + number)),
      way(node.around_.server, room.loop(), node.doing_, node.around_.in_flight, node.partition_),
      records(way, node.around_.keys),
      home(room.loop(), records, {node.name_, node.boot_}, node.around_.limits, figures),
      effects(node.around_.wire, room.loop(), node.boot_, node.doing_) {
    way.on_call = [&node](std::string_view step) {
        if (node.on_call) node.on_call(node.boot_, step);
    };
}

Node::Node(Surroundings& around, std::string name, std::uint64_t boot, std::size_t seats)
    : around_(around), name_(std::move(name)), boot_(boot) {
    for (std::size_t i = 0; i < seats; ++i) seats_.push_back(std::make_unique<Seat>(*this, i));
    gateway::GatewaySetup setup{.tenant = "shop"};
    for (const auto& seat : seats_) setup.seats.push_back({seat->home, seat->effects});
    for (const auto& seat : seats_) {
        setup.asker = &seat->effects;
        seat->gateway.emplace(seat->room.loop(), setup, around_.routes, *this);
        seat->chores.emplace(seat->room.loop());
        seat->chores->spawn(note_replays(*seat));
    }
    Seat& first = *seats_.front();
    prober_ = std::make_unique<gateway::Prober>(first.room.loop(), first.records, setup.seats,
                                                first.effects, prober_figures_);
    prober_->reload(around_.routes);
    std::vector<gateway::Home*> homes;
    for (const auto& seat : seats_) homes.push_back(&seat->home);
    callbacks_.emplace(first.room.loop(), first.records, std::move(homes), callback_figures_);
    first.chores->spawn(sweep());
    first.chores->spawn(probe());
}

// Homes wait for each other across rooms: all fall silent before the first goes.
Node::~Node() {
    for (const auto& seat : seats_) {
        around_.rarities.count(Rare::replayed_from_cache, seat->figures.cache_hits.value());
        around_.rarities.count(Rare::replayed_from_reading, seat->figures.read_hits.value());
    }
    for (const auto& seat : seats_) seat->room.silence();
    for (const auto& seat : seats_) seat->room.drop_suspended();
    for (const auto& seat : seats_) seat->room.drop_ready();
}

void Node::accept(std::size_t number, http::Request request, Answer answer) {
    Seat& seat = *seats_[number];
    boost::asio::post(seat.room.context(), [&seat, asked = std::move(request),
                                            tell = std::move(answer)]() mutable {
        http::Plan plan = seat.gateway->plan(asked.head, {});
        auto* later = std::get_if<Task<http::Plan>>(&plan.step);
        if (later == nullptr)
            return serve(seat, std::move(plan), std::move(asked), std::move(tell));
        boost::asio::co_spawn(seat.room.context(), std::move(*later),
                              [&seat, whole = std::move(asked), told = std::move(tell)](
                                  std::exception_ptr error, http::Plan planned) mutable {
                                  if (error) std::rethrow_exception(error);
                                  serve(seat, std::move(planned), std::move(whole),
                                        std::move(told));
                              });
    });
}

void Node::serve(Seat& seat, http::Plan plan, http::Request asked, Answer tell) {
    if (auto* response = std::get_if<http::Response>(&plan.step)) return tell(std::move(*response));
    auto& whole = std::get<http::Whole>(plan.step);
    if (asked.body.size() > whole.body_bytes_max)
        return tell(seat.gateway->refuse(413, "body_too_large", "too large"));
    asked.admission = std::move(whole.admission);
    http::Serving serving = seat.gateway->serve(std::move(asked), {});
    if (serving.is_there()) return tell(serving.take());
    boost::asio::co_spawn(
        seat.room.context(), std::move(serving).wait(),
        [told = std::move(tell)](std::exception_ptr error, http::Response response) mutable {
            if (error) std::rethrow_exception(error);
            told(std::move(response));
        });
}

void Node::freeze(bool frozen) {
    for (const auto& seat : seats_) seat->room.freeze(frozen);
}

std::size_t Node::attempts_running() const {
    std::size_t running = 0;
    for (const auto& seat : seats_) running += seat->home.running();
    return running;
}

std::size_t Node::words_in_hand() const {
    std::size_t words = 0;
    for (const auto& seat : seats_)
        words += static_cast<std::size_t>(seat->figures.settling.value());
    return words;
}

void Node::answered(const gateway::RequestNote& note) {
    if (note.seen == gateway::Seen::waited) around_.rarities.count(Rare::replayed_to_waiter);
    if (note.seen == gateway::Seen::refused && note.status == 429)
        around_.rarities.count(Rare::limited);
}

Task<void> Node::sweep() {
    constexpr std::size_t kRowsMax = 200;
    Seat& seat = *seats_.front();
    for (;;) {
        co_await seat.room.loop().sleep_for(1s);
        for (bool more = true; more;) {
            const auto report = co_await seat.records.sweep(kRowsMax);
            more = report && report->more;
        }
    }
}

Task<void> Node::probe() {
    for (;;) {
        co_await seats_.front()->room.loop().sleep_for(1s);
        co_await prober_->pass();
    }
}

Task<void> Node::note_replays(Seat& seat) {
    for (;;) {
        co_await seat.room.loop().sleep_for(10s);
        seat.home.note_replays();
    }
}

void Node::visit(Decide decide) {
    seats_.front()->chores->spawn(settle_by_hand(std::move(decide)));
}

Task<void> Node::settle_by_hand(Decide decide) {
    constexpr std::size_t kRowsMax = 1'000;
    Seat& seat = *seats_.front();
    const auto rows =
        co_await seat.records.unresolved({.limit = kRowsMax, .uncertain_only = false});
    if (!rows) co_return;
    for (const record::Row& row : *rows) {
        const auto stored = co_await seat.records.read(row.identity);
        if (!stored || !*stored) continue;
        auto word = decide(**stored);
        if (!word) continue;
        co_await settle_at_home(std::move(*word));
    }
}

void Node::say(record::Settle word) {
    seats_.front()->chores->spawn(settle_at_home(std::move(word)));
}

void Node::hear(Digest identity, gateway::CallbackReport report) {
    seats_.front()->chores->spawn(take_report(identity, std::move(report)));
}

Task<void> Node::take_report(Digest identity, gateway::CallbackReport report) {
    auto stored = co_await seats_.front()->records.read(identity);
    if (!stored || !*stored) co_return;
    const std::shared_ptr<const gateway::Routes> routes = around_.routes;
    const policy::CompiledRoute* named = routes->named((*stored)->row.operation);
    if (named == nullptr) co_return;
    const auto heard =
        co_await callbacks_->take({routes, named}, std::move((*stored)->row), std::move(report));
    if (!heard) co_return;
    using gateway::Heard;
    if (heard->heard == Heard::repeated) around_.rarities.count(Rare::callback_repeated);
    if (heard->heard == Heard::running) around_.rarities.count(Rare::callback_while_running);
    if (heard->heard == Heard::other_fence) around_.rarities.count(Rare::callback_of_other_fence);
}

Task<void> Node::settle_at_home(record::Settle word) {
    gateway::Home& home = seats_[gateway::seat_of(word.identity, seats_.size())]->home;
    auto at_home = [](gateway::Home& there, record::Settle said) -> Task<Result<store::Reply>> {
        co_return co_await there.settle(std::move(said));
    };
    co_await on_loop(seats_.front()->room.loop(), home.loop(), at_home(home, std::move(word)));
}

}  // namespace pawl::sim
