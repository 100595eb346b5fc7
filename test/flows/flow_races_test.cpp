// SPDX-License-Identifier: Apache-2.0
// Two threads, each with a loop and a committer of its own, over one embedded store on a disk: payment against timeout,
// and a notification against the creation of its order, ten thousand rounds each. On virtual time, where every order of
// steps can be drawn: src/engine/race_test.cpp and sim/shop.
#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "core/flow/world_fixture.hpp"
#include "engine/desk.hpp"
#include "runtime/task/system_loop.hpp"
#include "store/conformance/rig.hpp"
#include "store/sqlite/scratch_folder.hpp"
#include "store/sqlite/sqlite_flows.hpp"

namespace pawl::engine {
namespace {

using namespace std::chrono_literals;

constexpr int kRounds = 10'000;
// Side by side, so that a flush carries many and each pair meets in one.
constexpr int kAtOnce = 500;

struct RangeOfIds final : Ids {
    explicit RangeOfIds(std::int64_t first) : last(first) {}
    std::int64_t last;
    Task<Result<std::string>> next() override { co_return std::to_string(++last); }
};
struct NothingPaid final : Inquiry {
    Task<Finding> ask(flow::Probe, flow::Entity, MonotonicTime) override {
        co_return Finding{.probed = flow::Probed::unpaid};
    }
};

class LoopThread {
  public:
    LoopThread(sqlite::Writer& writer, std::shared_ptr<const Machines> machines,
               std::int64_t first_id)
        : flows_(writer, loop_.loop()),
          ids_(first_id),
          desk_(loop_.loop(), observer_),
          committer_({loop_.loop(), flows_, inquiry_, ids_, desk_}, std::move(machines)),
          group_(loop_.loop()),
          thread_([this] { loop_.run(); }) {
        desk_.send_through(committer_);
    }
    LoopThread(const LoopThread&) = delete;
    LoopThread& operator=(const LoopThread&) = delete;
    ~LoopThread() {
        loop_.stop();
        thread_.join();
    }
    // All of them at once; what became of each stands in `told` when the latch has been counted down for it.
    void send(std::vector<Sent> sent, std::vector<std::string>& told, std::latch& done) {
        boost::asio::post(loop_.loop().executor(),
                          [this, all = std::move(sent), &told, &done]() mutable {
                              for (std::size_t i = 0; i < all.size(); ++i)
                                  group_.spawn(send_one(std::move(all[i]), told[i], done));
                          });
    }

  private:
    Task<void> send_one(Sent sent, std::string& told, std::latch& done) {
        const Result<Outcome> outcome = co_await committer_.send(std::move(sent));
        told = outcome ? std::string(name_of(outcome->told)) + " " + outcome->to
                       : std::string(name_of(outcome.error().code));
        done.count_down();
    }

    SystemLoop loop_;
    sqlite::SqliteFlows flows_;
    NothingPaid inquiry_;
    RangeOfIds ids_;
    Observer observer_;
    Desk desk_;
    Committer committer_;
    TaskGroup group_;
    std::thread thread_;
};

class FlowRaces : public testing::Test {
  protected:
    FlowRaces() {
        auto opened = sqlite::Writer::open({.path = folder_.path() + "/pawl.db"}, clock_, entropy_);
        PAWL_ASSERT(opened.has_value());
        writer_ = std::move(*opened);
        const auto machines = std::make_shared<const Machines>(
            std::vector{flow::Machine::compile(flow::order_flow()).value()});
        one_.emplace(*writer_, machines, 1'000'000);
        other_.emplace(*writer_, machines, 2'000'000);
        record::Claim claim;
        claim.identity = sha256("stock");
        claim.lease_ms = 30'000;
        claim.keep = {1'000'000'000, 2'000'000'000};
        claim.tenant = "acme";
        store::FlowCommit commit;
        commit.subject.tenant = "acme";
        commit.decision =
            store::StockChange{flow::sku("A"), store::StockChange::Kind::set, 2 * kRounds};
        commit.request = flow::Request{claim, record::Answer{.status = 200}};
        look([&](sqlite::Engine& engine) {
            PAWL_ASSERT(engine.commit_flows({&commit, 1}).front().has_value());
        });
    }
    ~FlowRaces() override {
        one_.reset();
        other_.reset();
    }

    static std::string key_of(int round) { return "B" + std::to_string(round); }
    static store::FlowSubject by_key(const std::string& key) { return {"acme", "order", {}, key}; }
    static Sent creation(const std::string& key) {
        Sent sent{.subject = by_key(key), .event = flow::new_order({{flow::sku("A"), 1}})};
        sent.creates = true;
        return sent;
    }
    static Sent payment(const std::string& key) {
        return {.subject = by_key(key), .event = flow::payment("T" + key, "12.5")};
    }
    static Sent expiry(const std::string& key) {
        return {.subject = by_key(key),
                .event = {.name = "expire", .sender = flow::Sender::timer, .deadline = "created"}};
    }
    template <class Make>
    static std::vector<Sent> of_each(int first, Make make) {
        std::vector<Sent> all;
        for (int round = first; round < first + kAtOnce; ++round)
            all.push_back(make(key_of(round)));
        return all;
    }
    struct Told {
        std::vector<std::string> one = std::vector<std::string>(kAtOnce);
        std::vector<std::string> other = std::vector<std::string>(kAtOnce);
    };
    Told race(std::vector<Sent> one, std::vector<Sent> other) {
        Told told;
        std::latch done(static_cast<std::ptrdiff_t>(one.size() + other.size()));
        one_->send(std::move(one), told.one, done);
        other_->send(std::move(other), told.other, done);
        done.wait();
        return told;
    }
    // Between two commits of the store.
    template <class Look>
    void look(Look what) {
        std::latch done(1);
        PAWL_ASSERT(writer_->submit([&](sqlite::Engine& engine) {
            what(engine);
            done.count_down();
        }));
        done.wait();
    }

    sqlite::ScratchFolder folder_;
    store::conformance::HandClock clock_;  // the store's; the loops have the system's
    SystemEntropy entropy_;
    std::unique_ptr<sqlite::Writer> writer_;
    std::optional<LoopThread> one_;
    std::optional<LoopThread> other_;
};

// L3, field cases 37 and X18.
TEST_F(FlowRaces, PaymentAgainstTimeoutHasExactlyOneWinner) {
    int paid = 0;
    for (int first = 0; first < kRounds; first += kAtOnce) {
        race(of_each(first, creation), {});
        clock_.pass(15min);
        // Either may have the start of the other.
        const bool payments_first = first / kAtOnce % 2 == 0;
        auto payments = of_each(first, payment);
        auto expiries = of_each(first, expiry);
        Told told = payments_first ? race(std::move(payments), std::move(expiries))
                                   : race(std::move(expiries), std::move(payments));
        if (!payments_first) std::swap(told.one, told.other);
        look([&](sqlite::Engine& engine) {
            for (int i = 0; i < kAtOnce; ++i) {
                const std::string key = key_of(first + i);
                const auto entity = engine.load(by_key(key)).value().entity;
                const auto rows = engine.history(by_key(key), 0, 10).value();
                const auto at = static_cast<std::size_t>(i);
                ASSERT_TRUE(entity);
                const bool was_paid = entity->state == "paid";
                paid += was_paid ? 1 : 0;
                ASSERT_EQ(rows.size(), was_paid ? 2U : 3U) << key;
                ASSERT_EQ(told.one[at], was_paid ? "applied paid" : "applied cancelled") << key;
                ASSERT_EQ(told.other[at], was_paid ? "ignored " : "applied cancelled") << key;
                ASSERT_EQ(rows.back().sagas.size(), was_paid ? 0U : 1U) << key;
            }
            ASSERT_EQ(engine.level("acme", flow::sku("A")).value()->sold, paid);
        });
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(paid, 0);
    EXPECT_LT(paid, kRounds);
}

// Field case 29: nothing sweeps here, so that only their meeting in the store joins the two.
TEST_F(FlowRaces, AnEarlyFactAndItsOrderNeverMissEachOther) {
    int parked = 0;
    for (int first = 0; first < kRounds; first += kAtOnce) {
        const Told told = race(of_each(first, creation), of_each(first, payment));
        for (const std::string& one : told.one) ASSERT_TRUE(one.starts_with("applied")) << one;
        for (const std::string& one : told.other) parked += one.starts_with("parked") ? 1 : 0;
        // A fact that its order has woken is sent again beside its answer.
        for (bool waits = true; waits;)
            look([&](sqlite::Engine& engine) { waits = !engine.waiting(0, 1).value().empty(); });
        look([&](sqlite::Engine& engine) {
            for (int round = first; round < first + kAtOnce; ++round) {
                const auto entity = engine.load(by_key(key_of(round))).value().entity;
                ASSERT_TRUE(entity);
                ASSERT_EQ(entity->state, "paid") << key_of(round);
                ASSERT_EQ(entity->version, 2U);
            }
        });
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(parked, 0);
    EXPECT_LT(parked, kRounds);
}

}  // namespace
}  // namespace pawl::engine
