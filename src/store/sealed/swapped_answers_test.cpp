// SPDX-License-Identifier: Apache-2.0
// R4: two answers exchanged in the SQLite file, with and without their rows' digests: neither is given to the other's
// caller, and nothing runs again.
#include "store/sealed/sealed_fixture.hpp"
#include "store/sqlite/engine.hpp"
#include "store/sqlite/row_frame.hpp"
#include "store/sqlite/simulated_disk.hpp"

namespace pawl::store {
namespace {

using record::Outcome;

class SwappedAnswers : public SealedTest {
  protected:
    std::unique_ptr<sqlite::Engine> engine() {
        auto file = sqlite::open_store(file_);
        PAWL_ASSERT(file.has_value());
        auto started =
            sqlite::Engine::start(std::move(*file), hand_.clock(), hand_.loop().entropy());
        PAWL_ASSERT(started.has_value());
        return std::move(*started);
    }
    void fill(const SealingKeys& keys) {
        const auto started = engine();
        DirectRecords direct(*started);
        SealedRecords sealed(direct, keys);
        for (const int key : {1, 2}) complete(sealed, key, answer_of(key));
    }
    void swap(bool with_digests) {
        sqlite::Connection connection;
        ASSERT_EQ(connection.open(file_.path, sqlite::Connection::Access::write, file_.vfs), 0);
        std::vector<std::pair<std::int64_t, std::string>> answers;
        sqlite::Statement look = connection.prepare("SELECT id, answer FROM answer ORDER BY id");
        while (look.step() == kRow) answers.emplace_back(look.integer(0), look.bytes(1));
        ASSERT_EQ(answers.size(), 2U);
        std::swap(answers[0].second, answers[1].second);
        for (const auto& [id, answer] : answers) {
            sqlite::Statement update =
                connection.prepare("UPDATE answer SET answer = ?2 WHERE id = ?1");
            ASSERT_EQ(update.bind(1, id).bind(2, answer).run(), 0);
        }
        if (!with_digests) return;
        std::vector<std::pair<std::int64_t, record::Row>> rows;
        sqlite::Statement select = connection.prepare("SELECT id, row FROM record ORDER BY id");
        while (select.step() == kRow)
            rows.emplace_back(select.integer(0), sqlite::row_in(select.bytes(1)).value());
        ASSERT_EQ(rows.size(), 2U);
        std::swap(rows[0].second.settled->answer_digest, rows[1].second.settled->answer_digest);
        for (const auto& [id, row] : rows) {
            sqlite::Statement update =
                connection.prepare("UPDATE record SET row = ?2 WHERE id = ?1");
            const std::string frame = sqlite::frame_of(row, 0);
            ASSERT_EQ(update.bind(1, id).bind(2, frame).run(), 0);
        }
    }
    Reply repeated(int key, const SealingKeys& keys) {
        const auto started = engine();
        DirectRecords direct(*started);
        SealedRecords sealed(direct, keys);
        return apply(sealed, claim_of(key, 2));
    }

    static constexpr int kRow = 100;
    sqlite::SimulatedDisk disk_{"swapped_answers_test", 1};
    sqlite::FileOptions file_{.path = "pawl.db", .synchronous = "full", .vfs = disk_.vfs()};
    SealingKeys keys_{sealing_key('1'), {}};
};

TEST_F(SwappedAnswers, AreToldByTheRowsDigests) {
    fill(keys_);
    swap(false);
    for (const int key : {1, 2}) {
        const Reply reply = repeated(key, keys_);
        EXPECT_EQ(reply.outcome, Outcome::expired);
        EXPECT_FALSE(reply.answer);
    }
}

TEST_F(SwappedAnswers, DoNotOpenWhereTheDigestsWereMadeToFit) {
    fill(keys_);
    swap(true);
    for (const int key : {1, 2}) {
        const Reply reply = repeated(key, keys_);
        EXPECT_EQ(reply.outcome, Outcome::expired);
        EXPECT_FALSE(reply.answer);
    }
}

// What sealing is for: without it the forger has won.
TEST_F(SwappedAnswers, AreGivenOutWhereNothingIsSealed) {
    fill({});
    swap(true);
    EXPECT_EQ(repeated(1, {}).answer, answer_of(2));
}

}  // namespace
}  // namespace pawl::store
