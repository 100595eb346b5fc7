// SPDX-License-Identifier: Apache-2.0
// Relays that fail, come late and are killed, over many orders and several sinks: every row reaches every sink, the
// rows of an entity in their order, and none after it was reported as sent.
#include <map>
#include <set>

#include "runtime/entropy/entropy.hpp"
#include "store/conformance/outbox_suite.hpp"

namespace pawl::store::conformance {
namespace {

constexpr int kOrders = 25;
constexpr int kRounds = 500;

class OutboxRandom : public OutboxSuite {
  protected:
    int below(int bound) {
        return static_cast<int>(entropy_.below(static_cast<std::uint64_t>(bound)));
    }
    void move_an_order() {
        const std::string id = std::to_string(1 + below(kOrders));
        if (!load(by_id(id))) {
            ordered(id);
            return;
        }
        const std::array<Event, 5> events{payment("T" + id), Event{.name = "ship", .caller = "ann"},
                                          fact("deliver"), Event{.name = "cancel", .caller = "ann"},
                                          payment("U" + id)};
        (void)try_commit(step(id, events[static_cast<std::size_t>(below(5))]));
    }
    // What the sink has is in its log; a report may be lost, or come again much later.
    void relay(const std::string& sink, bool settles) {
        std::vector<Delivery> deliveries;
        for (const OutboxRow& row : unsent(sink, static_cast<std::size_t>(1 + below(12)))) {
            const int luck = settles ? 9 : below(10);
            if (luck < 2) {
                deliveries.push_back(again(row, std::chrono::milliseconds(below(200))));
            } else if (luck == 2) {
                deliveries.push_back(parked(row, "it does not like it"));
            } else {
                ++arrived_;
                std::vector<std::uint64_t>& log = logs_[sink][row.subject.id];
                EXPECT_FALSE(reported_.contains({sink, row.number})) << "twice: " << row.number;
                if (log.empty() || log.back() != row.history.version)
                    log.push_back(row.history.version);
                deliveries.push_back(sent(row));
            }
        }
        if (!settles && below(8) == 0) return;  // killed before it could report
        for (const Delivery& one : deliveries)
            if (one.kind == Delivery::Kind::sent) reported_.emplace(sink, one.number);
        report(sink, deliveries);
        if (!settles && below(8) == 0) old_.emplace_back(sink, deliveries);
        if (old_.empty() || below(4) != 0) return;
        // Only what was sent: a late word about a row that was driven again since would be heard.
        std::erase_if(old_.back().second,
                      [](const Delivery& one) { return one.kind != Delivery::Kind::sent; });
        report(old_.back().first, old_.back().second);
        old_.pop_back();
    }

    SeededEntropy entropy_{7 + static_cast<std::uint64_t>(GetParam().name.size())};
    std::map<std::string, std::map<std::string, std::vector<std::uint64_t>>> logs_;
    std::set<std::pair<std::string, std::uint64_t>> reported_;
    std::vector<std::pair<std::string, std::vector<Delivery>>> old_;
    int arrived_ = 0;
};

TEST_P(OutboxRandom, EveryRowReachesEverySinkInOrderAndOnce) {
    stocked(1'000'000);
    const std::array<std::string, 3> sinks{"file", "hook", "stream"};
    for (int round = 0; round < kRounds; ++round) {
        if (below(3) != 0) move_an_order();
        relay(sinks[static_cast<std::size_t>(below(3))], false);
        rig().hand().pass(std::chrono::milliseconds(below(60)));
        if (below(60) == 0) (void)run(rig().store().redrive(sinks[0]));
        if (below(60) == 0) rig().restart();
    }
    for (const std::string& sink : sinks) {
        rig().hand().pass(1s);
        (void)run(rig().store().redrive(sink));
        while (!unsent(sink).empty()) relay(sink, true);
        const OutboxFigures left = figures(sink);
        EXPECT_EQ(left.unsent, 0U);
        EXPECT_EQ(left.parked, 0U);
        EXPECT_EQ(left.oldest_unsent_ms, timer::kNever);
    }
    for (int order = 1; order <= kOrders; ++order) {
        const std::string id = std::to_string(order);
        if (!load(by_id(id))) continue;
        std::vector<std::uint64_t> outgoing;
        for (const FlowStep& step : history(id))
            if (!step.history.type.empty()) outgoing.push_back(step.history.version);
        for (const std::string& sink : sinks) EXPECT_EQ(logs_[sink][id], outgoing) << sink << id;
    }
    EXPECT_GT(arrived_, 100);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, OutboxRandom, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
