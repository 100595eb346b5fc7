// SPDX-License-Identifier: Apache-2.0
// Evidence that comes by itself: late, twice, in another order, and about the attempt before.
#include "store/conformance/suite.hpp"

namespace pawl::store::conformance {
namespace {

using enum Outcome;

class Callback : public Suite {
  protected:
    Fence doubt(int key, std::uint64_t id) {
        const Fence fence = acquire(claim(key, id));
        EXPECT_EQ(rig().outcome(record::Suspect{identity(key), claim_id(id), fence}), suspected);
        return fence;
    }
    record::Settle report(int key, Fence fence, std::string body) {
        record::Settle word = settle(key, fence, Basis::seen, answer(std::move(body)));
        word.source = record::Source::callback;
        return word;
    }
    record::Settle closed(int key, Fence fence) {
        record::Settle word = settle(key, fence, Basis::closed);
        word.source = record::Source::callback;
        return word;
    }
};

TEST_P(Callback, ItsVoiceAndItsAnswerAreKept) {
    const Fence fence = doubt(1, 1);
    EXPECT_EQ(rig().outcome(report(1, fence, "reported")), stored);
    if (rig().durable()) rig().restart();
    const auto found = rig().read(identity(1));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->row.settled->source, record::Source::callback);
    EXPECT_EQ(found->row.settled->answer_digest, record::digest_of(answer("reported")));
    EXPECT_EQ(found->answer, answer("reported"));
}

TEST_P(Callback, TheSecondOneFindsWhatTheFirstSaid) {
    const Fence fence = doubt(1, 1);
    EXPECT_EQ(rig().outcome(report(1, fence, "first")), stored);
    for (const std::string body : {"first", "second"}) {
        const Reply again = rig().reply(report(1, fence, body));
        EXPECT_EQ(again.outcome, conflict);
        EXPECT_EQ(again.row.settled->fence, fence);
        EXPECT_EQ(again.answer, answer("first"));
    }
    const Fence freed_fence = doubt(2, 2);
    EXPECT_EQ(rig().outcome(closed(2, freed_fence)), freed);
    EXPECT_EQ(rig().outcome(closed(2, freed_fence)), freed);
}

TEST_P(Callback, OfTheAttemptBeforeItChangesNothing) {
    const Fence before = doubt(1, 1);
    EXPECT_EQ(rig().outcome(closed(1, before)), freed);
    const Fence present = doubt(1, 2);
    const auto seen = rig().read(identity(1))->row;
    EXPECT_EQ(rig().outcome(closed(1, before)), conflict);
    EXPECT_EQ(rig().outcome(report(1, before, "late")), conflict);
    EXPECT_EQ(rig().read(identity(1))->row, seen);
    EXPECT_EQ(rig().outcome(report(1, present, "in time")), stored);
}

TEST_P(Callback, AfterItTheOwnersOwnAnswerComesTooLate) {
    const Fence fence = doubt(1, 1);
    EXPECT_EQ(rig().outcome(report(1, fence, "reported")), stored);
    EXPECT_EQ(complete(1, 1, fence, "its own"), lost);
    EXPECT_EQ(rig().read(identity(1))->answer, answer("reported"));
    EXPECT_EQ(complete(1, 1, fence, "reported"), stored);
}

INSTANTIATE_TEST_SUITE_P(Store, Callback, testing::ValuesIn(stores_under_test()),
                         [](const auto& named) { return named.param.name; });

}  // namespace
}  // namespace pawl::store::conformance
