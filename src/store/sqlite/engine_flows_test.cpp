// SPDX-License-Identifier: Apache-2.0
// Flows in the batches of the engine: one flush with the records, and what one of them costs the others.
#include "core/flow/world_fixture.hpp"
#include "store/sqlite/engine_fixture.hpp"

namespace pawl::sqlite {
namespace {

using testing::ElementsAre;

class EngineFlows : public testing::Test {
  protected:
    EngineFlows() { start(*open_store({.path = std::string(kInMemory)})); }

    void start(StoreFile file) {
        auto started = Engine::start(std::move(file), hand_.clock(), hand_.loop().entropy());
        ASSERT_TRUE(started);
        engine_ = std::move(*started);
    }
    // As the file would be after somebody's hand.
    void change(const char* sql) {
        StoreFile file = std::move(*engine_).release();
        engine_.reset();
        ASSERT_EQ(file.connection.run(sql), 0) << file.connection.last_error();
        start(std::move(file));
    }
    store::FlowCommit creation(const std::string& id) {
        flow::Event event = flow::new_order();
        event.name = "create";
        event.now_ms = engine_->now_ms();
        auto decided = flow::create(machine_, {id, "acme", "B" + id}, event);
        return {.subject = {"acme", "order", id, "B" + id},
                .decision = std::get<flow::Bundle>(std::move(decided))};
    }
    std::vector<std::string> commit(std::vector<store::FlowCommit> commits) {
        std::vector<std::string> told;
        for (const auto& reply : engine_->commit_flows(commits))
            told.emplace_back(reply ? name_of(reply->outcome) : name_of(reply.error().code));
        return told;
    }
    std::uint64_t version(const std::string& id) {
        const auto loaded = engine_->load({"acme", "order", id, {}});
        return loaded && loaded->entity ? loaded->entity->version : 0;
    }

    store::conformance::HandLoop hand_;
    std::unique_ptr<Engine> engine_;
    flow::Machine machine_ = flow::Machine::compile(flow::order_flow()).value();
};

TEST_F(EngineFlows, RecordsAndFlowsThatWaitAreOneCommit) {
    const std::uint64_t before = engine_->meters().commits.value();
    const std::vector<record::Call> calls{claim_of(1), claim_of(2)};
    const std::vector<store::FlowCommit> flows{creation("1"), creation("2")};
    const BatchReplies replies = engine_->commit_batch({.calls = calls, .flows = flows});
    EXPECT_EQ(engine_->meters().commits.value(), before + 1);
    for (const auto& reply : replies.calls) EXPECT_EQ(reply->outcome, Outcome::acquired);
    for (const auto& reply : replies.flows) EXPECT_EQ(reply->version, 1U);
}

// It had written its entity when its step was refused: none of it stays, and the others do.
TEST_F(EngineFlows, OneThatCannotBeWrittenWholeIsUndoneAlone) {
    change(
        "CREATE TRIGGER refusal BEFORE INSERT ON flow_step WHEN (SELECT count(*) FROM flow_step) = "
        "1"
        " AND NOT EXISTS (SELECT 1 FROM flow_entity WHERE instr(name, CAST('B3' AS BLOB)) > 0)"
        " BEGIN SELECT RAISE(ABORT, 'no'); END");
    EXPECT_THAT(commit({creation("1"), creation("2"), creation("3")}),
                ElementsAre("applied", "internal", "applied"));
    EXPECT_EQ(version("1"), 1U);
    EXPECT_EQ(version("2"), 0U);
    EXPECT_EQ(version("3"), 1U);
    EXPECT_EQ(engine_->history({"acme", "order", "3", {}}, 0, 9)->size(), 1U);
}

TEST_F(EngineFlows, ARowThatCannotBeReadFailsWhoeverNeedsItAndNobodyElse) {
    EXPECT_THAT(commit({creation("1"), creation("2")}), ElementsAre("applied", "applied"));
    change("UPDATE flow_entity SET row = x'00' WHERE instr(name, CAST('B1' AS BLOB)) > 0");
    const auto loaded = engine_->load({"acme", "order", "1", {}});
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, Code::store_corrupt);
    EXPECT_THAT(loaded.error().text, testing::HasSubstr("such as an order's"));
    EXPECT_THAT(loaded.error().text, testing::HasSubstr("Put back a copy"));
    EXPECT_THAT(loaded.error().text, testing::Not(testing::HasSubstr("page")));
    store::FlowCommit renewal{
        .subject = {"acme", "order", "1", {}},
        .decision = flow::Renewal{1, "created", engine_->now_ms() + 1'000'000}};
    EXPECT_THAT(commit({renewal, creation("1"), creation("3")}),
                ElementsAre("store_corrupt", "store_corrupt", "applied"));
    EXPECT_EQ(version("2"), 1U);
}

TEST_F(EngineFlows, ErrandsAreWrittenWithTheFlowsThatWait) {
    const std::uint64_t before = engine_->meters().commits.value();
    const std::vector<store::FlowCommit> flows{creation("1")};
    const std::vector<store::Errand> errands{store::ExtendWindow{{1, 1}, 5},
                                             store::OpenSink{"sink", false}};
    const BatchReplies replies = engine_->commit_batch({.flows = flows, .errands = errands});
    EXPECT_EQ(engine_->meters().commits.value(), before + 1);
    EXPECT_EQ(replies.flows.at(0)->version, 1U);
    EXPECT_TRUE(replies.errands.at(0) && replies.errands.at(1));
    EXPECT_TRUE(engine_->unsent("sink", 9)->known);
}

// Those that go through many rows go past it; what cannot be read may be an event that was never sent, and is a
// person's.
TEST_F(EngineFlows, AnErrandThatNeedsADamagedRowFailsAlone) {
    EXPECT_THAT(commit({creation("1"), creation("2")}), ElementsAre("applied", "applied"));
    change("UPDATE flow_step SET outgoing = 1, row = x'00' WHERE number = 1");
    change("INSERT INTO flow_saga (key, state, next_ms, row) VALUES (x'01', 0, 0, x'00')");
    const std::vector<store::Errand> errands{
        store::OpenSink{"sink", true},
        store::Delivered{"sink", {{.number = 1, .kind = store::Delivery::Kind::again}}},
        store::Retire{9, 0}, store::SagaMove{.number = 1}, store::ExtendWindow{{1, 1}, 5}};
    std::vector<std::string> told;
    for (const auto& reply : engine_->commit_errands(errands))
        told.emplace_back(reply ? "carried out" : name_of(reply.error().code));
    EXPECT_THAT(told, ElementsAre("carried out", "carried out", "carried out", "store_corrupt",
                                  "carried out"));
    EXPECT_TRUE(engine_->unsent("sink", 9)->rows.empty());
    EXPECT_EQ(engine_->parked("sink", 9)->size(), 1U);
    EXPECT_THAT(commit({creation("3")}), ElementsAre("applied"));
}

// The rule in code, and the same once more.
TEST_F(EngineFlows, TheFileItselfHoldsNoStockBelowZero) {
    StoreFile file = std::move(*engine_).release();
    engine_.reset();
    EXPECT_NE(file.connection.run("INSERT INTO stock_level VALUES (x'00', -1, 0, 0)"), 0);
    EXPECT_EQ(file.connection.run("INSERT INTO stock_level VALUES (x'00', 0, 0, 0)"), 0);
}

TEST_F(EngineFlows, AnAnswerLargerThanTheStoreTakesFailsAlone) {
    store::FlowCommit large = creation("1");
    large.request.emplace();
    large.request->claim = claim_of(1);
    large.request->answer.body = std::string(kAnswerBytesMax + 1, 'x');
    EXPECT_THAT(commit({large, creation("2")}), ElementsAre("limited", "applied"));
    EXPECT_EQ(version("1"), 0U);
    large.request->answer.body.pop_back();
    EXPECT_THAT(commit({large}), ElementsAre("applied"));
}

}  // namespace
}  // namespace pawl::sqlite
