// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/receiver.hpp"

#include "sim/shop/outside_call.hpp"

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
    const auto word = co_await call_outside<Delivered>(
        receiver_.world(), loop_, receiver_,
        [&to = receiver_, event = events.front()] { return std::optional(to.take(event)); },
        loop_.now() + kAnswersWithin);
    co_return std::vector<Delivered>{
        word.value_or(Delivered{.kind = Delivered::Kind::failed, .said = "no answer"})};
}

}  // namespace pawl::sim
