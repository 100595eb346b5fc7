// SPDX-License-Identifier: Apache-2.0
// Bits flip in any page of the store's file. No key that was acknowledged is ever taken for a new one, and nothing
// is bought whose result could not be written.
#include <fmt/format.h>

#include "store/sqlite/killed_store.hpp"
#include "store/sqlite/page_sums.hpp"

namespace pawl::sqlite {
namespace {

constexpr int kKeys = 160;
constexpr int kRounds = 24;
constexpr std::uint32_t kGeneration = 40;

class DamagedPages : public testing::Test {
  protected:
    void SetUp() override {
        auto engine = open();
        ASSERT_TRUE(engine) << describe(engine.error());
        told_.run(**engine, 0, kKeys);
        while ((*engine)->tend()) {
        }
        ASSERT_TRUE((*engine)->catalog().is_ready(RecordId::of(3, 1)));
        engine->reset();
        sound_ = bytes_of(path_);
        ASSERT_EQ(bytes_of(path_ + "-wal"), "");
    }
    Result<std::unique_ptr<Engine>> open() {
        auto file = open_store({.path = path_});
        if (!file) return fail(file.error());
        return Engine::start(std::move(*file), clock_, entropy_,
                             {.generation = {.records = kGeneration},
                              .on_fatal = [this](const Error& e) { fatal_.push_back(e); }});
    }
    void put(const std::string& bytes) {
        for (const char* beside : {"-wal", "-shm", "-suspect", "-fresh", "-fresh.part"})
            std::filesystem::remove(path_ + beside);
        put_bytes(path_, bytes);
        fatal_.clear();
    }
    std::size_t pages() const { return sound_.size() / kPageBytes; }
    std::string flipped(std::size_t page, SeededEntropy& dice) const {
        std::string damaged = sound_;
        for (std::uint64_t left = dice.below(3) + 1; left > 0; --left) {
            const std::size_t at = page * kPageBytes + dice.below(kPageBytes);
            damaged[at] = static_cast<char>(damaged[at] ^ 1 << dice.below(8));
        }
        return damaged;
    }
    // The pages of a table, from 0.
    std::vector<std::size_t> pages_of(const std::string& table) {
        put(sound_);
        Connection connection;
        EXPECT_EQ(connection.open(path_, Connection::Access::read), 0);
        Statement select =
            connection.prepare(fmt::format("SELECT pageno FROM dbstat WHERE name = '{}'", table));
        std::vector<std::size_t> found;
        while (select.step() == 100)
            found.push_back(static_cast<std::size_t>(select.integer(0)) - 1);
        EXPECT_FALSE(found.empty()) << table;
        return found;
    }

    ScratchFolder folder_;
    std::string path_ = folder_.path() + "/pawl.db";
    store::conformance::HandClock clock_;
    SeededEntropy entropy_{1};
    Told told_;
    std::vector<Error> fatal_;
    std::string sound_;
};

TEST_F(DamagedPages, NeverHideAKeyThatWasAcknowledged) {
    SeededEntropy dice(11);
    std::size_t refused = 0;
    std::size_t met = 0;
    for (std::size_t page = 0; page < pages(); ++page) {
        for (int round = 0; round < kRounds; ++round) {
            put(flipped(page, dice));
            auto engine = open();
            if (!engine) {
                ASSERT_EQ(engine.error().code, Code::store_corrupt) << describe(engine.error());
                ++refused;
                continue;
            }
            for (const auto& [key, body] : told_.completed) {
                const auto again = commit_one(**engine, claim_of(key, (*engine)->boot(), 2));
                if (!again) {
                    ++met;
                    continue;
                }
                ASSERT_FALSE(record::is_acquired(again->outcome))
                    << "page " << page << " key " << key;
                if (again->outcome == Outcome::replay) {
                    ASSERT_EQ(again->answer->body, body);
                }
                const auto seen = (*engine)->read(identity_of(key));
                if (seen) {
                    ASSERT_TRUE(seen->has_value()) << "page " << page << " key " << key;
                }
            }
        }
    }
    EXPECT_GT(refused, pages());
    EXPECT_GT(met, pages());
}

// R-CLAIM: an effect whose result cannot be written must not begin.
TEST_F(DamagedPages, OfAnswersSellNoClaim) {
    SeededEntropy dice(5);
    std::size_t stopped = 0;
    for (const std::size_t page : pages_of("answer")) {
        put(flipped(page, dice));
        auto engine = open();
        if (!engine) {
            EXPECT_EQ(engine.error().code, Code::store_corrupt);
            ++stopped;
            continue;
        }
        const auto claimed = commit_one(**engine, claim_of(1'000, (*engine)->boot()));
        if (claimed) {
            // Then its result finds its place.
            EXPECT_TRUE(commit_one(**engine, complete_of(claimed->row, "done")));
            continue;
        }
        ++stopped;
        EXPECT_EQ(claimed.error().code, Code::store_corrupt);
        ASSERT_EQ(fatal_.size(), 1U);
        EXPECT_EQ(fatal_.front().code, Code::store_corrupt);
        EXPECT_EQ(commit_one(**engine, claim_of(1'001)).error().code, Code::unavailable);
        engine->reset();
        const auto later = open();
        ASSERT_FALSE(later) << "a start that does not look at everything";
        EXPECT_EQ(later.error().code, Code::store_corrupt);
    }
    EXPECT_GT(stopped, 0U);
}

TEST_F(DamagedPages, StopTheStoreWhenAnEffectCannotBeRecorded) {
    SeededEntropy dice(6);
    std::size_t stopped = 0;
    for (const std::size_t page : pages_of("record")) {
        put(flipped(page, dice));
        auto engine = open();
        if (!engine) continue;
        for (int key = 0; key < kKeys && fatal_.empty(); ++key) {
            record::Row row;
            row.identity = identity_of(key);
            const auto stored = commit_one(**engine, complete_of(row, "done"));
            if (stored) continue;
            ++stopped;
            EXPECT_EQ(stored.error().code, Code::store_corrupt);
            EXPECT_EQ(fatal_.size(), 1U);
            EXPECT_EQ(commit_one(**engine, claim_of(1'000)).error().code, Code::unavailable);
        }
    }
    EXPECT_GT(stopped, 0U);
}

// A person's word about a record on a damaged page is refused, with the reason.
TEST_F(DamagedPages, RefuseAPersonsWordWithTheReason) {
    SeededEntropy dice(9);
    std::size_t refused = 0;
    for (const std::size_t page : pages_of("record")) {
        put(flipped(page, dice));
        auto engine = open();
        if (!engine) continue;
        for (int key = 0; key < kKeys; ++key) {
            record::Settle word;
            word.identity = identity_of(key);
            word.answer = record::Answer{};
            const auto said = commit_one(**engine, word);
            if (said) continue;
            ++refused;
            ASSERT_EQ(said.error().code, Code::store_corrupt);
            ASSERT_THAT(said.error().text, testing::HasSubstr("Put back a copy"));
        }
        EXPECT_TRUE(fatal_.empty()) << "the others are served";
    }
    EXPECT_GT(refused, 0U);
}

// It took effect, and what was answered is gone; the calls that came with it are served.
TEST_F(DamagedPages, OfAnswersCostAReplayItsAnswerAndNothingElse) {
    SeededEntropy dice(7);
    std::size_t gone = 0;
    put(sound_);
    for (int key = 1'000; key < 1'020; ++key) {  // each on a page of its own
        const auto engine = open();
        const std::string body(kPageBytes / 2, static_cast<char>('a' + key % 20));
        ASSERT_TRUE(commit_one(
            **engine,
            complete_of(commit_one(**engine, claim_of(key, (*engine)->boot()))->row, body)));
        told_.completed[key] = body;
    }
    sound_ = bytes_of(path_);
    for (const std::size_t page : pages_of("answer")) {
        put(flipped(page, dice));
        auto engine = open();
        if (!engine) continue;
        std::vector<record::Call> calls;
        for (const auto& [key, body] : told_.completed)
            calls.emplace_back(claim_of(key, (*engine)->boot(), 2));
        const auto together = (*engine)->commit(calls);
        auto reply = together.begin();
        for (const auto& [key, body] : told_.completed) {
            const auto alone = commit_one(**engine, claim_of(key, (*engine)->boot(), 3));
            for (const auto* told : {&*reply, &alone}) {
                ASSERT_TRUE(*told) << describe(told->error());
                if ((*told)->outcome == Outcome::replay) {
                    ASSERT_EQ((*told)->answer->body, body);
                    continue;
                }
                ASSERT_EQ(name_of((*told)->outcome), name_of(Outcome::expired));
                ++gone;
            }
            ++reply;
        }
        ASSERT_TRUE(fatal_.empty()) << describe(fatal_.front());
    }
    EXPECT_GT(gone, 0U);
}

TEST_F(DamagedPages, MetByCleaningAreNoCommitInDoubt) {
    SeededEntropy dice(8);
    std::size_t met = 0;
    for (const char* table : {"answer", "forgotten"}) {
        for (const std::size_t page : pages_of(table)) {
            put(flipped(page, dice));
            auto engine = open();
            if (!engine || !commit_one(**engine, claim_of(1'000, (*engine)->boot()))) continue;
            clock_.pass(24h);
            const auto swept = (*engine)->sweep(1'000);
            ASSERT_TRUE(fatal_.empty()) << table << ": " << describe(fatal_.front());
            if (swept) continue;
            ++met;
            EXPECT_EQ(swept.error().code, Code::store_corrupt);
            EXPECT_THAT(swept.error().text, testing::HasSubstr("Put back a copy"));
            EXPECT_EQ((*engine)->meters().upkeep_failures.value(), 1U);
            EXPECT_FALSE((*engine)->sweep(1'000));
            EXPECT_EQ((*engine)->meters().upkeep_failures.value(), 2U);
        }
    }
    EXPECT_GT(met, 0U);
}

TEST_F(DamagedPages, OfASoundFileAreNone) {
    put(sound_);
    auto engine = open();
    ASSERT_TRUE(engine);
    told_.check(**engine);
    EXPECT_TRUE((*engine)->sweep(1'000));
    EXPECT_EQ((*engine)->meters().upkeep_failures.value(), 0U);
}

}  // namespace
}  // namespace pawl::sqlite
