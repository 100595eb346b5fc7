// SPDX-License-Identifier: Apache-2.0
// The fixture of the suite of flows: the order of the documentation, decisions by the production transition on
// what the store shows, and what came of a commit in words: "applied 2", "lost version", "unavailable".
#pragma once

#include "core/flow/world_fixture.hpp"
#include "runtime/task/group.hpp"
#include "store/conformance/flow_rig.hpp"
#include "store/conformance/suite.hpp"

namespace pawl::store::conformance {

using flow::Event;
using flow::new_order;
using flow::payment;
using flow::sku;

class FlowSuite : public testing::TestWithParam<FlowStoreUnderTest> {
  protected:
    FlowRig& rig() { return *rig_; }
    void SetUp() override { rig_ = GetParam().make(); }

    static FlowSubject by_id(std::string id) { return {"acme", "order", std::move(id), {}}; }
    static FlowSubject by_key(std::string key) { return {"acme", "order", {}, std::move(key)}; }
    template <class T>
    T run(Task<Result<T>> task) {
        return rig_->hand().run(std::move(task)).value();
    }
    std::optional<flow::Entity> load(FlowSubject subject) {
        return run(rig_->flows().load(std::move(subject))).entity;
    }
    flow::Entity entity(std::string id) { return load(by_id(std::move(id))).value(); }
    std::vector<FlowStep> history(std::string id, std::uint64_t after = 0, std::size_t limit = 99) {
        return run(rig_->flows().history(by_id(std::move(id)), after, limit));
    }
    stock::Level level(const std::string& code) {
        return run(rig_->flows().level("acme", sku(code))).value_or(stock::Level{});
    }
    std::vector<WaitingEntry> waiting(std::uint64_t after = 0, std::size_t limit = 99) {
        return run(rig_->flows().waiting(after, limit));
    }
    std::vector<AttentionEntry> attention(std::uint64_t after = 0, std::size_t limit = 99) {
        return run(rig_->flows().attention(after, limit));
    }
    std::string close(std::uint64_t number, std::string by, std::string why,
                      ClosedAs as = ClosedAs::settled) {
        const auto closed = rig_->hand().run(
            rig_->flows().close_attention({number, std::move(by), std::move(why), as}));
        if (!closed) return std::string(name_of(closed.error().code));
        if (*closed == Closing::taken) return "taken";
        return *closed == Closing::closed ? "closed" : "somebody else";
    }
    std::optional<Stored> record(int key) { return run(rig_->records().read(identity(key))); }

    static flow::Request request(int key, std::uint64_t attempt = 1, std::string body = "done") {
        record::Claim claim;
        claim.identity = identity(key);
        claim.claim = claim_id(attempt);
        claim.fingerprint = sha256("body");
        claim.rule = sha256("rule");
        claim.owner = {"node-a:8080", 1};
        claim.lease_ms = kLeaseMs;
        claim.keep = {kResultMs, kKeyMs};
        claim.tenant = "acme";
        claim.operation = "order";
        claim.key_label = "key-" + std::to_string(key);
        return {std::move(claim), answer(std::move(body))};
    }

    // What the engine would commit, decided on what the store shows now.
    FlowCommit creation(std::string id, std::string key = {}, Event event = new_order()) {
        event.name = "create";
        event.now_ms = rig_->now_ms();
        const flow::Creation made{id, "acme", key};
        return to_commit(flow::create(machine_, made, event),
                         {"acme", "order", std::move(id), std::move(key)}, event);
    }
    FlowCommit fact_without_order(std::string key, Event event) {
        event.now_ms = rig_->now_ms();
        const flow::Creation made{{}, "acme", key};
        return to_commit(flow::without_entity(machine_, made, event), by_key(std::move(key)),
                         event);
    }
    FlowCommit step(const std::string& id, Event event, flow::Circumstances known = {}) {
        if (event.now_ms == 0) event.now_ms = rig_->now_ms();
        if (known.probed == flow::Probed::not_yet) known.probed = flow::Probed::unpaid;
        const flow::Entity now = entity(id);
        return to_commit(flow::transition(machine_, now, event, known), by_id(id), event);
    }
    FlowCommit step(const std::string& id, std::string name) {
        return step(id, Event{.name = std::move(name), .caller = "ann"});
    }
    static Event fact(std::string name) {
        return {.name = std::move(name), .sender = flow::Sender::callback};
    }
    FlowCommit fire(const std::string& id, const std::string& deadline, std::string event,
                    std::int64_t at_ms = 0) {
        return step(id, Event{.name = std::move(event),
                              .sender = flow::Sender::timer,
                              .deadline = deadline,
                              .now_ms = at_ms});
    }
    FlowCommit stock_set(const std::string& code, std::int64_t total, int key) {
        return {.subject = {.tenant = "acme"},
                .decision = StockChange{sku(code), StockChange::Kind::set, total},
                .request = request(key)};
    }
    static FlowCommit with(FlowCommit commit, flow::Request request) {
        commit.request = std::move(request);
        return commit;
    }
    // A fact that waits, sent again as the engine does.
    FlowCommit again(const std::string& id, const flow::WaitingFact& fact) {
        FlowCommit commit = step(id, fact.event);
        commit.settles = fact;
        return commit;
    }

    Result<FlowReply> try_commit(FlowCommit commit) {
        return rig_->hand().run(rig_->flows().commit(std::move(commit)));
    }
    FlowReply commit(FlowCommit commit) { return try_commit(std::move(commit)).value(); }
    static std::string told(const Result<FlowReply>& reply) {
        if (!reply) return std::string(name_of(reply.error().code));
        const std::string outcome(name_of(reply->outcome));
        if (reply->lost) {
            const auto& verdict = reply->lost->verdict;
            return outcome + " " + std::string(flow::name_of(reply->lost->why)) +
                   (verdict ? " " + std::string(record::name_of(verdict->outcome)) : "");
        }
        return outcome + " " + std::to_string(reply->version);
    }
    std::string outcome(FlowCommit commit) { return told(try_commit(std::move(commit))); }
    // Sent in one go, so that a store may write them together; in the order in which they were sent.
    std::vector<Result<FlowReply>> commit_all(std::vector<FlowCommit> commits) {
        std::vector<std::optional<Result<FlowReply>>> replies(commits.size());
        TaskGroup group(rig_->hand().loop());
        std::size_t answered = 0;
        for (std::size_t i = 0; i < commits.size(); ++i)
            group.spawn([](Flows& flows, FlowCommit sent, std::optional<Result<FlowReply>>& reply,
                           std::size_t& count) -> Task<void> {
                reply.emplace(co_await flows.commit(std::move(sent)));
                ++count;
            }(rig_->flows(), std::move(commits[i]), replies[i], answered));
        rig_->hand().run_until([&] { return answered == replies.size(); });
        std::vector<Result<FlowReply>> all;
        for (auto& reply : replies) all.push_back(std::move(*reply));
        return all;
    }
    // An order with business key B<id>, and stock for it.
    void ordered(const std::string& id) { EXPECT_EQ(outcome(creation(id, "B" + id)), "applied 1"); }
    void stocked(std::int64_t total = 10) {
        EXPECT_EQ(outcome(stock_set("A", total, 9'000)), "applied 0");
    }

  private:
    static FlowCommit to_commit(flow::Decision decision, FlowSubject subject, Event event) {
        FlowCommit commit{.subject = std::move(subject), .decision = Answered{}};
        std::visit(
            [&](auto& one) {
                using One = std::remove_cvref_t<decltype(one)>;
                if constexpr (std::is_constructible_v<decltype(commit.decision), One> &&
                              !std::is_same_v<One, flow::Repeat> &&
                              !std::is_same_v<One, flow::Present> &&
                              !std::is_same_v<One, flow::Ask>)
                    commit.decision = std::move(one);
            },
            decision);
        if (auto* told = std::get_if<flow::Arbitration>(&commit.decision);
            told != nullptr && !told->event)
            told->event = std::move(event);
        return commit;
    }

    std::unique_ptr<FlowRig> rig_;
    flow::Machine machine_ = flow::Machine::compile(flow::order_flow()).value();
};

}  // namespace pawl::store::conformance
