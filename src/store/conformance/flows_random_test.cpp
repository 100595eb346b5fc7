// SPDX-License-Identifier: Apache-2.0
// Long random histories: decisions that have grown old, commits that are sent again, several at once, starts in
// between. Whatever came of each, the books agree at the end.
#include <set>

#include "runtime/entropy/entropy.hpp"
#include "store/conformance/flow_suite.hpp"

namespace pawl::store::conformance {
namespace {

constexpr int kOrders = 30;
constexpr int kRounds = 800;
constexpr std::int64_t kStock = 24;

class FlowsRandom : public FlowSuite {
  protected:
    int below(int bound) {
        return static_cast<int>(entropy_.below(static_cast<std::uint64_t>(bound)));
    }
    Event draw_event(const std::string& id) {
        switch (below(8)) {
            case 0:
                return {.name = "begin_payment", .caller = "ann"};
            case 1:
                return {.name = "reserve", .caller = "ann"};
            case 2:
                return {.name = "cancel", .caller = "ann"};
            case 3:
            case 4:
                return {.name = "ship", .caller = "ann"};
            case 5:
                return fact("deliver");
            default:
                return payment("T" + id + "-" + std::to_string(below(3)));
        }
    }
    FlowCommit draw() {
        const std::string id = std::to_string(1 + below(kOrders));
        const bool there = load(by_id(id)).has_value();
        FlowCommit commit = there ? step(id, draw_event(id))
                            : below(2) == 0
                                ? creation(id, "B" + id)
                                : fact_without_order("B" + id, payment("T" + id + "-0"));
        if (below(2) == 0) commit.request = request(++last_key_, entropy_.below(1'000'000));
        return commit;
    }
    // What an engine does next.
    void hear(const FlowCommit& sent, const Result<FlowReply>& reply) {
        ASSERT_TRUE(reply);
        ASSERT_FALSE(reply->lost && reply->lost->why == flow::Lost::Why::unsound);
        const bool accepted = reply->outcome == FlowOutcome::applied;
        if (accepted && sent.event->name == "pay" && !sent.settles &&
            !std::holds_alternative<Answered>(sent.decision))
            accepted_.insert(sent.event->values.at("transaction_id"));
        if (accepted && sent.request) answered_.insert(sent.request->claim.identity);
        for (const flow::WaitingFact& fact : reply->wakes)
            if (below(3) != 0) pending_.push_back(again(reply->id, fact));
        if (reply->lost && reply->lost->sku)
            pending_.push_back(step(reply->id, *sent.event, {.short_of = reply->lost->sku}));
    }
    void commit_some() {
        std::vector<FlowCommit> some;
        for (int left = 1 + below(4); left > 0 && !pending_.empty(); --left) {
            const auto at = pending_.begin() + below(static_cast<int>(pending_.size()));
            some.push_back(*at);
            if (below(4) != 0) pending_.erase(at);  // else it is sent again some time
        }
        const auto replies = commit_all(some);
        for (std::size_t i = 0; i < some.size(); ++i) hear(some[i], replies[i]);
    }
    // As the sweeper: sends again what waits for an order that is there.
    void settle() {
        for (int pass = 0; pass < 3; ++pass)
            for (const WaitingEntry& entry : waiting())
                if (const auto order = load(entry.subject))
                    hear(again(order->id, entry.fact), commit(again(order->id, entry.fact)));
    }
    void check(const flow::Entity& order, stock::Level& held, std::multiset<std::string>& paid) {
        const auto steps = history(order.id);
        ASSERT_EQ(steps.size(), order.version);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const flow::History& one = steps[i].history;
            EXPECT_EQ(one.version, i + 1);
            if (i > 0) EXPECT_EQ(one.from, steps[i - 1].history.to);
            if (one.event == "pay") paid.insert(one.values.at("transaction_id"));
            if (one.course == flow::Course::compensated) EXPECT_EQ(steps[i].sagas.size(), 1U);
        }
        EXPECT_EQ(steps.back().history.to, order.state);
        for (const flow::HeldStock& one : order.stock) {
            EXPECT_TRUE(stock::is_sound(one.reservation));
            held.reserved += stock::open_of(one.reservation);
            held.sold += one.reservation.confirmed - one.reservation.returned;
        }
    }

    SeededEntropy entropy_{static_cast<std::uint64_t>(GetParam().name.size())};
    std::vector<FlowCommit> pending_;
    std::set<std::string> accepted_;  // payments of which the sender was told that they arrived
    std::set<Digest> answered_;       // requests whose commit was applied
    int last_key_ = 0;
};

TEST_P(FlowsRandom, TheBooksAgreeWhateverCameInWhateverOrder) {
    stocked(kStock);
    for (int round = 0; round < kRounds; ++round) {
        pending_.push_back(draw());
        if (below(3) != 0) commit_some();
        rig().hand().pass(std::chrono::milliseconds(below(50)));
        if (below(100) == 0) rig().restart();
    }
    settle();
    stock::Level held{kStock, 0, 0};
    std::multiset<std::string> paid;
    for (int id = 1; id <= kOrders; ++id)
        if (const auto order = load(by_id(std::to_string(id)))) check(*order, held, paid);
    held.available -= held.reserved + held.sold;
    EXPECT_EQ(level("A"), held);
    // L1 and Q1: every payment that was taken is in the history of its order, once.
    EXPECT_EQ(std::multiset<std::string>(accepted_.begin(), accepted_.end()), paid);
    for (const Digest& request : answered_) {
        const auto kept = run(rig().records().read(request));
        ASSERT_TRUE(kept);
        EXPECT_EQ(kept->row.state, State::completed);
    }
    EXPECT_GT(answered_.size(), 50U);
    EXPECT_GT(paid.size(), 20U);
    EXPECT_GT(held.sold, 0);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, FlowsRandom, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
