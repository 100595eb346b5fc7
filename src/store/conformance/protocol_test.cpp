// SPDX-License-Identifier: Apache-2.0
// Every row of the protocol's table, through the port: state of the record by call. What the calls mean is
// tested beside record::judge; here a store shows that it judges on what is stored and stores what was
// judged.
#include "store/conformance/suite.hpp"

namespace pawl::store::conformance {
namespace {

// All of one key with stamp 2; the owner's words are those of the last claim.
enum class Stage { absent, freed, live, lapsed, open, uncertain, completed, tombstone };
constexpr std::array kStages{Stage::absent, Stage::freed,     Stage::live,      Stage::lapsed,
                             Stage::open,   Stage::uncertain, Stage::completed, Stage::tombstone};

enum class Word { same, newer, older, other_body, renew, complete, release, applied, closed };

struct Expected {
    Word word;
    std::array<Outcome, 8> outcomes;  // in the order of kStages
};

using enum Outcome;
const std::vector<Expected> kTable{
    {Word::same,
     {acquired, acquired, in_progress, Outcome::uncertain, took_over, Outcome::uncertain, replay,
      expired}},
    {Word::newer,
     {acquired, acquired, in_progress, Outcome::uncertain, in_progress, Outcome::uncertain,
      superseded, superseded}},
    {Word::older, {acquired, stale, stale, stale, stale, stale, stale, stale}},
    {Word::other_body,
     {acquired, acquired, mismatch, mismatch, mismatch, mismatch, mismatch, mismatch}},
    {Word::renew, {lost, lost, held, held, lost, lost, lost, lost}},
    {Word::complete, {lost, stored_late, stored, stored, stored, stored, stored, lost}},
    {Word::release,
     {lost, Outcome::freed, Outcome::freed, Outcome::freed, opened, Outcome::freed, lost, lost}},
    {Word::applied, {conflict, conflict, conflict, stored, stored, stored, conflict, conflict}},
    {Word::closed,
     {conflict, Outcome::freed, conflict, Outcome::freed, Outcome::freed, Outcome::freed, conflict,
      conflict}},
};

class Protocol : public Suite {
  protected:
    // Only `open` needs an operation that may be run again; for the others it is not.
    Fence reach(int key, Stage stage) {
        if (stage == Stage::absent) return {};
        record::Claim first = stamped(key, 1, 2);
        first.rerunnable = stage == Stage::open;
        const Fence fence = acquire(first);
        switch (stage) {
            case Stage::absent:
            case Stage::live:
                break;
            case Stage::freed:
                EXPECT_EQ(rig().outcome(record::Release{identity(key), claim_id(1), fence}),
                          Outcome::freed);
                break;
            case Stage::lapsed:
                rig().pass(std::chrono::milliseconds(kLeaseMs));
                break;
            case Stage::open:
                EXPECT_EQ(rig().outcome(record::Suspect{identity(key), claim_id(1), fence}),
                          opened);
                break;
            case Stage::uncertain:
                EXPECT_EQ(rig().outcome(record::Suspect{identity(key), claim_id(1), fence}),
                          suspected);
                break;
            case Stage::completed:
                EXPECT_EQ(complete(key, 1, fence, "done"), stored);
                break;
            case Stage::tombstone:
                EXPECT_EQ(rig().outcome(record::Suspect{identity(key), claim_id(1), fence}),
                          suspected);
                EXPECT_EQ(rig().outcome(settle(key, fence, Basis::seen)), stored);
                break;
        }
        return fence;
    }

    record::Call say(int key, Word word, Fence fence) {
        record::Claim made = stamped(key, 2, 2);
        switch (word) {
            case Word::same:
                return made;
            case Word::newer:
                made.stamp = stamp(3);
                return made;
            case Word::older:
                made.stamp = stamp(1);
                return made;
            case Word::other_body:
                made.fingerprint = sha256("another body");
                return made;
            case Word::renew:
                return record::Renew{identity(key), claim_id(1), fence, kLeaseMs};
            case Word::complete:
                return record::Complete{identity(key), claim_id(1), fence, answer("done")};
            case Word::release:
                return record::Release{identity(key), claim_id(1), fence};
            case Word::applied:
                return settle(key, fence, Basis::seen, answer("found"));
            case Word::closed:
                return settle(key, fence, Basis::closed);
        }
        return made;
    }
};

// R-KEY
TEST_P(Protocol, EveryCallHasTheTablesOutcomeInEveryState) {
    int key = 0;
    for (const Expected& expected : kTable) {
        for (std::size_t i = 0; i < kStages.size(); ++i) {
            ++key;
            const Fence fence = reach(key, kStages[i]);
            const Reply reply = rig().reply(say(key, expected.word, fence));
            const std::string cell =
                fmt::format("word {}, stage {}", static_cast<int>(expected.word), i);
            EXPECT_EQ(name_of(reply.outcome), name_of(expected.outcomes[i])) << cell;
            // What was answered is what is stored.
            const auto stored_now = rig().read(identity(key));
            EXPECT_EQ(stored_now.has_value(), reply.row.state != State::absent) << cell;
            if (stored_now) {
                EXPECT_EQ(comparable(stored_now->row), comparable(reply.row)) << cell;
            }
        }
    }
}

TEST_P(Protocol, AnotherFenceThanTheRecordsIsLostOrAConflict) {
    const Fence fence = acquire(claim(1, 1));
    const Fence other{fence.number + 1};
    EXPECT_EQ(rig().outcome(record::Renew{identity(1), claim_id(1), other, kLeaseMs}), lost);
    EXPECT_EQ(rig().outcome(record::Complete{identity(1), claim_id(1), other, answer("x")}), lost);
    EXPECT_EQ(rig().outcome(record::Release{identity(1), claim_id(1), other}), lost);
    EXPECT_EQ(rig().outcome(record::Suspect{identity(1), claim_id(1), other}), lost);
    EXPECT_EQ(rig().outcome(settle(1, other, Basis::seen)), conflict);
    EXPECT_EQ(rig().state(identity(1)), State::in_progress);
}

// field case 55: each acquisition has a token of its own, an old attempt of the same process is lost
TEST_P(Protocol, AnAttemptThatLostItsClaimHasNoSayInTheNextOne) {
    record::Claim made = claim(1, 1);
    made.rerunnable = true;
    const Fence old_fence = acquire(made);
    rig().pass(std::chrono::milliseconds(kLeaseMs));
    made.claim = claim_id(2);
    const Reply second = rig().reply(made);
    ASSERT_EQ(second.outcome, took_over);
    EXPECT_GT(second.row.fence, old_fence);
    EXPECT_EQ(rig().outcome(record::Renew{identity(1), claim_id(1), old_fence, kLeaseMs}), lost);
    EXPECT_EQ(rig().outcome(record::Release{identity(1), claim_id(1), old_fence}), lost);
    EXPECT_EQ(complete(1, 1, old_fence, "from the first"), lost);
    EXPECT_EQ(complete(1, 2, second.row.fence, "from the second"), stored);
    EXPECT_EQ(rig().read(identity(1))->answer->body, "from the second");
}

// field case 1, field case 3: before the lease ends in_progress, afterwards uncertain, never a second run
TEST_P(Protocol, AClaimWhoseOwnerDiedIsUncertainFromTheMomentItsLeaseIsOver) {
    const Fence fence = acquire(claim(1, 1));
    rig().pass(std::chrono::milliseconds(kLeaseMs - 1));
    EXPECT_EQ(rig().outcome(claim(1, 2)), in_progress);
    rig().pass(1ms);
    EXPECT_EQ(rig().outcome(claim(1, 3)), Outcome::uncertain);
    EXPECT_EQ(rig().state(identity(1)), State::uncertain);
    EXPECT_EQ(complete(1, 1, fence, "late, but true"), stored);
    EXPECT_EQ(rig().reply(claim(1, 4)).answer->body, "late, but true");
}

// R-KEY: an unknown commit is settled by sending the same bundle again
TEST_P(Protocol, TheSameClaimSentAgainBuysTheSameRight) {
    const Reply first = rig().reply(claim(1, 1));
    const Reply again = rig().reply(claim(1, 1));
    EXPECT_EQ(again.outcome, acquired);
    EXPECT_EQ(again.row.fence, first.row.fence);
    EXPECT_EQ(again.row.attempts, 1U);
}

TEST_P(Protocol, TheSameCompletionSentAgainIsStoredAndAnotherIsLost) {
    const Fence fence = completed(1, 1, "first");
    EXPECT_EQ(complete(1, 1, fence, "first"), stored);
    const Reply other =
        rig().reply(record::Complete{identity(1), claim_id(1), fence, answer("second")});
    EXPECT_EQ(other.outcome, lost);
    ASSERT_TRUE(other.answer);  // rule 5: its owner answers what the record says
    EXPECT_EQ(other.answer->body, "first");
}

TEST_P(Protocol, AWithdrawnClaimIsRefusedWhenItArrivesLate) {
    EXPECT_EQ(rig().outcome(record::Withdraw{identity(1), claim_id(1)}), Outcome::freed);
    EXPECT_EQ(rig().outcome(claim(1, 1)), withdrawn);
    rig().restart();
    EXPECT_EQ(rig().outcome(claim(1, 1)), withdrawn);
    EXPECT_EQ(rig().outcome(claim(1, 2)), acquired);
}

TEST_P(Protocol, AWithdrawalThatComesAfterItsClaimFrees) {
    acquire(claim(1, 1));
    EXPECT_EQ(rig().outcome(record::Withdraw{identity(1), claim_id(1)}), Outcome::freed);
    EXPECT_EQ(rig().outcome(claim(1, 1)), withdrawn);
}

TEST_P(Protocol, ASupersededResultComesBackWhenTheNewerStampWasNotApplied) {
    const Fence first = acquire(stamped(1, 1, 1));
    EXPECT_EQ(complete(1, 1, first, "stamp one"), stored);
    const Reply newer = rig().reply(stamped(1, 2, 2));
    ASSERT_EQ(newer.outcome, superseded);
    EXPECT_EQ(rig().state(identity(1)), State::in_progress);
    const Reply back = rig().reply(record::Release{identity(1), claim_id(2), newer.row.fence});
    EXPECT_EQ(back.outcome, restored);
    ASSERT_TRUE(back.answer);
    EXPECT_EQ(back.answer->body, "stamp one");
    EXPECT_EQ(rig().reply(stamped(1, 3, 1)).answer->body, "stamp one");
}

TEST_P(Protocol, ANewerStampsResultReplacesTheOlderOnes) {
    const Fence first = acquire(stamped(1, 1, 1));
    EXPECT_EQ(complete(1, 1, first, "stamp one"), stored);
    const Fence second = acquire(stamped(1, 2, 2));
    EXPECT_EQ(complete(1, 2, second, "stamp two"), stored);
    EXPECT_EQ(rig().reply(stamped(1, 3, 2)).answer->body, "stamp two");
    EXPECT_EQ(rig().outcome(stamped(1, 4, 1)), stale);
}

// Rulings 1: the old result stays beside the newer claim through a crash, and comes back by evidence.
TEST_P(Protocol, ACorrectionThatWasCutOffIsTakenOverByItsOwnRepeatOrGivesTheResultBack) {
    for (const int key : {1, 2}) {
        const Fence first = acquire(stamped(key, 1, 1));
        EXPECT_EQ(complete(key, 1, first, "stamp one"), stored);
        EXPECT_EQ(rig().outcome(stamped(key, 2, 2)), superseded);
    }
    rig().restart();
    EXPECT_EQ(rig().outcome(stamped(1, 3, 1)), stale);
    EXPECT_EQ(rig().outcome(stamped(1, 4, 3)), in_progress);
    const Reply again = rig().reply(stamped(1, 5, 2));
    EXPECT_EQ(again.outcome, took_over);
    ASSERT_TRUE(again.row.beside);
    EXPECT_EQ(complete(1, 5, again.row.fence, "stamp two"), stored);
    EXPECT_EQ(rig().reply(stamped(1, 6, 2)).answer->body, "stamp two");

    const Fence cut_off = rig().read(identity(2))->row.fence;
    EXPECT_EQ(rig().outcome(settle(2, cut_off, Basis::closed)), Outcome::restored);
    EXPECT_EQ(rig().reply(stamped(2, 7, 1)).answer->body, "stamp one");
    EXPECT_EQ(rig().outcome(stamped(2, 8, 2)), superseded);
}

TEST_P(Protocol, AForgottenRecordIsAbsentAndItsFenceIsNotGivenOutAgain) {
    const Fence fence = completed(1, 1);
    EXPECT_EQ(rig().outcome(record::Forget{identity(1), fence}), removed);
    EXPECT_EQ(rig().state(identity(1)), State::absent);
    const Reply anew = rig().reply(claim(1, 2));
    EXPECT_EQ(anew.outcome, acquired);
    EXPECT_GT(anew.row.fence, fence);
    EXPECT_EQ(anew.row.attempts, 1U);
    EXPECT_EQ(rig().outcome(record::Forget{identity(1), anew.row.fence}), refused);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, Protocol, testing::ValuesIn(stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
