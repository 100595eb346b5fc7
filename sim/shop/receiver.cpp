// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/receiver.hpp"

#include "runtime/task/promise.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;
using stream::Delivered;

namespace {

constexpr std::chrono::nanoseconds kAnswersWithin = 2s;

}  // namespace

Delivered Receiver::take(const stream::Event& event) {
    world_.trace().tell("event", event.number, received_.size(), "{} of {} {}", event.type,
                        event.flow, event.entity);
    if (chance_.hit(dose_.event_refused)) {
        rarities_.count(ShopRare::event_refused);
        constexpr std::array<Delivered::Kind, 3> kKinds{
            Delivered::Kind::refused, Delivered::Kind::failed, Delivered::Kind::away};
        return {.kind = kKinds[chance_.below(kKinds.size())], .said = "not now"};
    }
    if (!known_.insert(event.id).second) rarities_.count(ShopRare::event_came_again);
    received_.push_back({event.flow, event.entity, event.type, event.id});
    return {};
}

Task<std::vector<Delivered>> ReceiverSink::deliver(std::vector<stream::Event> events) {
    const auto heard = std::make_shared<pawl::Promise<Delivered>>(loop_);
    World& world = receiver_.world();
    if (!receiver_.is_lost())
        world.after(receiver_.way(),
                    [&to = receiver_, event = events.front(), slot = std::weak_ptr(heard)] {
                        const Delivered word = to.take(event);
                        if (to.is_lost()) return;
                        to.world().after(to.way(), [slot, word] {
                            if (const auto waits = slot.lock()) waits->set(word);
                        });
                    });
    const auto word = co_await heard->wait(loop_.now() + kAnswersWithin);
    co_return std::vector<Delivered>{
        word.value_or(Delivered{.kind = Delivered::Kind::failed, .said = "no answer"})};
}

}  // namespace pawl::sim
