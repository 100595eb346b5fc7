// SPDX-License-Identifier: Apache-2.0
// The flows of one event loop: their rows, who makes their ids, who commits what is sent to them, and what the
// data port serves of them. Loops share the store's writer, the machines and nothing else.
#pragma once

#include <functional>
#include <memory>

#include "engine/calls/http_inquiry.hpp"
#include "engine/committed_facts.hpp"
#include "engine/desk.hpp"
#include "engine/id_maker.hpp"
#include "engine/notifications.hpp"
#include "store/port/flow_store.hpp"
#include "surface/flow_api/flow_service.hpp"

namespace pawl::app {

// What all loops serve; a reload makes another.
struct FlowOffer {
    std::shared_ptr<const flow_api::FlowRules> rules;
    std::shared_ptr<const engine::CallbackAccounts> accounts;
    std::shared_ptr<const engine::Services> services;
};

class FlowStation {
  public:
    // Of loop number `number`. Whoever is given as a reference outlives it.
    FlowStation(Loop& loop, std::unique_ptr<store::FlowStore> store, store::Records& records,
                gateway::Asker& asker, std::size_t number);

    struct Around {
        engine::Observer& decisions;
        engine::NotificationWatch& notifications;
        gateway::Observer& requests;
        std::function<void(std::int64_t)> due;  // a deadline begins to run, told on this loop
        record::Owner owner;
    };
    // `rest` takes what is no call of flows.
    void open(const FlowOffer& offer, const Around& around, http::Service& rest);

    store::FlowStore& store() { return *store_; }
    // After open().
    http::Service& service() { return *service_; }
    engine::Committer& committer() { return *committer_; }
    engine::Desk& desk() { return *desk_; }

    // From here on, called on this loop.
    void reload(const FlowOffer& offer);
    // After the last request: what they left behind ends. True: nothing is left.
    Task<bool> drain(MonotonicTime deadline);

  private:
    Loop& loop_;
    std::unique_ptr<store::FlowStore> store_;
    store::Records& records_;
    gateway::Asker& asker_;
    engine::IdMaker ids_;
    std::unique_ptr<engine::HttpInquiry> inquiry_;
    std::unique_ptr<engine::Desk> desk_;
    std::unique_ptr<engine::Committer> committer_;
    std::unique_ptr<engine::CommittedFacts> facts_;
    std::unique_ptr<engine::Notifications> notifications_;
    std::unique_ptr<flow_api::FlowService> service_;
};

}  // namespace pawl::app
