// SPDX-License-Identifier: Apache-2.0
// Many calls at once: one owner per identity, fences that rise, each call answered for itself.
#include <set>

#include "runtime/task/group.hpp"
#include "store/conformance/suite.hpp"

namespace pawl::store::conformance {
namespace {

class Concurrency : public Suite {
  protected:
    // All calls are under way together; the replies in the order of the calls.
    std::vector<Result<Reply>> apply_all(std::vector<record::Call> calls) {
        std::vector<Result<Reply>> replies(calls.size());
        std::size_t answered = 0;
        TaskGroup group(rig().hand().loop());
        for (std::size_t i = 0; i < calls.size(); ++i) {
            group.spawn([](Records& records, record::Call call, Result<Reply>& out,
                           std::size_t& count) -> Task<void> {
                out = co_await records.apply(std::move(call));
                ++count;
            }(rig().records(), std::move(calls[i]), replies[i], answered));
        }
        rig().hand().run_until([&] { return answered == replies.size(); });
        return replies;
    }
};

// field case 4, field case 26, field case X39; field case 61: a loser finds the record, never "not found"
TEST_P(Concurrency, OfAThousandParallelClaimsOfOneIdentityOneIsAcquired) {
    std::vector<record::Call> calls;
    for (std::uint64_t id = 1; id <= 1'000; ++id) calls.emplace_back(claim(1, id));
    int acquired = 0;
    int refused = 0;
    for (const auto& reply : apply_all(std::move(calls))) {
        ASSERT_TRUE(reply);
        acquired += reply->outcome == Outcome::acquired ? 1 : 0;
        refused += reply->outcome == Outcome::in_progress ? 1 : 0;
    }
    EXPECT_EQ(acquired, 1);
    EXPECT_EQ(refused, 999);
}

// R-FENCE; field case X28: two claims of one millisecond are told apart
TEST_P(Concurrency, ParallelClaimsOfManyIdentitiesHaveFencesOfTheirOwn) {
    std::vector<record::Call> calls;
    for (int key = 1; key <= 1'000; ++key)
        calls.emplace_back(claim(key, static_cast<std::uint64_t>(key)));
    std::set<Fence> fences;
    for (const auto& reply : apply_all(std::move(calls))) {
        ASSERT_TRUE(reply);
        EXPECT_EQ(reply->outcome, Outcome::acquired);
        EXPECT_TRUE(fences.insert(reply->row.fence).second);
    }
    const Fence later = acquire(claim(2'000, 1));
    EXPECT_GT(later, *fences.rbegin());
}

TEST_P(Concurrency, CallsOfOneBatchSeeEachOther) {
    const Fence fence = acquire(claim(1, 1));
    const auto replies =
        apply_all({record::Complete{identity(1), claim_id(1), fence, answer("done")}, claim(1, 2),
                   record::Complete{identity(1), claim_id(1), fence, answer("other")}});
    EXPECT_EQ(replies[0]->outcome, Outcome::stored);
    EXPECT_EQ(replies[1]->outcome, Outcome::replay);
    EXPECT_EQ(replies[1]->answer->body, "done");
    EXPECT_EQ(replies[2]->outcome, Outcome::lost);
}

TEST_P(Concurrency, RefusalsInABatchLeaveTheOthersAlone) {
    completed(1, 1);
    acquire(claim(2, 1));
    std::vector<record::Call> calls;
    for (int key = 1; key <= 100; ++key) calls.emplace_back(claim(key, 77));
    const auto replies = apply_all(std::move(calls));
    EXPECT_EQ(replies[0]->outcome, Outcome::replay);
    EXPECT_EQ(replies[1]->outcome, Outcome::in_progress);
    for (std::size_t i = 2; i < replies.size(); ++i)
        EXPECT_EQ(replies[i]->outcome, Outcome::acquired);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, Concurrency, testing::ValuesIn(stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
