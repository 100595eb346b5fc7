// SPDX-License-Identifier: Apache-2.0
// Versions of one operation at its home: the table of rulings 1, column by column (R-VERSION).
#include "home_fixture.hpp"

namespace pawl::gateway {
namespace {

using namespace std::chrono_literals;
using record::State;
using store::Fault;

class VersionTest : public HomeTest {
  protected:
    static Operation version(std::string_view stamp, std::string_view body = "body") {
        Operation asked = operation("k", body);
        if (!stamp.empty()) asked.claim.stamp = record::parse_stamp(stamp).value();
        asked.claim.rerunnable = true;
        asked.use_cache = false;
        return asked;
    }
    std::shared_ptr<const Ended> told(std::string_view stamp, std::string_view body = "body") {
        const auto answer = ask(version(stamp, body));
        EXPECT_TRUE(*answer) << "nobody waits for the end of another version";
        return *answer ? *answer : std::make_shared<const Ended>();
    }
};

// R-VERSION, rulings 1: the columns "none" and "completed".
TEST_F(VersionTest, ANewerVersionReplacesTheResultAndEverythingElseChangesNothing) {
    upstream.scripts = {{.body = "one"}, {.body = "two"}};
    EXPECT_FALSE(told("1")->superseded);
    EXPECT_EQ(told("1")->answer->body, "one");
    EXPECT_EQ(told("1", "other")->verdict, Verdict::mismatch);
    EXPECT_EQ(told("")->verdict, Verdict::version_invalid);
    const auto newer = told("2", "corrected");
    EXPECT_EQ(newer->verdict, Verdict::first);
    EXPECT_TRUE(newer->superseded);
    EXPECT_EQ(told("1")->verdict, Verdict::stale);
    EXPECT_EQ(told("2", "corrected")->verdict, Verdict::replayed);
    EXPECT_EQ(told("2", "corrected")->answer->body, "two");
    EXPECT_EQ(told("2026-11-30T00:00:00Z")->verdict, Verdict::version_invalid);
    EXPECT_EQ(upstream.sent.size(), 2U);
    EXPECT_EQ(upstream.sent[0].version, "1");
    EXPECT_EQ(upstream.sent[1].version, "2");
    EXPECT_NE(upstream.sent[0].derived_key, upstream.sent[1].derived_key);
    EXPECT_EQ(figures.cache_hits.value(), 0U);
}

// The column "in_progress", on the same loop: nobody waits, nobody takes over.
TEST_F(VersionTest, WhileOneRunsANewerIsInProgressAndAnOlderStale) {
    upstream.scripts = {{.takes = 5s}};
    const auto running = ask(version("2"));
    const auto newer = told("3");
    EXPECT_EQ(newer->verdict, Verdict::in_progress);
    EXPECT_TRUE(newer->other_version);
    EXPECT_FALSE(newer->own);
    EXPECT_EQ(told("1")->verdict, Verdict::stale);
    EXPECT_EQ(told("")->verdict, Verdict::version_invalid);
    EXPECT_EQ(told("2", "other")->verdict, Verdict::mismatch);
    const auto same = ask(version("2"));
    EXPECT_FALSE(*same);
    advance(5s);
    EXPECT_EQ((*running)->verdict, Verdict::first);
    EXPECT_EQ((*same)->verdict, Verdict::replayed);
    EXPECT_EQ(told("3")->verdict, Verdict::first);
    EXPECT_EQ(upstream.sent.size(), 2U);
}

// The same where another process holds the record.
TEST_F(VersionTest, ARecordThatIsHeldElsewhereIsNotWaitedForByAnotherVersion) {
    record::Claim theirs = version("2").claim;
    theirs.claim.bytes[0] = 9;
    theirs.owner = {"node:2", 2};
    records.shelf().commit(std::vector<record::Call>{theirs});
    EXPECT_EQ(told("3")->verdict, Verdict::in_progress);
    EXPECT_TRUE(told("3")->other_version);
    EXPECT_EQ(told("1")->verdict, Verdict::stale);
    const auto same = ask(version("2"), 1s);
    EXPECT_FALSE(*same);
    advance(1s);
    EXPECT_EQ((*same)->verdict, Verdict::in_progress);
    EXPECT_FALSE((*same)->other_version);
}

// The column "uncertain", and what evidence makes of it.
TEST_F(VersionTest, ACorrectionThatWasNotAppliedGivesTheResultBack) {
    upstream.scripts = {{.body = "one"}, {.kind = effect::Kind::no_answer}, {.body = "two"}};
    told("1");
    Operation doubtful = version("2");
    doubtful.claim.rerunnable = false;
    EXPECT_EQ((*ask(doubtful))->verdict, Verdict::uncertain);
    EXPECT_EQ(told("3")->verdict, Verdict::uncertain);
    EXPECT_TRUE(told("3")->other_version);
    EXPECT_EQ(told("1")->verdict, Verdict::stale);
    record::Settle closed{.identity = sha256("k"), .fence = row("k").fence};
    closed.basis = record::Basis::closed;
    records.shelf().commit(std::vector<record::Call>{closed});
    EXPECT_EQ(told("1")->answer->body, "one");
    EXPECT_TRUE(told("2")->superseded);
    EXPECT_EQ(told("1")->verdict, Verdict::stale);
}

TEST_F(VersionTest, ARefusalForNowLeavesTheOlderResult) {
    upstream.scripts = {{.body = "one"}, {.status = 429}};
    told("1");
    EXPECT_EQ(told("2")->verdict, Verdict::released);
    EXPECT_EQ(row("k").state, State::completed);
    EXPECT_EQ(told("1")->answer->body, "one");
}

// Before its claim is acquired nobody can say how two versions stand to each other.
TEST_F(VersionTest, WhoComesWhileAnotherVersionIsClaimingIsToldOnceItHolds) {
    records.server().set_plan([](std::uint64_t number, const record::Call&) {
        return number == 1 ? std::optional(Fault::unknown_before) : std::nullopt;
    });
    upstream.scripts = {{.takes = 5s}};
    const auto running = ask(version("2"));
    const auto newer = ask(version("3"));
    const auto older = ask(version("1"));
    EXPECT_FALSE(*newer);
    advance(1s);
    ASSERT_TRUE(*newer && *older);
    EXPECT_EQ((*newer)->verdict, Verdict::in_progress);
    EXPECT_EQ((*older)->verdict, Verdict::stale);
    EXPECT_FALSE(*running);
}

TEST_F(VersionTest, WhoComesWhileAnotherVersionIsClaimingRunsWhenThatOneIsRefused) {
    told("3");
    records.server().set_plan(
        [](std::uint64_t, const record::Call&) { return std::optional(Fault::unknown_before); });
    const auto older = ask(version("2"));
    const auto newer = ask(version("4"));
    EXPECT_FALSE(*newer);
    records.server().set_plan({});
    advance(2s);
    ASSERT_TRUE(*newer && *older);
    EXPECT_EQ((*older)->verdict, Verdict::stale);
    EXPECT_EQ((*newer)->verdict, Verdict::first);
}

}  // namespace
}  // namespace pawl::gateway
