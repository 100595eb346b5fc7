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
constexpr int kDiffering = 6;
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
                return payment("T" + id + "-" + std::to_string(below(3)),
                               below(2) == 0 ? "99" : "12.5");
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
    static Event event_in(const FlowCommit& sent) {
        if (const auto* told = std::get_if<flow::Arbitration>(&sent.decision))
            return told->event.value_or(Event{});
        const auto* bundle = std::get_if<flow::Bundle>(&sent.decision);
        if (bundle == nullptr) return {};
        const flow::History& row = bundle->history;
        return {
            .name = row.event, .values = row.values, .sender = row.sender, .caller = row.caller};
    }
    // Somebody looks at the list, and pays back what he has settled.
    void look_at_list() {
        const auto list = attention();
        if (list.empty()) return;
        const AttentionEntry& entry =
            list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
        const bool leaves = ++looks_ % 3 == 0;
        const std::string told =
            close(entry.number, "ann", "seen", leaves ? ClosedAs::left : ClosedAs::settled);
        EXPECT_EQ(told, "closed") << "nothing else is under way";
        (leaves ? left_ : settled_).insert(entry.event->values.at("transaction_id"));
    }
    // What an engine does next.
    void hear(const FlowCommit& sent, const Result<FlowReply>& reply) {
        ASSERT_TRUE(reply);
        ASSERT_FALSE(reply->lost && reply->lost->why == flow::Lost::Why::unsound);
        const bool accepted = reply->outcome == FlowOutcome::applied;
        const Event event = event_in(sent);
        if (accepted && event.name == "pay" && !sent.settles)
            accepted_.insert(event.values.at("transaction_id"));
        if (accepted && sent.request) answered_.insert(sent.request->claim.identity);
        for (const flow::WaitingFact& fact : reply->wakes)
            if (below(3) != 0) pending_.push_back(again(reply->id, fact));
        if (reply->lost && reply->lost->sku)
            pending_.push_back(step(reply->id, event, {.short_of = reply->lost->sku}));
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
    std::set<std::string> settled_;   // those that a person has put right
    std::set<std::string> left_;      // those that a person has left to the machine
    std::set<Digest> answered_;       // requests whose commit was applied
    int last_key_ = 0;
    int looks_ = 0;
};

TEST_P(FlowsRandom, TheBooksAgreeWhateverCameInWhateverOrder) {
    stocked(kStock);
    // The first orders begin with a payment that somebody has to look at.
    for (int id = 1; id <= kDiffering; ++id) {
        ordered(std::to_string(id));
        const std::string transaction = "T" + std::to_string(id) + "-0";
        EXPECT_EQ(outcome(step(std::to_string(id), payment(transaction, "99"))), "applied 1");
        look_at_list();
    }
    for (int round = 0; round < kRounds; ++round) {
        pending_.push_back(draw());
        if (below(3) != 0) commit_some();
        if (below(2) == 0) look_at_list();
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
    // L1 and Q1: every payment that was told is in the history of its order once, was settled by a person, or stands
    // before one; never two of these.
    std::multiset<std::string> found = paid;
    std::set<std::string> open;
    for (const AttentionEntry& entry : attention())
        open.insert(entry.event->values.at("transaction_id"));
    found.insert(settled_.begin(), settled_.end());
    found.insert(open.begin(), open.end());
    for (const std::string& one : accepted_)
        EXPECT_EQ(found.count(one) > 0 || left_.contains(one), true) << one;
    for (const std::string& one : found) EXPECT_EQ(found.count(one), 1U) << one;
    EXPECT_GE(settled_.size(), std::size_t{kDiffering} * 2 / 3);
    EXPECT_GE(left_.size(), std::size_t{kDiffering} / 3);
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
