// SPDX-License-Identifier: Apache-2.0
#include "store/sealed/sealed_fixture.hpp"

namespace pawl::store {
namespace {

using record::Outcome;

class SealedRecordsTest : public SealedTest {
  protected:
    Outcome repeated(Records& records, int key) { return apply(records, claim_of(key, 2)).outcome; }

    SealingKeys keys_{sealing_key('1'), {}};
    SealedRecords sealed_{inner_, keys_};
};

TEST_F(SealedRecordsTest, KeepAnswersThatOnlyTheKeyOpens) {
    complete(sealed_, 1, answer_of(1));
    const auto kept = read(inner_, 1);
    ASSERT_TRUE(kept && kept->answer);
    EXPECT_EQ(sealed_under(*kept->answer), keys_.current->id());
    EXPECT_EQ(kept->answer->body.find("secret"), std::string::npos);
    EXPECT_EQ(kept->row.settled->status, 201);

    const Reply again = apply(sealed_, claim_of(1, 2));
    EXPECT_EQ(again.outcome, Outcome::replay);
    EXPECT_EQ(again.answer, answer_of(1));
    EXPECT_EQ(again.row.settled->answer_digest, record::digest_of(answer_of(1)));
    const auto seen = read(sealed_, 1);
    EXPECT_EQ(seen->answer, answer_of(1));
    EXPECT_EQ(seen->row.settled->answer_digest, record::digest_of(answer_of(1)));
    EXPECT_TRUE(sealed_.may_know(claim_of(1).identity));
    EXPECT_FALSE(sealed_.may_know(claim_of(2).identity));
}

// Protocol rule 6: the same completion again is `stored`, another one is `lost`.
TEST_F(SealedRecordsTest, CompareCompletionsAsBefore) {
    const record::Fence fence = complete(sealed_, 1, answer_of(1));
    const record::Claim claim = claim_of(1);
    EXPECT_EQ(
        apply(sealed_, record::Complete{claim.identity, claim.claim, fence, answer_of(1)}).outcome,
        Outcome::stored);
    EXPECT_EQ(
        apply(sealed_, record::Complete{claim.identity, claim.claim, fence, answer_of(2)}).outcome,
        Outcome::lost);
}

TEST_F(SealedRecordsTest, SealWhatEvidenceBrings) {
    const Reply claimed = apply(sealed_, claim_of(1));
    apply(sealed_, record::Suspect{claimed.row.identity, claimed.row.claim, claimed.row.fence});
    record::Settle word;
    word.identity = claimed.row.identity;
    word.fence = claimed.row.fence;
    word.answer = answer_of(1);
    EXPECT_EQ(apply(sealed_, word).row.state, record::State::completed);
    EXPECT_TRUE(sealed_under(*read(inner_, 1)->answer));
    EXPECT_EQ(apply(sealed_, claim_of(1, 2)).answer, answer_of(1));
    const Reply conflict = apply(sealed_, word);
    EXPECT_EQ(conflict.outcome, Outcome::conflict);
    EXPECT_EQ(conflict.answer, answer_of(1));
}

TEST_F(SealedRecordsTest, OpenWhatPreviousKeysSealed) {
    complete(sealed_, 1, answer_of(1));
    const SealingKeys rotated{sealing_key('2'), {sealing_key('1')}};
    SealedRecords later(inner_, rotated);
    complete(later, 2, answer_of(2));
    EXPECT_EQ(sealed_under(*read(inner_, 2)->answer), rotated.current->id());
    for (const int key : {1, 2}) EXPECT_EQ(apply(later, claim_of(key, 2)).answer, answer_of(key));
}

TEST_F(SealedRecordsTest, GiveOutWhatWasKeptBeforeThereWasAKey) {
    complete(inner_, 1, answer_of(1));
    EXPECT_EQ(apply(sealed_, claim_of(1, 2)).answer, answer_of(1));
}

TEST_F(SealedRecordsTest, OfAKeyThatNobodyHasAreExpiredAndNeverGivenOutAsTheyAre) {
    complete(sealed_, 1, answer_of(1));
    const SealingKeys others{sealing_key('2'), {}};
    const SealingKeys none;
    for (const SealingKeys* keys : {&others, &none}) {
        SealedRecords blind(inner_, *keys);
        const Reply again = apply(blind, claim_of(1, 3));
        EXPECT_EQ(again.outcome, Outcome::expired);
        EXPECT_FALSE(again.answer);
        EXPECT_EQ(again.row.state, record::State::completed);
        const auto seen = read(blind, 1);
        ASSERT_TRUE(seen);
        EXPECT_FALSE(seen->answer);
    }
}

// R4. Two answers exchanged by somebody who made the rows' digests fit them.
TEST_F(SealedRecordsTest, OfAnotherRecordAreNeverGivenOut) {
    const record::Answer of_one =
        keys_.current->seal(answer_of(1), claim_of(1).identity, record::Fence{1});
    const record::Answer of_two =
        keys_.current->seal(answer_of(2), claim_of(2).identity, record::Fence{2});
    ASSERT_EQ(complete(inner_, 1, of_two), record::Fence{1});
    ASSERT_EQ(complete(inner_, 2, of_one), record::Fence{2});
    for (const int key : {1, 2}) {
        EXPECT_EQ(repeated(sealed_, key), Outcome::expired);
        EXPECT_FALSE(read(sealed_, key)->answer);
    }
    ASSERT_EQ(complete(inner_, 3, keys_.current->seal(answer_of(3), claim_of(3).identity, {3})),
              record::Fence{3});
    EXPECT_EQ(apply(sealed_, claim_of(3, 2)).answer, answer_of(3)) << "else the test shows nothing";
}

}  // namespace
}  // namespace pawl::store
