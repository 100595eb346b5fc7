// SPDX-License-Identifier: Apache-2.0
// For the tests of this folder: one node's engine over a simulated store, with a clock that is moved by hand.
#pragma once

#include <gtest/gtest.h>

#include "core/flow/world_fixture.hpp"
#include "engine/committer.hpp"
#include "engine/desk.hpp"
#include "store/conformance/rig.hpp"
#include "store/memory/memory_flows.hpp"
#include "store/memory/simulated_flows.hpp"
#include "store/memory/simulated_records.hpp"

namespace pawl::engine {

using namespace std::chrono_literals;
using flow::sku;
using store::Fault;
using store::conformance::HandLoop;

struct CountedIds final : Ids {
    std::int64_t last = 1'000;
    bool are_away = false;
    Task<Result<std::string>> next() override {
        if (are_away) co_return fail(Code::unavailable, "no id", {}, "ids");
        co_return std::to_string(++last);
    }
};

struct ToldInquiry final : Inquiry {
    Finding finding{.probed = flow::Probed::unpaid};
    int asked = 0;
    std::function<void()> while_asked = [] {};
    Loop* loop = nullptr;  // set: takes a while
    Task<Finding> ask(flow::Probe, flow::Entity, MonotonicTime) override {
        ++asked;
        if (loop != nullptr) co_await loop->sleep_for(500ms);
        while_asked();
        co_return finding;
    }
};

struct ToldObserver final : Observer {
    std::vector<std::string> told;
    int contended_count = 0;
    int paced_count = 0;
    void decided(const Sent& sent, const Outcome& outcome) override {
        told.push_back(sent.event.name + " " + std::string(name_of(outcome.told)));
    }
    void contended(const store::FlowSubject&) override { ++contended_count; }
    void paced(const timer::Plan&) override { ++paced_count; }
};

// The order of the documentation, with an event that changes nothing but the version.
inline flow::Definition touched_order() {
    flow::Definition flow = flow::order_flow();
    flow::EventRule touch = flow::event(
        "touch", {"created", "paying", "reserved", "paid", "shipped"}, std::string(flow::kSame));
    flow.events.push_back(touch);
    return flow;
}

class EngineTest : public testing::Test {
  protected:
    explicit EngineTest(flow::Definition definition = touched_order(), std::uint64_t seed = 1)
        : hand_(seed) {
        machines_ = std::make_shared<const Machines>(
            std::vector{flow::Machine::compile(std::move(definition)).value()});
        desk_.send_through(committer_);
        committer_.reload(machines_);
    }
    ~EngineTest() override {
        server_.set_carry_plan({});
        server_.set_profile({});
        hand_.pass(2min);
    }

    template <class T>
    T run(Task<T> task) {
        std::optional<T> result;
        boost::asio::co_spawn(hand_.loop().executor(), std::move(task),
                              [&result](std::exception_ptr error, T value) {
                                  PAWL_ASSERT(!error);
                                  result.emplace(std::move(value));
                              });
        hand_.poll();
        for (int step = 0; !result && step < 100'000; ++step) hand_.pass(1ms);
        PAWL_ASSERT(result.has_value());
        return std::move(*result);
    }
    void settle(std::chrono::milliseconds time = 50ms) {
        for (std::int64_t ms = 0; ms < time.count(); ++ms) hand_.pass(1ms);
    }

    static store::FlowSubject by_key(const std::string& key) { return {"acme", "order", {}, key}; }
    record::Claim claim(const std::string& key, const std::string& body = {}) {
        record::Claim claim;
        claim.identity = sha256(key);
        claim.fingerprint = sha256(body);
        claim.lease_ms = 30'000;
        claim.keep = {1'000'000'000, 2'000'000'000};
        claim.tenant = "acme";
        return claim;
    }
    static Sent creation(const std::string& key, std::int64_t quantity = 1) {
        Sent sent{.subject = by_key(key), .event = flow::new_order({{sku("A"), quantity}})};
        sent.creates = true;
        return sent;
    }
    static Sent request(const std::string& key, std::string event) {
        return {.subject = by_key(key), .event = {.name = std::move(event), .caller = "ann"}};
    }
    static Sent payment(const std::string& key, std::string transaction,
                        std::string amount = "12.5") {
        return {.subject = by_key(key),
                .event = flow::payment(std::move(transaction), std::move(amount))};
    }
    static Sent fact(const std::string& key, std::string event) {
        return {.subject = by_key(key),
                .event = {.name = std::move(event), .sender = flow::Sender::callback}};
    }
    Sent timer(const std::string& key, const std::string& deadline, std::string event) {
        return {.subject = by_key(key),
                .event = {
                    .name = std::move(event), .sender = flow::Sender::timer, .deadline = deadline}};
    }
    Sent keyed(Sent sent, const std::string& key, const std::string& body = {}) {
        sent.claim = claim(key, body);
        return sent;
    }

    Result<Outcome> send(Sent sent) { return run(committer_.send(std::move(sent))); }
    // "applied paid", "refused out_of_stock", "repeated", or the code of an error.
    static std::string told(const Result<Outcome>& outcome) {
        if (!outcome) return std::string(name_of(outcome.error().code));
        std::string text(name_of(outcome->told));
        if (outcome->told == Told::applied) text += " " + outcome->to;
        if (outcome->refusal) text += " " + std::string(flow::name_of(outcome->refusal->reason));
        return text;
    }
    std::string say(Sent sent) { return told(send(std::move(sent))); }

    std::optional<flow::Entity> entity(const std::string& key) {
        return flows_shelf_.load(by_key(key)).value().entity;
    }
    std::string state(const std::string& key) {
        const auto one = entity(key);
        return one ? one->state : "";
    }
    std::uint64_t version(const std::string& key) {
        const auto one = entity(key);
        return one ? one->version : 0;
    }
    std::vector<store::FlowStep> history(const std::string& key) {
        return flows_shelf_.history(by_key(key), 0, 1'000).value();
    }
    stock::Level level() {
        return flows_shelf_.level("acme", sku("A")).value().value_or(stock::Level{});
    }
    std::size_t waiting() { return flows_shelf_.waiting(0, 10'000).value().size(); }
    std::size_t attention() { return flows_shelf_.attention(0, 10'000).value().size(); }
    void stock_up(std::int64_t total) {
        const auto set =
            run(committer_.change_stock("acme", {sku("A"), store::StockChange::Kind::set, total},
                                        claim("stock " + std::to_string(++stocked_))));
        ASSERT_TRUE(set);
    }
    // Somebody else's event, past all faults, between a judgement and its commit.
    void meddle(const std::string& key) {
        const auto found = flows_shelf_.load(by_key(key)).value();
        flow::Event event{.name = "touch", .caller = "bob"};
        event.now_ms = found.now_ms;
        const auto decided = flow::transition(*machines_->find("order"), *found.entity, event);
        const store::FlowCommit commit{by_key(key), std::get<flow::Bundle>(decided)};
        PAWL_ASSERT(flows_shelf_.commit_flows({&commit, 1}).front()->outcome ==
                    store::FlowOutcome::applied);
    }
    // The next commits fare so; those after them well.
    void plan(std::vector<Fault> faults) {
        server_.set_carry_plan(
            [faults, at = std::size_t{0}](std::uint64_t) mutable -> std::optional<Fault> {
                return at < faults.size() ? faults[at++] : Fault::none;
            });
    }

    HandLoop hand_;
    store::MemoryShelf shelf_{hand_.clock()};
    store::MemoryFlows flows_shelf_{shelf_};
    store::SimulatedServer server_{hand_.loop(), shelf_};
    store::SimulatedFlows flows_{server_, flows_shelf_, hand_.loop()};
    store::SimulatedRecords records_{server_, hand_.loop()};
    CountedIds ids_;
    ToldInquiry inquiry_;
    ToldObserver observer_;
    Desk desk_{hand_.loop(), observer_};
    std::shared_ptr<const Machines> machines_ = std::make_shared<const Machines>();
    Committer committer_{{hand_.loop(), flows_, inquiry_, ids_, desk_, &records_}, machines_};
    int stocked_ = 0;
};

}  // namespace pawl::engine
