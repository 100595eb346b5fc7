// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_node.hpp"

#include <algorithm>

#include "sim/shop/outside_call.hpp"
#include "sim/shop/provider.hpp"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds kRetiresEvery = 60s;
constexpr std::size_t kRetiresAtOnce = 100;

// The same for every boot: "node-1" has the first ones.
id::Machine machine_of(const std::string& node, std::size_t seat) {
    const auto number = static_cast<std::size_t>(node.back() - '1');
    return engine::machine_of_loop(engine::kOneDatabase, number * kSeatsMax + seat);
}

}  // namespace

ShopNode::Seat::Seat(ShopNode& node, std::size_t number)
    : room(node.around_.world, fmt::format("{}/{}", node.name_, number),
           split(node.around_.world.seed(), node.name_, node.boot_ * 16 + number)),
      flows(node.around_.server, node.around_.flows, room.loop(), node.doing_, node.partition_),
      records(node.around_.server, room.loop()),
      ids(room.loop(), flows, engine::kOneDatabase, machine_of(node.name_, number)),
      question(node, room.loop()),
      desk(room.loop(), observer),
      committer({room.loop(), flows, question, ids, desk, &records}, node.around_.machines),
      facts(committer),
      notifications(room.loop(), facts, watch, node.around_.accounts, node.around_.machines),
      serving(room.loop()) {
    flows.on_step = [&node](std::string_view what) { node.step(what); };
    desk.send_through(committer);
}

ShopNode::ShopNode(ShopSurroundings& around, std::string name, std::uint64_t boot,
                   std::size_t seats)
    : around_(around), name_(std::move(name)), boot_(boot) {
    for (std::size_t i = 0; i < seats; ++i) seats_.push_back(std::make_unique<Seat>(*this, i));
    Seat& first = *seats_.front();
    sweeper_.emplace(first.room.loop(), first.flows, first.flows, first.committer, first.observer);
    parking_.emplace(first.room.loop(), first.flows, first.committer);
    for (const auto& seat : seats_)
        seat->desk.tell_due([this](std::int64_t next_due_ms) {
            boost::asio::post(seats_.front()->room.context(),
                              [this, next_due_ms] { sweeper_->hint(next_due_ms); });
        });
    sweeper_->start();
    parking_->start();
    send_out(first);
    first.serving.spawn(retire(first));
}

// Refunds and events.
void ShopNode::send_out(Seat& seat) {
    Loop& loop = seat.room.loop();
    cashier_line_.emplace(around_.cashier, loop);
    refunds_.emplace(loop, seat.flows, seat.flows, *cashier_line_, saga_figures_,
                     engine::SagaRunner::Alarm{});
    refunds_->reload(around_.machines, std::make_shared<const engine::Services>());
    seat.serving.spawn(refunds_->run());
    if (name_ != kRelaysOn) return;
    sink_.emplace(around_.receiver, loop);
    stream::RelaySetup setup{.sink = std::string(kWarehouse), .from_the_beginning = true};
    relay_.emplace(loop, seat.flows, *sink_, std::move(setup), relay_figures_);
    seat.serving.spawn(relay_->run());
}

// Seats tell each other of deadlines: all fall silent before the first goes.
ShopNode::~ShopNode() {
    for (const auto& seat : seats_) seat->room.silence();
    for (const auto& seat : seats_) seat->room.drop_suspended();
    for (const auto& seat : seats_) seat->room.drop_ready();
}

void ShopNode::accept(std::size_t number, Wish wish, Answer answer) {
    Seat& seat = *seats_[number];
    boost::asio::post(seat.room.context(),
                      [&seat, asked = std::move(wish), tell = std::move(answer)]() mutable {
                          seat.serving.spawn(serve(seat, std::move(asked), std::move(tell)));
                      });
}

Task<Result<engine::Outcome>> ShopNode::decide(Seat& seat, Wish wish) {
    switch (wish.kind) {
        case Wish::Kind::renewal:
            return seat.committer.renew(wish.sent.subject, wish.deadline);
        case Wish::Kind::stock:
            return seat.committer.change_stock(std::string(kShopTenant), *wish.change,
                                               *wish.sent.claim);
        case Wish::Kind::event:
            break;
    }
    return seat.committer.send(std::move(wish.sent));
}

Task<void> ShopNode::serve(Seat& seat, Wish wish, Answer answer) {
    answer(co_await decide(seat, std::move(wish)));
}

void ShopNode::freeze(bool frozen) {
    for (const auto& seat : seats_) seat->room.freeze(frozen);
}

void ShopNode::skew_wall(std::chrono::milliseconds by) {
    for (const auto& seat : seats_) seat->room.skew_wall(by);
}

void ShopNode::hear(std::size_t number, Notice notice, std::function<void(int)> answer) {
    Seat& seat = *seats_[number];
    boost::asio::post(seat.room.context(),
                      [this, &seat, told = std::move(notice), back = std::move(answer)]() mutable {
                          seat.serving.spawn(take(seat, std::move(told), std::move(back)));
                      });
}

Task<void> ShopNode::take(Seat& seat, Notice notice, std::function<void(int)> answer) {
    step("notice");
    const auto acknowledged = co_await seat.notifications.take(
        std::string(kProvider), std::move(notice.account), std::move(notice.bytes));
    step("acknowledge");
    answer(acknowledged ? acknowledged->status : 404);
}

Task<void> ShopNode::retire(Seat& seat) {
    for (;;) {
        co_await seat.room.loop().sleep_for(kRetiresEvery);
        (void)co_await seat.flows.retire(kRetiresAtOnce,
                                         std::chrono::milliseconds(kKeepsFinished).count());
    }
}

// As the production's: what the flow does not ask for is not told.
Task<engine::Finding> ShopNode::Question::ask(flow::Probe probe, flow::Entity entity,
                                              MonotonicTime give_up) {
    const Counted under_way(node_.doing_.asking);
    node_.step("ask");
    Provider& provider = node_.around_.provider;
    auto finding = co_await call_outside<engine::Finding>(
        node_.around_.world, loop_, provider,
        [&provider, of = std::move(entity)] { return provider.look(of); }, give_up);
    if (!finding) co_return engine::Finding{};
    std::erase_if(finding->facts, [&](const auto& fact) {
        return std::ranges::none_of(probe.facts,
                                    [&](const auto& asked) { return asked.first == fact.first; });
    });
    co_return *std::move(finding);
}

}  // namespace pawl::sim
