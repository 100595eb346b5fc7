// SPDX-License-Identifier: Apache-2.0
// Repeats whose answer is not in memory: the store is read, and claims nothing.
#include "home_fixture.hpp"

namespace pawl::gateway {
namespace {

using namespace std::chrono_literals;
using record::State;

class KnownResultTest : public HomeTest {
  protected:
    KnownResultTest() { limits.cache_bytes_max = 0; }
    Task<void> forget(std::string key) {
        const auto reply = co_await home().forget({sha256(key), row(key).fence, "by hand"});
        EXPECT_TRUE(reply);
        if (reply) EXPECT_EQ(reply->outcome, record::Outcome::removed);
    }
    void takes(std::chrono::microseconds one_way) {
        records.server().set_profile({.delay_min = one_way, .delay_max = one_way});
    }
};

TEST_F(KnownResultTest, IsAnsweredWithoutAClaimAndWithoutAConnection) {
    EXPECT_EQ((*ask(operation("k")))->verdict, Verdict::first);
    EXPECT_EQ(records.server().calls(), 2U);  // claim and completion
    upstream.connects = false;
    const auto repeat = ask(operation("k"));
    ASSERT_TRUE(*repeat);
    EXPECT_EQ((*repeat)->verdict, Verdict::replayed);
    EXPECT_EQ((*repeat)->answer->body, "made");
    EXPECT_EQ((*ask(operation("k", "another body")))->verdict, Verdict::mismatch);
    EXPECT_EQ(records.server().calls(), 2U);
    EXPECT_EQ(upstream.prepared, 1);
    EXPECT_EQ(figures.read_hits.value(), 2U);
    EXPECT_EQ(figures.cache_hits.value(), 0U);
    home().note_replays();
    records.shelf().tend();
    EXPECT_EQ(records.shelf().timeline(sha256("k"))->size(), 1U) << "one replay, no mismatch";
}

TEST_F(KnownResultTest, ComesIntoTheCacheWithTheFirstRepeat) {
    limits.cache_bytes_max = 1 << 20;
    Operation past_the_cache = operation("k");
    past_the_cache.use_cache = false;
    ask(past_the_cache);
    EXPECT_EQ((*ask(operation("k")))->verdict, Verdict::replayed);
    EXPECT_EQ(figures.cache_hits.value(), 0U);
    EXPECT_EQ((*ask(operation("k")))->verdict, Verdict::replayed);
    EXPECT_EQ(figures.cache_hits.value(), 1U);
    EXPECT_GT(figures.cached_bytes.value(), 0);
}

TEST_F(KnownResultTest, IsNotWhatAnUnfinishedRecordSays) {
    upstream.scripts = {{.kind = effect::Kind::no_answer}};
    EXPECT_EQ((*ask(operation("k")))->verdict, Verdict::uncertain);
    const std::uint64_t calls = records.server().calls();
    EXPECT_EQ((*ask(operation("k")))->verdict, Verdict::uncertain);
    EXPECT_EQ(records.server().calls(), calls + 1) << "the claim was not asked";
    EXPECT_EQ(upstream.sent.size(), 1U);
}

TEST_F(KnownResultTest, EndsWithItsTime) {
    Operation one = operation("k");
    one.claim.keep = {1'000, 2'000};
    EXPECT_EQ((*ask(one))->verdict, Verdict::first);
    advance(999ms);
    EXPECT_EQ((*ask(one))->verdict, Verdict::replayed);
    advance(1ms);
    EXPECT_EQ((*ask(one))->verdict, Verdict::expired);
    advance(1s);
    EXPECT_EQ((*ask(one))->verdict, Verdict::first);
    EXPECT_EQ(upstream.sent.size(), 2U);
}

TEST_F(KnownResultTest, AStoreThatCannotBeReachedIsNotTakenForOneThatKnowsNothing) {
    EXPECT_EQ((*ask(operation("k")))->verdict, Verdict::first);
    records.server().set_reachable(false);
    EXPECT_EQ((*ask(operation("k")))->verdict, Verdict::unavailable);
    EXPECT_EQ(upstream.sent.size(), 1U);
}

// The reading is under way when the record is forgotten, and comes in behind the word.
TEST_F(KnownResultTest, ThatWasReadBeforeItWasForgottenIsNeitherAnsweredNorKept) {
    limits.cache_bytes_max = 1 << 20;
    Operation past_the_cache = operation("k");
    past_the_cache.use_cache = false;
    ask(past_the_cache);
    takes(1s);
    const auto slow = ask(operation("k"), 60s);
    takes(10s);
    advance(1s);  // it has been read, and is on its way
    takes(1s);
    clients.spawn(forget("k"));
    poll();
    advance(3s);
    EXPECT_EQ(row("k").state, State::absent);
    EXPECT_FALSE(*slow);
    advance(20s);
    ASSERT_TRUE(*slow);
    EXPECT_EQ((*slow)->verdict, Verdict::first) << "the claim was asked, and ran anew";
    EXPECT_EQ(upstream.sent.size(), 2U);
}

}  // namespace
}  // namespace pawl::gateway
