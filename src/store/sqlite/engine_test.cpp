// SPDX-License-Identifier: Apache-2.0
// What the suite for all stores cannot see: batches with a bad call, rows that cannot be read, restores, and
// how generations come and go under it all.
#include "store/sqlite/engine_fixture.hpp"

#include "store/sqlite/simulated_disk.hpp"

namespace pawl::sqlite {
namespace {

class EngineTest : public testing::Test {
  protected:
    void SetUp() override { start({}); }
    void start(EngineOptions options) {
        auto file = open_store(file_);
        ASSERT_TRUE(file) << describe(file.error());
        auto engine = Engine::start(std::move(*file), clock_, entropy_, std::move(options));
        ASSERT_TRUE(engine) << describe(engine.error());
        engine_ = std::move(*engine);
    }
    void restart(EngineOptions options = {}) {
        engine_.reset();
        start(std::move(options));
    }
    // Changes the file behind the engine's back, while it is closed.
    void tamper(const std::string& sql, EngineOptions options = {}) {
        engine_.reset();
        Connection connection;
        ASSERT_EQ(connection.open(file_.path, Connection::Access::write, file_.vfs), 0);
        ASSERT_EQ(connection.run(sql.c_str()), 0) << connection.last_error();
        connection.close();
        start(std::move(options));
    }
    std::int64_t count(const std::string& sql) {
        Connection connection;
        EXPECT_EQ(connection.open(file_.path, Connection::Access::read, file_.vfs), 0);
        return std::stoll(connection.ask(sql).value_or("-1"));
    }
    Reply apply(const record::Call& call) {
        auto reply = commit_one(*engine_, call);
        EXPECT_TRUE(reply) << describe(reply.error());
        return std::move(*reply);
    }
    Outcome outcome(const record::Call& call) { return apply(call).outcome; }
    void complete(int key, const std::string& body = "done") {
        const Reply claimed = apply(claim_of(key, engine_->boot()));
        ASSERT_EQ(outcome(complete_of(claimed.row, body)), Outcome::stored);
    }
    void index_all() {
        while (engine_->tend()) {
        }
    }
    store::SweepReport sweep_all(std::size_t limit = 100) {
        store::SweepReport sum;
        for (store::SweepReport report{.more = true}; report.more;) {
            report = *engine_->sweep(limit);
            sum.removed += report.removed;
            sum.buried += report.buried;
        }
        return sum;
    }

    SimulatedDisk disk_{"engine_test", 1};
    FileOptions file_{.path = "pawl.db", .synchronous = "full", .vfs = disk_.vfs()};
    store::conformance::HandClock clock_;
    SeededEntropy entropy_{1};
    std::unique_ptr<Engine> engine_;
};

constexpr EngineOptions small() {
    EngineOptions options;
    options.generation.records = 10;
    return options;
}

TEST_F(EngineTest, ACallThatIsTooLargeIsRefusedAloneInItsBatch) {
    const Reply first = apply(claim_of(1));
    const Reply second = apply(claim_of(2));
    const std::vector<record::Call> batch{
        complete_of(first.row, std::string(kAnswerBytesMax + 1, 'x')),
        complete_of(second.row, std::string(kAnswerBytesMax, 'x')), claim_of(3)};
    const auto results = engine_->commit(batch);
    ASSERT_FALSE(results[0]);
    EXPECT_EQ(results[0].error().code, Code::limited);
    EXPECT_EQ(results[1]->outcome, Outcome::stored);
    EXPECT_EQ(results[2]->outcome, Outcome::acquired);
    EXPECT_EQ(engine_->read(identity_of(1)).value()->row.state, State::in_progress);
}

// protocol rule 14
TEST_F(EngineTest, ARowThatCannotBeReadIsUncertainAndLeavesItsBatchAlone) {
    complete(1);
    complete(2);
    tamper(
        "UPDATE record SET row = CAST(substr(row, 1, 60) || zeroblob(200) AS BLOB) WHERE id = "
        "4294967297");
    const std::vector<record::Call> batch{claim_of(1, 1, 2), claim_of(2, 1, 2), claim_of(3)};
    const auto results = engine_->commit(batch);
    EXPECT_EQ(results[0]->outcome, Outcome::uncertain);
    EXPECT_EQ(results[1]->outcome, Outcome::replay);
    EXPECT_EQ(results[2]->outcome, Outcome::acquired);
    EXPECT_EQ(engine_->totals()->uncertain, 1U);
    // A person who knows better ends it by naming fence 0.
    record::Settle word;
    word.identity = identity_of(1);
    word.basis = record::Basis::forced;
    EXPECT_EQ(outcome(word), Outcome::freed);
    EXPECT_EQ(outcome(claim_of(1, 1, 3)), Outcome::acquired);
}

TEST_F(EngineTest, AStoreWithARecordOfNobodyIsNotServed) {
    complete(1);
    engine_.reset();
    Connection connection;
    ASSERT_EQ(connection.open(file_.path, Connection::Access::write, file_.vfs), 0);
    ASSERT_EQ(connection.run("UPDATE record SET row = x'0102'"), 0);
    connection.close();
    const auto engine = Engine::start(std::move(*open_store(file_)), clock_, entropy_);
    ASSERT_FALSE(engine);
    EXPECT_EQ(engine.error().code, Code::store_corrupt);
}

// R4: never another caller's body
TEST_F(EngineTest, AnAnswerThatIsNotTheRowsOwnIsNotReplayed) {
    complete(1, "first");
    complete(2, "other");
    tamper("UPDATE answer SET answer = (SELECT answer FROM answer ORDER BY id DESC LIMIT 1)");
    const Reply repeat = apply(claim_of(1, 1, 2));
    EXPECT_EQ(repeat.outcome, Outcome::expired);
    EXPECT_FALSE(repeat.answer);
    EXPECT_EQ(apply(claim_of(2, 1, 2)).answer->body, "other");
}

TEST_F(EngineTest, ABatchThatIsRolledBackLeavesNothingInMemory) {
    const std::vector<record::Call> batch{claim_of(1), claim_of(2)};
    Connection other;
    ASSERT_EQ(other.open(file_.path, Connection::Access::write, file_.vfs), 0);
    ASSERT_EQ(other.run("BEGIN IMMEDIATE"), 0);
    for (const auto& result : engine_->commit(batch)) {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, Code::unavailable);
    }
    ASSERT_EQ(other.run("ROLLBACK"), 0);
    EXPECT_EQ(engine_->totals()->in_progress, 0U);
    EXPECT_FALSE(engine_->read(identity_of(1)).value());
    EXPECT_EQ(outcome(claim_of(1)), Outcome::acquired);
}

TEST_F(EngineTest, ARestoredStoreGivesOutFencesOfTheNextEpoch) {
    complete(1, "before");
    const record::Fence before = apply(claim_of(2)).row.fence;
    EngineOptions options;
    options.restored = true;
    restart(options);
    const record::Fence after = apply(claim_of(3)).row.fence;
    EXPECT_EQ(after.number >> 48, 1U);
    EXPECT_EQ(after.number & 0xFFFF'FFFF'FFFFU, before.number + 1);
    EXPECT_EQ(apply(claim_of(1, 1, 2)).answer->body, "before");
}

class FullDisk : public EngineTest {
  protected:
    // What the log has grown to before may still be written over, so this takes a few claims.
    void fill() {
        disk_.set_room(1);
        for (bool refused = false; !refused;) {
            ASSERT_LT(next_, 2'000);
            const auto claimed = commit_one(*engine_, claim_of(next_++));
            refused = !claimed;
            if (refused) EXPECT_EQ(claimed.error().code, Code::store_full);
        }
    }

  private:
    int next_ = 1'000;
};

TEST_F(FullDisk, IsToldFromTheFirstRefusalUntilAWriteSucceeds) {
    complete(1, "before");
    const Reply waiting = apply(claim_of(2));
    disk_.set_room(1);
    EXPECT_TRUE(engine_->probe()) << "nothing was refused yet";
    fill();
    for (int look = 0; look < 2; ++look) {
        const Status red = engine_->probe();
        ASSERT_FALSE(red);
        EXPECT_EQ(red.error().code, Code::store_full);
    }
    // What needs no room is answered all the same, and does not hide it.
    EXPECT_EQ(apply(claim_of(1, 1, 2)).answer->body, "before");
    EXPECT_FALSE(engine_->probe());
    disk_.set_room(std::nullopt);
    EXPECT_TRUE(engine_->probe());
    EXPECT_EQ(outcome(complete_of(waiting.row, "late")), Outcome::stored);
    EXPECT_EQ(outcome(claim_of(3)), Outcome::acquired);
}

TEST_F(FullDisk, ThatTakesWritesAgainIsProbedOnce) {
    fill();
    disk_.set_room(std::nullopt);
    EXPECT_TRUE(engine_->probe());
    EXPECT_EQ(count("SELECT count(*) FROM answer"), 0);
    const std::uint64_t operations = disk_.operations();
    EXPECT_TRUE(engine_->probe());
    EXPECT_EQ(disk_.operations(), operations);
}

// What is left may take a claim and not the answer after it.
TEST_F(FullDisk, IsToldWhileOnlySmallWritesFit) {
    fill();
    for (std::size_t room = 4'096; !commit_one(*engine_, claim_of(1)); room += 4'096) {
        ASSERT_LT(room, std::size_t{10} << 20);
        disk_.set_room(room);
    }
    const Status red = engine_->probe();
    ASSERT_FALSE(red);
    EXPECT_EQ(red.error().code, Code::store_full);
}

// Nobody waits for a note.
TEST_F(FullDisk, ThatRefusesANoteIsToldAsWell) {
    complete(1);
    disk_.set_room(1);
    ASSERT_TRUE(engine_->probe());
    for (int tries = 0; tries < 1'000 && engine_->probe(); ++tries) {
        engine_->note({.identity = identity_of(1), .step = "replay"});
        engine_->tend();
    }
    EXPECT_FALSE(engine_->probe());
    disk_.set_room(std::nullopt);
    EXPECT_TRUE(engine_->probe());
}

// As the release before `forgotten` left it.
TEST_F(EngineTest, AStoreOfTheFirstSchemaIsBroughtUpToDateAndServed) {
    complete(1, "before");
    tamper(
        "DROP TABLE forgotten; DROP TABLE stored; DROP TABLE flow_entity; DROP TABLE flow_step; "
        "DROP TABLE flow_fact; DROP TABLE flow_slot; DROP TABLE flow_saga; "
        "DROP TABLE flow_waiting; DROP TABLE flow_attention; DROP TABLE stock_level; "
        "DROP TABLE flow_sink; DROP TABLE flow_held; DROP TABLE id_window; "
        "DROP TABLE flow_about; "
        "PRAGMA user_version = 1");
    const Reply repeat = apply(claim_of(1, 1, 2));
    EXPECT_EQ(repeat.answer->body, "before");
    EXPECT_EQ(outcome(record::Forget{identity_of(1), repeat.row.fence, "why"}), Outcome::removed);
    EXPECT_EQ(engine_->timeline(identity_of(1)).value().size(), 1U);
}

// As the release before `meeting` left it: what nobody's entry is stays in the list, and goes as the others do.
TEST_F(EngineTest, EntriesOfBeforeTheyHadAnOrderStayInTheLists) {
    const store::FlowSubject order{"acme", "order", {}, "B1"};
    const auto told = [&](const std::string& reason) {
        const store::FlowCommit commit{
            .subject = order,
            .decision =
                flow::Arbitration{.kind = flow::Arbitration::Kind::attention, .reason = reason}};
        ASSERT_TRUE(engine_->commit_flows({&commit, 1}).front());
    };
    told("of before");
    tamper(
        "DROP INDEX flow_saga_open; DROP INDEX flow_attention_meeting; "
        "ALTER TABLE flow_attention DROP COLUMN meeting; PRAGMA user_version = 7");
    told("of now");
    const auto open = engine_->attention(0, 9).value();
    ASSERT_EQ(open.size(), 2U);
    const auto own = engine_->entries({.of = order}).value();
    ASSERT_EQ(own.size(), 1U);
    EXPECT_EQ(own[0].reason, "of now");
    const store::Errand close =
        store::CloseAttention{.number = open[0].number, .by = "ann", .why = "seen"};
    ASSERT_TRUE(engine_->commit_errands({&close, 1}).front());
    EXPECT_EQ(engine_->entries({}).value().at(0).reason, "of before");
    EXPECT_TRUE(engine_->look_at_sagas({}).value().empty());
}

TEST_F(EngineTest, AStoreThatLostItsMarkIsDamaged) {
    engine_.reset();
    Connection connection;
    ASSERT_EQ(connection.open(file_.path, Connection::Access::write, file_.vfs), 0);
    ASSERT_EQ(connection.run("DELETE FROM mark"), 0);
    connection.close();
    const auto engine = Engine::start(std::move(*open_store(file_)), clock_, entropy_);
    ASSERT_FALSE(engine);
    EXPECT_EQ(engine.error().code, Code::store_corrupt);
}

class Generations : public EngineTest {
  protected:
    void SetUp() override { start(small()); }
};

TEST_F(Generations, RecordsAreFoundWhateverGenerationTheyLieIn) {
    for (int key = 0; key < 95; ++key) {
        complete(key, "body " + std::to_string(key));
        if (key % 7 == 0) engine_->tend();
    }
    index_all();
    EXPECT_EQ(count("SELECT count(*) FROM generation WHERE state = 3"),
              count("SELECT count(*) FROM generation") - 1);
    EXPECT_GE(count("SELECT count(*) FROM generation"), 8);
    for (int round = 0; round < 2; ++round) {
        for (int key = 0; key < 95; ++key) {
            const Reply repeat = apply(claim_of(key, engine_->boot(), 2));
            ASSERT_EQ(repeat.outcome, Outcome::replay);
            ASSERT_EQ(repeat.answer->body, "body " + std::to_string(key));
            ASSERT_THAT(*engine_->find(store::LookUp::key, "key-" + std::to_string(key), 5),
                        testing::ElementsAre(identity_of(key)));
        }
        EXPECT_EQ(outcome(claim_of(500 + round)), Outcome::acquired);
        restart(small());
    }
}

// A kill at any step of sealing and indexing costs nothing.
TEST_F(Generations, AStartAfterAnyStepOfIndexingFindsEverything) {
    for (int steps = 0; steps < 12; ++steps) {
        for (int key = steps * 20; key < steps * 20 + 20; ++key) complete(key);
        for (int step = 0; step < steps; ++step) engine_->tend();
        restart(small());
        for (int key = 0; key < steps * 20 + 20; ++key)
            ASSERT_EQ(outcome(claim_of(key, engine_->boot(), 2)), Outcome::replay)
                << steps << " " << key;
    }
}

TEST_F(Generations, AFilterThatCannotBeReadOnlyCostsTime) {
    for (int key = 0; key < 30; ++key) complete(key);
    index_all();
    tamper("UPDATE generation SET filter = x'0102' WHERE state = 3", small());
    for (int key = 0; key < 30; ++key) ASSERT_EQ(outcome(claim_of(key, 1, 2)), Outcome::replay);
    EXPECT_EQ(outcome(claim_of(77)), Outcome::acquired);
}

TEST_F(Generations, ARecordOfAnOlderGenerationIsChangedWhereItLives) {
    for (int key = 0; key < 30; ++key) complete(key);
    const Reply freed = apply(claim_of(100));
    EXPECT_EQ(outcome(record::Release{identity_of(100), freed.row.claim, freed.row.fence}),
              Outcome::freed);
    for (int key = 30; key < 60; ++key) complete(key);
    index_all();
    const std::int64_t records = count("SELECT count(*) FROM record");
    const Reply again = apply(claim_of(100, engine_->boot(), 2));
    EXPECT_EQ(again.outcome, Outcome::acquired);
    EXPECT_EQ(count("SELECT count(*) FROM record"), records);
    EXPECT_EQ(count("SELECT count(*) FROM unresolved"), 1);
    restart(small());
    EXPECT_EQ(engine_->read(identity_of(100)).value()->row.state, State::uncertain);
    EXPECT_EQ(outcome(complete_of(again.row, "late")), Outcome::stored);
    EXPECT_EQ(count("SELECT count(*) FROM unresolved"), 0);
}

TEST_F(Generations, WhatMustStayMovesOnAndTheRestGoesWithItsGeneration) {
    for (int key = 0; key < 95; ++key) complete(key);
    const Reply waiting = apply(claim_of(200, engine_->boot()));
    EXPECT_EQ(outcome(record::Suspect{identity_of(200), waiting.row.claim, waiting.row.fence}),
              Outcome::suspected);
    engine_->note({.identity = identity_of(200), .step = "claim"});
    for (int key = 300; key < 395; ++key) complete(key);
    index_all();
    clock_.pass(3h);
    const auto report = sweep_all();
    EXPECT_EQ(report.removed, 190U);
    EXPECT_EQ(count("SELECT count(*) FROM record"), 1);
    EXPECT_EQ(count("SELECT count(*) FROM identity"), 0);
    EXPECT_EQ(count("SELECT count(*) FROM name"), 0);
    EXPECT_LE(count("SELECT count(*) FROM generation"), 2);
    EXPECT_EQ(engine_->read(identity_of(200)).value()->row.state, State::uncertain);
    EXPECT_EQ(engine_->timeline(identity_of(200)).value().size(), 1U);
    EXPECT_EQ(engine_->totals()->uncertain, 1U);
    EXPECT_THAT(*engine_->find(store::LookUp::key, "key-200", 5),
                testing::ElementsAre(identity_of(200)));
    EXPECT_EQ(outcome(claim_of(5)), Outcome::acquired);
    clock_.pass(12h);
    sweep_all();
    EXPECT_EQ(count("SELECT count(*) FROM answer"), 0);
    restart(small());
    EXPECT_EQ(outcome(complete_of(waiting.row, "late")), Outcome::stored);
}

// H1: growth is bounded; freed pages are used again
TEST_F(Generations, AStoreInSteadyUseDoesNotGrow) {
    std::int64_t pages = 0;
    for (int hour = 0; hour < 60; ++hour) {
        for (int key = hour * 100; key < hour * 100 + 100; ++key)
            complete(key, std::string(2'000, 'x'));
        index_all();
        clock_.pass(1h);
        sweep_all();
        if (hour == 30) pages = count("PRAGMA page_count");
    }
    EXPECT_LE(count("PRAGMA page_count"), pages * 11 / 10);
    EXPECT_LE(count("SELECT count(*) FROM record"), 500);
    EXPECT_LE(count("SELECT count(*) FROM answer"), 1'000);
}

}  // namespace
}  // namespace pawl::sqlite
