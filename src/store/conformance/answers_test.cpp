// SPDX-License-Identifier: Apache-2.0
// What goes in comes out: answers of every shape, keys of every length.
#include "runtime/entropy/entropy.hpp"
#include "store/conformance/suite.hpp"

namespace pawl::store::conformance {
namespace {

class Answers : public Suite {
  protected:
    // Stores it, and gets it back from the store as it is started anew.
    record::Answer round_trip(int key, const record::Answer& given) {
        const Fence fence = acquire(claim(key, 1));
        EXPECT_EQ(rig().outcome(record::Complete{identity(key), claim_id(1), fence, given}),
                  Outcome::stored);
        rig().restart();
        const Reply repeat = rig().reply(claim(key, 2));
        EXPECT_EQ(repeat.outcome, Outcome::replay);
        EXPECT_TRUE(repeat.answer);
        // A repeat may be answered from a reading as well.
        const auto stored = rig().read(identity(key));
        EXPECT_TRUE(stored);
        if (stored) EXPECT_EQ(stored->answer, repeat.answer);
        return repeat.answer.value_or(record::Answer{});
    }
};

// field case 7: empty and "false-like" results are results
TEST_P(Answers, EmptyAndFalseLikeBodiesAreReplayedByteForByte) {
    int key = 0;
    for (const std::string_view body : {"", "0", "false", "null", "{}", "[]"}) {
        const record::Answer given{
            .status = body.empty() ? 204 : 200, .headers = {}, .body = std::string(body)};
        EXPECT_EQ(round_trip(++key, given), given);
    }
}

// field case X11, field case X12
TEST_P(Answers, EveryByteAndEveryHeaderLineComesBackInOrder) {
    record::Answer given = answer("");
    given.headers = {{"Link", "<a>; rel=\"x, y\""}, {"link", "<b>"}, {"Link", ""}};
    for (int byte = 0; byte < 256; ++byte) given.body += static_cast<char>(byte);
    EXPECT_EQ(round_trip(1, given), given);
}

TEST_P(Answers, TheLargestAnswerThatIsKeptComesBackWhole) {
    record::Answer given = answer(std::string(std::size_t{1} << 20, '\0'));
    for (std::size_t i = 0; i < given.body.size(); ++i) given.body[i] = static_cast<char>(i * 31);
    EXPECT_EQ(round_trip(1, given), given);
}

TEST_P(Answers, AnAnswerWhoseBodyWasNotKeptSaysSo) {
    record::Answer given = answer("");
    given.body_kept = false;
    EXPECT_EQ(round_trip(1, given), given);
}

// field case 16: the longest key works on every store, compressible or not
TEST_P(Answers, KeysOfTheLargestLengthAreKeptApart) {
    SeededEntropy entropy(7);
    std::string random(255, '\0');
    entropy.fill(std::as_writable_bytes(std::span(random)));
    int key = 0;
    for (const std::string& label :
         {random, std::string(255, 'a'), std::string(254, 'a'), std::string("a")}) {
        record::Claim made = claim(++key, 1);
        made.key_label = label;
        EXPECT_EQ(rig().outcome(made), Outcome::acquired);
        EXPECT_EQ(rig().read(identity(key))->row.key_label, label);
    }
}

// field case X2: who reads while the first runs sees "in progress", never a lock's value as a result
TEST_P(Answers, AReaderOfARunningOperationSeesNoAnswer) {
    acquire(claim(1, 1));
    const auto stored = rig().read(identity(1));
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->row.state, State::in_progress);
    EXPECT_FALSE(stored->answer);
    EXPECT_FALSE(rig().reply(claim(1, 2)).answer);
}

// Evidence that is looked for after a reading is dated by it.
TEST_P(Answers, AReadingSaysAtWhichStoreTimeItWasMade) {
    rig().outcome(claim(1, 1));
    const std::int64_t before_ms = rig().now_ms();
    const std::int64_t read_ms = rig().read(identity(1))->now_ms;
    EXPECT_GE(read_ms, before_ms);
    EXPECT_LE(read_ms, rig().now_ms());
    rig().pass(std::chrono::milliseconds(1'500));
    EXPECT_GE(rig().read(identity(1))->now_ms, read_ms + 1'500);
}

TEST_P(Answers, WhatWasNeverClaimedIsAbsent) { EXPECT_FALSE(rig().read(identity(1))); }

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, Answers, testing::ValuesIn(stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
