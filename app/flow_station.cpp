// SPDX-License-Identifier: Apache-2.0
#include "app/flow_station.hpp"

namespace pawl::app {

FlowStation::FlowStation(Loop& loop, std::unique_ptr<store::FlowStore> store,
                         store::Records& records, gateway::Asker& asker, std::size_t number)
    : loop_(loop),
      store_(std::move(store)),
      records_(records),
      asker_(asker),
      ids_(loop, *store_, engine::kOneDatabase,
           engine::machine_of_loop(engine::kOneDatabase, number)) {}

void FlowStation::open(const FlowOffer& offer, const Around& around, http::Service& rest) {
    const auto& machines = offer.rules->shared_machines();
    inquiry_ = std::make_unique<engine::HttpInquiry>(asker_, offer.services);
    desk_ = std::make_unique<engine::Desk>(loop_, around.decisions, around.due);
    committer_ = std::make_unique<engine::Committer>(
        engine::Setting{loop_, *store_, *inquiry_, ids_, *desk_, &records_}, machines);
    desk_->send_through(*committer_);
    facts_ = std::make_unique<engine::CommittedFacts>(*committer_);
    notifications_ = std::make_unique<engine::Notifications>(loop_, *facts_, around.notifications,
                                                             offer.accounts, machines);
    auto notify = [this](std::string provider, std::string account,
                         callback::Notification notification) {
        return notifications_->take(std::move(provider), std::move(account),
                                    std::move(notification));
    };
    service_ = std::make_unique<flow_api::FlowService>(
        loop_, flow_api::Parts{records_, *store_, *committer_, std::move(notify), around.owner},
        offer.rules, around.requests, rest);
}

void FlowStation::reload(const FlowOffer& offer) {
    const auto& machines = offer.rules->shared_machines();
    inquiry_->reload(offer.services);
    committer_->reload(machines);
    notifications_->reload(offer.accounts, machines);
    service_->reload(offer.rules);
}

Task<bool> FlowStation::drain(MonotonicTime deadline) {
    if (!service_) co_return true;
    const bool heard = co_await notifications_->drain(deadline);
    const bool sent = co_await desk_->end(deadline);
    co_return co_await ids_.end(deadline) && heard&& sent;
}

}  // namespace pawl::app
