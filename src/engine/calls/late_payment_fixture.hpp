// SPDX-License-Identifier: Apache-2.0
// For tests: orders of the documentation in a store in memory, and payments that come too late for them, each of which
// begins a refund.
#pragma once

#include "core/flow/world_fixture.hpp"
#include "runtime/task/hand_loop_fixture.hpp"
#include "store/memory/memory_flows.hpp"
#include "store/memory/memory_shelf.hpp"
#include "store/port/direct_flows.hpp"

namespace pawl::engine {

struct LatePayments {
    LatePayments() { hand.clock.wall_at_start_ms = flow::kStart; }

    static flow::Machine machine() {
        flow::Definition definition = flow::order_flow();
        definition.sagas[0].call = "POST http://pay/refunds/{transaction_id}";
        return flow::Machine::compile(std::move(definition)).value();
    }
    store::FlowReply commit(flow::Decision decision, store::FlowSubject subject) {
        return hand
            .run(flows.commit({.subject = std::move(subject),
                               .decision = std::get<flow::Bundle>(std::move(decision))}))
            .value();
    }
    void step(const std::string& id, flow::Event event) {
        event.now_ms = records.now_ms();
        const store::FlowSubject subject{"acme", "order", id, ""};
        const auto loaded = hand.run(flows.load(subject));
        flow::Circumstances known;
        known.probed = flow::Probed::unpaid;
        commit(flow::transition(machine(), *loaded->entity, event, known), subject);
    }
    // An order that was cancelled and then paid.
    void pay_too_late(const std::string& id, const std::string& transaction) {
        flow::Event event = flow::new_order();
        event.name = "create";
        event.now_ms = records.now_ms();
        commit(flow::create(machine(), {id, "acme", "B" + id}, event),
               {"acme", "order", id, "B" + id});
        step(id, {.name = "cancel", .caller = "ann"});
        flow::Event paid = flow::payment(transaction, "12.50");
        paid.values["currency"] = "EUR";
        paid.trace_context = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        step(id, paid);
    }
    store::SagaRow saga(std::size_t at = 0) {
        return hand.run(flows.sagas(std::nullopt, 0, 99)).value().at(at);
    }

    HandLoop hand;
    store::MemoryShelf records{hand.clock};
    store::MemoryFlows shelf{records};
    store::DirectFlows flows{shelf};
};

}  // namespace pawl::engine
