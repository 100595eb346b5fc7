// SPDX-License-Identifier: Apache-2.0
// For the tests of the outbox: orders with as many outgoing events as are asked for, and reports in short.
#pragma once

#include "store/conformance/flow_suite.hpp"

namespace pawl::store::conformance {

class OutboxSuite : public FlowSuite {
  protected:
    using Strings = std::vector<std::string>;

    // With so many outgoing events: paid, shipped, delivered.
    void grown(const std::string& id, int events) {
        if (!load(by_id(id))) ordered(id);
        if (events > 0) {
            EXPECT_EQ(outcome(stock_set("A", 1'000'000, ++stock_key_)), "applied 0");
            EXPECT_EQ(outcome(step(id, payment("T" + id))), "applied 2");
        }
        if (events > 1) EXPECT_EQ(outcome(step(id, "ship")), "applied 3");
        if (events > 2) EXPECT_EQ(outcome(step(id, fact("deliver"))), "applied 4");
    }
    std::vector<OutboxRow> unsent(const std::string& sink, std::size_t limit = 99) {
        return run(rig().store().unsent(sink, true, limit));
    }
    // "ID TYPE" of what may go now.
    Strings types(const std::string& sink) {
        Strings types;
        for (const OutboxRow& row : unsent(sink))
            types.push_back(row.subject.id + " " + row.history.type);
        return types;
    }
    OutboxFigures figures(const std::string& sink) {
        return run(rig().store().outbox_figures(sink));
    }
    static Delivery sent(const OutboxRow& row) { return {.number = row.number}; }
    static Delivery again(const OutboxRow& row, std::chrono::milliseconds pause) {
        return {.number = row.number,
                .kind = Delivery::Kind::again,
                .pause_ms = pause.count(),
                .tries = row.tries + 1};
    }
    static Delivery parked(const OutboxRow& row, std::string said) {
        return {.number = row.number,
                .kind = Delivery::Kind::parked,
                .tries = row.tries + 1,
                .said = std::move(said)};
    }
    void report(const std::string& sink, std::vector<Delivery> deliveries) {
        EXPECT_TRUE(rig().hand().run(rig().store().delivered(sink, std::move(deliveries))));
    }
    void send_all(const std::string& sink) {
        std::vector<Delivery> deliveries;
        for (const OutboxRow& row : unsent(sink)) deliveries.push_back(sent(row));
        report(sink, std::move(deliveries));
    }

  private:
    int stock_key_ = 50'000;
};

}  // namespace pawl::store::conformance
