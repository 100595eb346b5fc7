// SPDX-License-Identifier: Apache-2.0
#include "stream/relays.hpp"

#include <algorithm>

#include "runtime/result/assert.hpp"

namespace pawl::stream {

Relays::Relays(Loop& loop, store::Outbox& outbox, std::vector<SinkPlan> plans) : loop_(loop) {
    for (SinkPlan& plan : plans) {
        auto made = std::make_unique<One>();
        made->sink = std::move(plan.sink);
        made->relay = std::make_unique<Relay>(loop, outbox, *made->sink, std::move(plan.setup),
                                              made->figures);
        all_.push_back(std::move(made));
    }
}

Task<void> Relays::run() {
    TaskGroup running(loop_);
    for (const auto& one : all_) running.spawn(one->relay->run());
    co_await running.drain(kNever);
}

void Relays::stop() {
    for (const auto& one : all_) one->relay->stop();
}

void Relays::hint_from_anywhere() {
    for (const auto& one : all_) one->relay->hint_from_anywhere();
}

std::vector<std::string> Relays::names() const {
    std::vector<std::string> names;
    for (const auto& one : all_) names.push_back(one->relay->name());
    return names;
}

const Relays::One* Relays::one(std::string_view name) const {
    const auto at = std::ranges::find_if(
        all_, [&](const auto& candidate) { return candidate->relay->name() == name; });
    return at == all_.end() ? nullptr : at->get();
}

Relay* Relays::find(std::string_view name) {
    const One* found = one(name);
    return found == nullptr ? nullptr : found->relay.get();
}

const RelayFigures& Relays::figures(std::string_view name) const {
    const One* found = one(name);
    PAWL_ASSERT(found != nullptr);
    return found->figures;
}

}  // namespace pawl::stream
