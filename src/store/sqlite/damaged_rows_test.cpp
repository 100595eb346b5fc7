// SPDX-License-Identifier: Apache-2.0
// Protocol rule 14 against a file: whatever byte of a stored row is damaged and wherever it is cut short, its
// key is never taken for a new one. Either the claim is answered from what can still be known, or the store
// does not start.
#include <fmt/format.h>

#include "runtime/codec/text.hpp"
#include "store/sqlite/engine_fixture.hpp"
#include "store/sqlite/row_frame.hpp"
#include "store/sqlite/simulated_disk.hpp"

namespace pawl::sqlite {
namespace {

constexpr int kDamaged = 1;
constexpr int kNeighbour = 2;

record::Answer answered() {
    record::Answer answer;
    answer.status = 201;
    return answer;
}

struct Case {
    std::string name;
    bool indexed = false;    // the record lies in a generation that is indexed on disk
    bool completed = false;  // else it waits, uncertain
};

class DamagedRow : public testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        start();
        for (const int key : {kDamaged, kNeighbour}) {
            const Reply claimed = apply(claim_of(key, engine_->boot()));
            if (key == kNeighbour || GetParam().completed)
                apply(complete_of(claimed.row, "done"));
            else
                apply(record::Suspect{identity_of(key), claimed.row.claim, claimed.row.fence});
        }
        if (GetParam().indexed) {
            for (int key = 100; key < 120; ++key) apply(claim_of(key, engine_->boot()));
            while (engine_->tend()) {
            }
            ASSERT_TRUE(engine_->catalog().is_ready(RecordId::of(1, 1)));
        }
        engine_.reset();
        frame_ = *from_hex(ask("SELECT lower(hex(row)) FROM record WHERE id = 4294967297"));
        ASSERT_GT(frame_.size(), kFrameHead);
    }
    Result<std::unique_ptr<Engine>> open() {
        EngineOptions options;
        options.generation.records = 10;
        return Engine::start(std::move(*open_store(file_)), clock_, entropy_, options);
    }
    void start() {
        auto engine = open();
        ASSERT_TRUE(engine) << describe(engine.error());
        engine_ = std::move(*engine);
    }
    std::string ask(const std::string& sql) {
        Connection connection;
        EXPECT_EQ(connection.open(file_.path, Connection::Access::write, file_.vfs), 0);
        return connection.ask(sql).value_or("");
    }
    void put(const std::string& frame) {
        ask(fmt::format("UPDATE record SET row = x'{}' WHERE id = 4294967297", to_hex(frame)));
    }
    Reply apply(const record::Call& call) {
        auto reply = commit_one(*engine_, call);
        EXPECT_TRUE(reply) << describe(reply.error());
        return std::move(*reply);
    }
    // Of a repeat, once the store has come up over `frame`; nullopt: it did not come up.
    std::optional<Outcome> outcome_over(const std::string& frame) {
        put(frame);
        auto engine = open();
        if (!engine) {
            EXPECT_EQ(engine.error().code, Code::store_corrupt);
            EXPECT_THAT(engine.error().text, testing::HasSubstr("4294967297"));
            return std::nullopt;
        }
        engine_ = std::move(*engine);
        const Outcome outcome = apply(claim_of(kDamaged, engine_->boot(), 2)).outcome;
        EXPECT_EQ(apply(claim_of(kNeighbour, engine_->boot(), 2)).outcome, Outcome::replay);
        engine_.reset();
        return outcome;
    }
    Outcome sound() const { return GetParam().completed ? Outcome::replay : Outcome::uncertain; }

    SimulatedDisk disk_{"damaged_rows_test", 1};
    FileOptions file_{.path = "pawl.db", .synchronous = "full", .vfs = disk_.vfs()};
    store::conformance::HandClock clock_;
    SeededEntropy entropy_{1};
    std::unique_ptr<Engine> engine_;
    std::string frame_;
};

class DamagedRecentRow : public DamagedRow {
  protected:
    // Of the frame: where its row says whose it is.
    std::size_t inner_name() const {
        const std::string_view row = std::string_view(frame_).substr(kFrameHead);
        return kFrameHead +
               static_cast<std::size_t>(record::identity_bytes(row).data() - row.data());
    }
    std::string flipped(std::initializer_list<std::size_t> places) const {
        std::string damaged = frame_;
        for (const std::size_t at : places) damaged[at] = static_cast<char>(damaged[at] ^ 1);
        return damaged;
    }
    void stays_uncertain_when_indexed(const std::string& frame) {
        put(frame);
        start();
        for (int key = 100; key < 120; ++key) apply(claim_of(key, engine_->boot()));
        while (engine_->tend()) {
        }
        ASSERT_TRUE(engine_->catalog().is_ready(RecordId::of(1, 1)));
        for (int round = 0; round < 2; ++round) {
            EXPECT_EQ(apply(claim_of(kDamaged, engine_->boot(), 2)).outcome, Outcome::uncertain);
            engine_.reset();
            start();
        }
    }
};

// Head and row name two; the index that is written knows both.
TEST_P(DamagedRecentRow, IsFoundByItsHeadOnceIndexed) {
    stays_uncertain_when_indexed(flipped({inner_name() + 5}));
}

TEST_P(DamagedRecentRow, IsFoundByItsRowOnceIndexed) {
    stays_uncertain_when_indexed(flipped({5, frame_.size() - 1, inner_name() + 40}));
}

class DamagedIndexedRow : public DamagedRow {};

TEST_P(DamagedRow, WithAnyByteChangedItsKeyIsNeverNew) {
    ASSERT_EQ(outcome_over(frame_), sound());
    for (std::size_t at = 0; at < frame_.size(); ++at) {
        for (const char flip : {'\x01', '\xff'}) {
            std::string damaged = frame_;
            damaged[at] = static_cast<char>(damaged[at] ^ flip);
            const auto outcome = outcome_over(damaged);
            ASSERT_TRUE(outcome) << "one byte does not hide whose row it is: " << at;
            ASSERT_TRUE(*outcome == Outcome::uncertain || *outcome == sound())
                << at << " " << name_of(*outcome);
        }
    }
}

TEST_P(DamagedRow, CutAtAnyLengthItsKeyIsNeverNew) {
    for (std::size_t size = 0; size < frame_.size(); ++size) {
        const auto outcome = outcome_over(frame_.substr(0, size));
        if (!outcome) {
            // Nothing else says whose it was.
            ASSERT_FALSE(GetParam().indexed) << size;
            ASSERT_LT(size, 32U);
            continue;
        }
        ASSERT_TRUE(*outcome == Outcome::uncertain || *outcome == sound())
            << size << " " << name_of(*outcome);
    }
}

// Identity and row damaged at once: nobody can tell whose it is, unless an index does.
TEST_P(DamagedRow, OfNobodyIsNotServed) {
    std::string damaged = frame_;
    std::fill(damaged.begin(), damaged.end(), '\0');
    const auto outcome = outcome_over(damaged);
    if (GetParam().indexed)
        EXPECT_EQ(outcome, Outcome::uncertain);
    else
        EXPECT_FALSE(outcome);
}

// A person who is to end it sees it, under the name that its caller's repeats are told.
TEST_P(DamagedIndexedRow, IsListedOnceSomebodyAskedForIt) {
    for (const std::size_t size : {frame_.size(), std::size_t{3}}) {
        put(std::string(size, '\0'));
        start();
        const auto before = engine_->totals()->uncertain;
        for (int round = 0; round < 2; ++round) {
            EXPECT_EQ(apply(claim_of(kDamaged, engine_->boot(), 2)).outcome, Outcome::uncertain);
            clock_.pass(1s);
        }
        const auto listed = engine_->unresolved({.older_than_ms = 2'000, .limit = 100}).value();
        EXPECT_EQ(std::ranges::count(listed, identity_of(kDamaged), &record::Row::identity), 1);
        EXPECT_EQ(engine_->totals()->uncertain, before + (GetParam().completed ? 1 : 0));
        engine_.reset();
    }
}

// It stays where its index finds it, however often its generation is emptied.
TEST_P(DamagedIndexedRow, IsNeverCleanedAway) {
    std::string damaged = frame_;
    std::fill(damaged.begin(), damaged.end(), '\0');
    put(damaged);
    start();
    for (int key = 100; key < 120; ++key) {
        const auto stored = engine_->read(identity_of(key)).value();
        apply(record::Complete{identity_of(key), stored->row.claim, stored->row.fence, answered()});
    }
    for (int round = 0; round < 3; ++round) {
        clock_.pass(48h);
        for (store::SweepReport report{.more = true}; report.more;) report = *engine_->sweep(100);
        EXPECT_EQ(apply(claim_of(kDamaged, engine_->boot(), 2)).outcome, Outcome::uncertain);
        engine_.reset();
        start();
    }
    EXPECT_EQ(apply(claim_of(kNeighbour, engine_->boot(), 2)).outcome, Outcome::acquired);
    // A person who knows better ends it.
    record::Settle word;
    word.identity = identity_of(kDamaged);
    word.basis = record::Basis::forced;
    EXPECT_EQ(apply(word).outcome, Outcome::freed);
    EXPECT_EQ(apply(claim_of(kDamaged, engine_->boot(), 3)).outcome, Outcome::acquired);
}

const auto kName = [](const auto& named) { return named.param.name; };
INSTANTIATE_TEST_SUITE_P(, DamagedRow,
                         testing::Values(Case{"CompletedInMemory", false, true},
                                         Case{"UncertainInMemory", false, false},
                                         Case{"CompletedIndexed", true, true},
                                         Case{"UncertainIndexed", true, false}),
                         kName);
INSTANTIATE_TEST_SUITE_P(, DamagedRecentRow, testing::Values(Case{"Completed", false, true}),
                         kName);
INSTANTIATE_TEST_SUITE_P(, DamagedIndexedRow,
                         testing::Values(Case{"Completed", true, true},
                                         Case{"Uncertain", true, false}),
                         kName);

TEST(DamagedFilter, WithAnyByteChangedOnlyCostsTime) {
    BloomFilter filter(40);
    for (int key = 0; key < 40; ++key) filter.add(identity_of(key));
    const std::string bytes = filter.bytes();
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ '\xff');
        EXPECT_FALSE(BloomFilter::from(damaged)) << at;
    }
    EXPECT_TRUE(BloomFilter::from(bytes));
}

// As earlier releases have written them.
TEST(DamagedFilter, WithoutASumIsRead) {
    BloomFilter filter(40);
    for (int key = 0; key < 40; ++key) filter.add(identity_of(key));
    std::string bytes = filter.bytes();
    bytes.resize(bytes.size() / 64 * 64);
    const auto read = BloomFilter::from(bytes);
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->may_contain(identity_of(7)));
}

}  // namespace
}  // namespace pawl::sqlite
