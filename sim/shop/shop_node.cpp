// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_node.hpp"

#include "sim/shop/provider.hpp"

namespace pawl::sim {
namespace {

// So many ids a boot may give out on one seat.
constexpr std::uint64_t kIdsOfASeat = 1'000'000;

}  // namespace

ShopNode::Seat::Seat(ShopNode& node, std::size_t number)
    : room(node.around_.world, fmt::format("{}/{}", node.name_, number),
           split(node.around_.world.seed(), node.name_, node.boot_ * 16 + number)),
      flows(node.around_.server, node.around_.flows, room.loop(), node.doing_, node.partition_),
      records(node.around_.server, room.loop()),
      ids((node.boot_ * 16 + number) * kIdsOfASeat + 1),
      question(node, room.loop()),
      desk(room.loop(), observer),
      committer({room.loop(), flows, question, ids, desk, &records}, node.around_.machines),
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

Task<engine::Finding> ShopNode::Question::ask(flow::Probe, flow::Entity entity,
                                              MonotonicTime give_up) {
    const Counted under_way(node_.doing_.asking);
    node_.step("ask");
    World& world = node_.around_.world;
    Provider& provider = node_.around_.provider;
    // The coroutine alone owns what it waits on; who answers finds it gone with its node.
    const auto heard = std::make_shared<pawl::Promise<engine::Finding>>(loop_);
    world.after(provider.way(), [&world, &provider, entity, slot = std::weak_ptr(heard)] {
        auto finding = provider.look(entity);
        if (!finding) return;
        world.after(provider.way(), [slot, told = *std::move(finding)] {
            if (const auto waits = slot.lock()) waits->set(told);
        });
    });
    const auto finding = co_await heard->wait(give_up);
    co_return finding.value_or(engine::Finding{});
}

}  // namespace pawl::sim
