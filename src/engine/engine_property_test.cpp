// SPDX-License-Identifier: Apache-2.0
// Random senders on two nodes, with repeats, over a store that loses answers, refuses, and lets commits arrive
// late. Whatever comes: one effect per claim, every sender is told something true, the history is a chain (L2)
// and stock adds up (Q1, Q2, Q3).
#include "engine/engine_fixture.hpp"

namespace pawl::engine {
namespace {

constexpr int kRuns = 150;
constexpr int kSenders = 25;
constexpr std::int64_t kTotal = 12;

struct Sender {
    Sent sent;
    std::string name;
    std::vector<Result<Outcome>> heard;
};

class Lottery : public EngineTest {
  public:
    explicit Lottery(std::uint64_t seed) : EngineTest(touched_order(), seed), dice_(seed * 77 + 5) {
        other_desk_.send_through(other_);
        stock_up(kTotal);
        server_.set_profile({.refused = 30'000,
                             .unknown_before = 50'000,
                             .unknown_after = 50'000,
                             .late = 30'000,
                             .delay_min = 0us,
                             .delay_max = 20ms,
                             .late_max = 2s});
    }
    void TestBody() override {
        for (int i = 0; i < kSenders; ++i) group_.spawn(live(draw(i)));
        hand_.poll();
        for (int step = 0; group_.running() > 0 && step < 200'000; ++step) hand_.pass(1ms);
        ASSERT_EQ(group_.running(), 0U);
        server_.set_profile({});
        settle(5s);
        for (const Sender& one : senders_) check(one);
        check_histories();
        check_stock();
    }

  private:
    std::uint64_t roll(std::uint64_t bound) { return dice_.below(bound); }

    Sender draw(int number) {
        static constexpr std::array kEvents{"begin_payment", "reserve", "cancel", "touch", "ship"};
        const std::string key = "B" + std::to_string(roll(3));
        const std::string name = "s" + std::to_string(number);
        Sender one{.sent = {}, .name = name, .heard = {}};
        const std::uint64_t kind = roll(10);
        if (kind < 3) {
            one.sent = creation(key, 1 + static_cast<std::int64_t>(roll(4)));
        } else if (kind < 5) {
            one.sent = payment(key, "T" + std::to_string(roll(4)) + key);
        } else if (kind == 5) {
            one.sent = fact(key, "deliver");
        } else {
            one.sent = request(key, kEvents[roll(kEvents.size())]);
        }
        one.sent.event.caller = name;
        const bool is_request = one.sent.event.sender == flow::Sender::caller;
        if (is_request && roll(4) > 0) one.sent.claim = claim(name);
        return one;
    }

    // Sends until it hears something definite, and then sometimes again under the same key.
    Task<void> live(Sender one) {
        co_await hand_.loop().sleep_for(std::chrono::milliseconds(roll(400)));
        int repeats = one.sent.claim ? static_cast<int>(roll(3)) : 0;
        for (int sends = 0; sends < 60; ++sends) {
            Committer& through = roll(2) == 0 ? committer_ : other_;
            Result<Outcome> heard = co_await through.send(one.sent);
            const bool again = !heard || heard->told == Told::contended;
            const bool may_again = one.sent.claim || one.sent.event.sender != flow::Sender::caller;
            one.heard.push_back(std::move(heard));
            if (!may_again || (!again && repeats-- == 0)) break;
            co_await hand_.loop().sleep_for(std::chrono::milliseconds(roll(200)));
        }
        senders_.push_back(std::move(one));
    }

    std::vector<store::FlowStep> steps_of(const Sender& one) {
        std::vector<store::FlowStep> own;
        for (const store::FlowStep& step : history(one.sent.subject.business_key)) {
            const bool by_key = one.sent.claim && step.request == one.sent.claim->identity;
            if (by_key || (!one.sent.claim && step.history.caller == one.name &&
                           step.history.sender == one.sent.event.sender))
                own.push_back(step);
        }
        return own;
    }

    void check(const Sender& one) {
        const std::vector<store::FlowStep> own = steps_of(one);
        ASSERT_LE(own.size(), 1U) << one.name;
        std::optional<record::Answer> first;
        for (const Result<Outcome>& heard : one.heard) {
            const std::string said = told(heard);
            if (!heard) {
                ASSERT_TRUE(said == "unknown" || said == "unavailable" || said == "not_found");
                if (said != "unknown" && one.heard.size() == 1) ASSERT_TRUE(own.empty()) << said;
                continue;
            }
            if (heard->told == Told::applied) {
                ASSERT_EQ(own.size(), 1U) << one.name << " " << said;
                ASSERT_EQ(own.front().history.version, heard->version);
                ASSERT_EQ(own.front().history.to, heard->to);
            }
            const bool is_request = one.sent.event.sender == flow::Sender::caller;
            if (heard->told == Told::refused && is_request && &heard == &one.heard.back())
                ASSERT_TRUE(own.empty()) << one.name << " " << said;
            // Every definite answer to one key is the same.
            const bool definite =
                heard->told == Told::applied || heard->told == Told::repeated ||
                (heard->told == Told::refused && flow::row_of(heard->refusal->reason).stored);
            if (!one.sent.claim || !definite) continue;
            ASSERT_TRUE(heard->answer);
            if (first) ASSERT_EQ(first, heard->answer) << one.name;
            first = heard->answer;
        }
    }

    void check_histories() {
        std::map<std::string, int> money;
        for (const std::string key : {"B0", "B1", "B2"}) {
            const auto rows = history(key);
            std::string state;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const flow::History& row = rows[i].history;
                ASSERT_EQ(row.version, i + 1);
                ASSERT_EQ(row.from, state);
                state = row.to;
                if (row.event == "pay") ++money[row.values.at("transaction_id")];
            }
            ASSERT_EQ(version(key), rows.size());
            ASSERT_EQ(this->state(key), state);
        }
        for (const auto& [transaction, times] : money) ASSERT_EQ(times, 1) << transaction;
        for (const Sender& one : senders_) {
            if (one.sent.event.name != "pay" || version(one.sent.subject.business_key) == 0)
                continue;
            const bool heard =
                std::ranges::any_of(one.heard, [](const auto& h) { return h.has_value(); });
            if (heard) ASSERT_EQ(money[one.sent.event.values.at("transaction_id")], 1) << one.name;
        }
    }

    void check_stock() {
        stock::Level sum;
        for (const std::string key : {"B0", "B1", "B2"}) {
            const auto one = entity(key);
            if (!one) continue;
            for (const flow::HeldStock& held : one->stock) {
                ASSERT_TRUE(stock::is_sound(held.reservation));
                sum.reserved += stock::open_of(held.reservation);
                sum.sold += held.reservation.confirmed - held.reservation.returned;
            }
        }
        sum.available = kTotal - sum.reserved - sum.sold;
        ASSERT_EQ(level(), sum);
        ASSERT_TRUE(stock::is_sound(level()));
    }

    SeededEntropy dice_;
    Desk other_desk_{hand_.loop(), observer_};
    Committer other_{{hand_.loop(), flows_, inquiry_, ids_, other_desk_, &records_}, machines_};
    std::vector<Sender> senders_;
    TaskGroup group_{hand_.loop()};
};

TEST(EngineProperty, EverySenderIsToldSomethingTrue) {
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
        Lottery lottery(seed);
        lottery.TestBody();
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace pawl::engine
