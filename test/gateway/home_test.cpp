// SPDX-License-Identifier: Apache-2.0
#include "home_fixture.hpp"

namespace pawl::gateway {
namespace {

using namespace std::chrono_literals;
using record::State;
using store::Fault;

// R-CLAIM, R-REPLAY
TEST_F(HomeTest, TheFirstRequestRunsAndTheSecondIsAReplayOfIt) {
    const auto first = ask(operation("k"));
    ASSERT_TRUE(*first);
    EXPECT_EQ((*first)->verdict, Verdict::first);
    EXPECT_EQ((*first)->answer->headers.size(), 2U);
    const auto second = ask(operation("k"));
    ASSERT_TRUE(*second);
    EXPECT_EQ((*second)->verdict, Verdict::replayed);
    EXPECT_EQ((*second)->answer->body, "made");
    EXPECT_EQ((*second)->answer->headers.size(), 1U);
    EXPECT_EQ(upstream.sent.size(), 1U);
    EXPECT_EQ(figures.cache_hits.value(), 1U);
    EXPECT_EQ(row("k").state, State::completed);
}

// field case 4
TEST_F(HomeTest, CopiesThatComeWhileItRunsWaitForItsAnswer) {
    upstream.scripts = {{.takes = 5s}};
    const auto first = ask(operation("k"));
    std::vector<Answered> copies;
    for (int i = 0; i < 50; ++i) copies.push_back(ask(operation("k")));
    const auto hurried = ask(operation("k"), 1s);
    advance(2s);
    ASSERT_TRUE(*hurried);
    EXPECT_EQ((*hurried)->verdict, Verdict::in_progress);
    EXPECT_FALSE(*first);
    advance(3s);
    ASSERT_TRUE(*first);
    EXPECT_EQ((*first)->verdict, Verdict::first);
    for (const Answered& copy : copies) {
        ASSERT_TRUE(*copy);
        EXPECT_EQ((*copy)->verdict, Verdict::replayed);
        EXPECT_TRUE((*copy)->waited);
        EXPECT_EQ((*copy)->answer->body, "made");
    }
    EXPECT_EQ(upstream.sent.size(), 1U);
}

TEST_F(HomeTest, WhatIsAtHandIsRecalledAtOnceAndNothingElse) {
    const Operation one = operation("k");
    const auto recall = [&](const record::Claim& claim) {
        return home().recall(claim.identity, claim.fingerprint, claim.rule);
    };
    EXPECT_FALSE(recall(one.claim));
    ask(one);
    const auto hit = recall(one.claim);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->verdict, Verdict::replayed);
    EXPECT_EQ(hit->answer->body, "made");
    const auto other_body = recall(operation("k", "other").claim);
    ASSERT_TRUE(other_body);
    EXPECT_EQ(other_body->verdict, Verdict::mismatch);
    record::Claim other_rule = one.claim;
    other_rule.rule = sha256("new rule");
    EXPECT_FALSE(recall(other_rule));  // only the record and the rules that are known can tell
    EXPECT_FALSE(recall(operation("never sent").claim));
}

TEST_F(HomeTest, AnImpatientFirstClientDoesNotEndTheAttempt) {
    upstream.scripts = {{.takes = 60s}};
    const auto first = ask(operation("k"), 2s);
    advance(2s);
    ASSERT_TRUE(*first);
    EXPECT_EQ((*first)->verdict, Verdict::in_progress);
    advance(58s);
    const auto later = ask(operation("k"));
    ASSERT_TRUE(*later);
    EXPECT_EQ((*later)->verdict, Verdict::replayed);
    EXPECT_EQ(upstream.sent.size(), 1U);
}

// R-FPR, field cases 8, X4: on every path, the running one and the cache included
TEST_F(HomeTest, AnotherBodyUnderTheKeyIsAMismatchWhileItRunsAndAfterwards) {
    upstream.scripts = {{.takes = 5s}};
    const auto first = ask(operation("k"));
    const auto meanwhile = ask(operation("k", "other"));
    ASSERT_TRUE(*meanwhile);
    EXPECT_EQ((*meanwhile)->verdict, Verdict::mismatch);
    EXPECT_EQ((*meanwhile)->state, State::in_progress);
    advance(5s);
    const auto cached = ask(operation("k", "other"));
    EXPECT_EQ((*cached)->verdict, Verdict::mismatch);
    Operation uncached = operation("k", "other");
    uncached.use_cache = false;
    const auto stored = ask(std::move(uncached));
    EXPECT_EQ((*stored)->verdict, Verdict::mismatch);
    EXPECT_EQ((*stored)->state, State::completed);
    EXPECT_EQ(upstream.sent.size(), 1U);
}

TEST_F(HomeTest, ARuleThatIsStillKnownIsComparedUnderTheStoredOne) {
    ask(operation("k"));
    Operation known = operation("k", "anything");
    known.claim.rule = sha256("new rule");
    known.fingerprint_under = [](const Digest& rule) -> std::optional<Digest> {
        return rule == sha256("rule") ? std::optional(sha256("body")) : std::nullopt;
    };
    const auto again = ask(std::move(known));
    advance(1s);
    EXPECT_EQ((*again)->verdict, Verdict::replayed);
    Operation unknown = operation("k", "anything");
    unknown.claim.rule = sha256("new rule");
    const auto lost = ask(std::move(unknown));
    EXPECT_EQ((*lost)->verdict, Verdict::rule_changed);
    EXPECT_EQ(upstream.sent.size(), 1U);
}

// A newer stamp was claimed under another rule and not applied: the row's last claim and its result have
// different rules then, and a repeat is compared under the result's.
TEST_F(HomeTest, ARestoredResultIsComparedUnderItsOwnRule) {
    Operation one = operation("k");
    one.claim.stamp = record::parse_stamp("1").value();
    ASSERT_EQ((*ask(one))->verdict, Verdict::first);
    upstream.scripts = {{.status = 429}};
    Operation two = operation("k", "corrected");
    two.claim.stamp = record::parse_stamp("2").value();
    two.claim.rule = sha256("new rule");
    ASSERT_EQ((*ask(two))->verdict, Verdict::released);
    ASSERT_NE(row("k").rule, row("k").settled->rule);

    Operation again = one;
    again.claim.rule = sha256("new rule");
    again.claim.fingerprint = sha256("body under the new rule");
    again.fingerprint_under = [](const Digest& rule) -> std::optional<Digest> {
        return rule == sha256("rule") ? std::optional(sha256("body")) : std::nullopt;
    };
    const auto repeat = ask(again);
    advance(1s);
    ASSERT_TRUE(*repeat);
    EXPECT_EQ((*repeat)->verdict, Verdict::replayed);
}

TEST_F(HomeTest, WithoutAConnectionARepeatIsComparedUnderTheStoredRuleToo) {
    ask(operation("k"));
    upstream.connects = false;
    Operation again = operation("k", "body under the new rule");
    again.claim.rule = sha256("new rule");
    again.fingerprint_under = [](const Digest& rule) -> std::optional<Digest> {
        return rule == sha256("rule") ? std::optional(sha256("body")) : std::nullopt;
    };
    EXPECT_EQ((*ask(again))->verdict, Verdict::replayed);
    again.fingerprint_under = [](const Digest&) { return std::optional(sha256("another body")); };
    EXPECT_EQ((*ask(again))->verdict, Verdict::mismatch);
    again.fingerprint_under = [](const Digest&) { return std::nullopt; };
    EXPECT_EQ((*ask(again))->verdict, Verdict::rule_changed);
}

// field case 5, both variants; R-UNCERTAIN
TEST_F(HomeTest, NoAnswerAfterTheFirstByteIsUncertainAndNeverRunsAgain) {
    upstream.scripts = {{.kind = effect::Kind::no_answer}};
    const auto first = ask(operation("k"));
    EXPECT_EQ((*first)->verdict, Verdict::uncertain);
    EXPECT_TRUE((*first)->own);
    EXPECT_EQ(row("k").state, State::uncertain);
    clock.now += 24h;
    const auto later = ask(operation("k"));
    EXPECT_EQ((*later)->verdict, Verdict::uncertain);
    EXPECT_FALSE((*later)->own);
    EXPECT_EQ(upstream.sent.size(), 1U);
}

TEST_F(HomeTest, WhatWasNeverSentIsTriedOnOtherConnectionsAndThenReleased) {
    const Script refused{.kind = effect::Kind::not_sent};
    upstream.scripts = {refused, refused, refused};
    const auto first = ask(operation("k"));
    EXPECT_EQ((*first)->verdict, Verdict::unavailable);
    EXPECT_EQ(row("k").state, State::freed);
    EXPECT_EQ(upstream.prepared, 3);
    const auto second = ask(operation("k"));
    EXPECT_EQ((*second)->verdict, Verdict::first);
}

TEST_F(HomeTest, AConnectionThatDiedBehindTheClaimIsReplacedBeforeAByteIsSent) {
    upstream.dead_connections = 1;
    const auto first = ask(operation("k"));
    EXPECT_EQ((*first)->verdict, Verdict::first);
    EXPECT_EQ(upstream.prepared, 2);
    EXPECT_EQ(upstream.sent.size(), 1U);
}

TEST_F(HomeTest, WithoutAConnectionARepeatIsAnsweredFromTheRecordAndANewKeyIs503) {
    Operation operation_one = operation("k");
    operation_one.use_cache = false;
    ask(operation_one);
    upstream.connects = false;
    const auto repeat = ask(operation_one);
    EXPECT_EQ((*repeat)->verdict, Verdict::replayed);
    const auto fresh = ask(operation("other"));
    EXPECT_EQ((*fresh)->verdict, Verdict::unavailable);
    EXPECT_TRUE((*fresh)->unrecorded);
    EXPECT_EQ(row("other").state, State::absent);
}

TEST_F(HomeTest, ARefusalWithoutEffectFreesTheKeyAndReachesThoseWhoWaited) {
    upstream.scripts = {{.takes = 1s, .status = 429, .body = "slow down"}};
    const auto first = ask(operation("k"));
    const auto copy = ask(operation("k"));
    advance(1s);
    EXPECT_EQ((*first)->verdict, Verdict::released);
    EXPECT_EQ((*copy)->verdict, Verdict::released);
    EXPECT_EQ((*copy)->answer->status, 429);
    EXPECT_EQ(upstream.sent.size(), 1U);
    EXPECT_EQ((*ask(operation("k")))->verdict, Verdict::first);
}

// protocol, "One gateway request": an answer above the cap
TEST_F(HomeTest, TheRestOfALongAnswerIsReadByWhoMadeItHappenAndByNobodyElse) {
    upstream.scripts = {{.takes = 1s, .is_long = true}};
    const auto first = ask(operation("k"));
    const auto copy = ask(operation("k"));
    advance(1s);
    EXPECT_EQ((*first)->verdict, Verdict::first);
    EXPECT_TRUE((*first)->rest);
    for (const auto& repeat : {copy, ask(operation("k"))}) {
        EXPECT_EQ((*repeat)->verdict, Verdict::replayed);
        EXPECT_FALSE((*repeat)->answer->body_kept);
        EXPECT_FALSE((*repeat)->rest);
    }
    EXPECT_EQ(row("k").state, State::completed);
}

TEST_F(HomeTest, ALongRefusalIsReadByWhoGotItAndTheOthersMaySendAgain) {
    upstream.scripts = {{.takes = 1s, .status = 429, .is_long = true}};
    const auto first = ask(operation("k"));
    const auto copy = ask(operation("k"));
    advance(1s);
    EXPECT_EQ((*first)->verdict, Verdict::released);
    EXPECT_TRUE((*first)->rest);
    EXPECT_EQ((*copy)->verdict, Verdict::unavailable);
    EXPECT_FALSE((*copy)->rest);
    EXPECT_EQ((*ask(operation("k")))->verdict, Verdict::first);
}

TEST_F(HomeTest, ALongDoubtfulAnswerStillReachesWhoAskedForIt) {
    upstream.scripts = {{.status = 500, .is_long = true}};
    const auto first = ask(operation("k"));
    EXPECT_EQ((*first)->verdict, Verdict::uncertain);
    EXPECT_TRUE((*first)->answer);
    EXPECT_TRUE((*first)->rest);
}

// R-CLAIM: an unknown commit is settled by the same claim again
TEST_F(HomeTest, AClaimOfUnknownFateIsSentAgainAndRunsOnce) {
    for (const Fault fault : {Fault::unknown_before, Fault::unknown_after}) {
        upstream.sent.clear();
        const std::string key = fault == Fault::unknown_before ? "before" : "after";
        const std::uint64_t next = records.server().calls() + 1;
        records.server().set_plan(
            [next, fault](std::uint64_t call, const record::Call&) -> std::optional<Fault> {
                return call == next ? std::optional(fault) : std::nullopt;
            });
        const auto first = ask(operation(key));
        advance(1s);
        ASSERT_TRUE(*first);
        EXPECT_EQ((*first)->verdict, Verdict::first);
        EXPECT_EQ(upstream.sent.size(), 1U);
        EXPECT_EQ(row(key).attempts, 1U);
    }
}

// field case X1
TEST_F(HomeTest, WithoutAStoreNothingIsExecuted) {
    records.server().set_reachable(false);
    const auto first = ask(operation("k"));
    ASSERT_TRUE(*first);
    EXPECT_EQ((*first)->verdict, Verdict::unavailable);
    EXPECT_TRUE(upstream.sent.empty());
}

TEST_F(HomeTest, AClaimThatIsGivenUpIsWithdrawnAndItsLateArrivalRefused) {
    records.server().set_plan([](std::uint64_t, const record::Call& call) -> std::optional<Fault> {
        if (std::holds_alternative<record::Claim>(call)) return Fault::late;
        return std::nullopt;
    });
    const auto first = ask(operation("k"), 1s);
    advance(1s);
    ASSERT_TRUE(*first);
    EXPECT_EQ((*first)->verdict,
              Verdict::in_progress);  // the claim may still be answered in this moment
    advance(120s);
    records.server().set_plan({});
    EXPECT_TRUE(upstream.sent.empty());
    const auto second = ask(operation("k"));
    advance(1s);
    EXPECT_EQ((*second)->verdict, Verdict::first);
    EXPECT_EQ(upstream.sent.size(), 1U);
}

// field case X1: a completion in hand is kept until the store takes it, the client is told uncertain
TEST_F(HomeTest, AnAnswerThatCannotBeStoredIsUncertainUntilTheStoreHasIt) {
    upstream.scripts = {{.takes = 1s}};
    const auto first = ask(operation("k"), 3s);
    records.server().set_reachable(false);
    advance(3s);
    ASSERT_TRUE(*first);
    EXPECT_EQ((*first)->verdict, Verdict::uncertain);
    EXPECT_EQ(figures.settling.value(), 1);
    records.server().set_reachable(true);
    advance(5s);
    EXPECT_EQ(figures.settling.value(), 0);
    EXPECT_EQ((*ask(operation("k")))->verdict, Verdict::replayed);
    EXPECT_EQ(upstream.sent.size(), 1U);
}

// R-FENCE
TEST_F(HomeTest, ALongAttemptKeepsItsLeaseUpToTheMaximumHold) {
    upstream.scripts = {{.takes = 5min}};
    const auto first = ask(operation("k"), 10min);
    for (int i = 0; i < 10; ++i) {
        advance(29s);
        const auto swept = records.shelf().sweep(100);
        ASSERT_TRUE(swept);
        ASSERT_EQ(swept->lapsed, 0U);
    }
    advance(30s);
    ASSERT_TRUE(*first);
    EXPECT_EQ((*first)->verdict, Verdict::first);
}

TEST_F(HomeTest, AnUpstreamThatNeverAnswersIsUncertainAfterTheMaximumHold) {
    upstream.scripts = {{.takes = 24h}};
    const auto first = ask(operation("k"), 1h);
    advance(10min + 1s);
    ASSERT_TRUE(*first);
    EXPECT_EQ((*first)->verdict, Verdict::uncertain);
    EXPECT_EQ(row("k").state, State::uncertain);
}

// R-FENCE, protocol rule 5: an owner whose record was settled by another while its attempt ran is told `lost`, and
// answers what the record says. Also for an attempt that the upstream refused.
TEST_F(HomeTest, AnOwnerWhoComesTooLateAnswersTheRecord) {
    const struct {
        std::string key;
        record::Source source;
        int status;
    } rows[] = {{"done", record::Source::probe, 201}, {"refused", record::Source::person, 429}};
    std::uint64_t lost = 0;
    for (const auto& [key, source, status] : rows) {
        SCOPED_TRACE(key);
        upstream.scripts = {{.takes = 39s, .status = status, .body = "its own"}};
        Operation asked = operation(key);
        asked.hold_max = 40s;
        const auto first = ask(std::move(asked), 10min);
        records.server().set_plan([](std::uint64_t, const record::Call& call) {
            return std::holds_alternative<record::Renew>(call) ? std::optional(Fault::refused)
                                                               : std::nullopt;
        });
        advance(35s);
        record::Settle evidence;
        evidence.identity = sha256(key);
        evidence.fence = row(key).fence;
        evidence.source = source;
        evidence.answer = record::Answer{.status = 200, .headers = {}, .body = "found meanwhile"};
        const record::Call call = evidence;
        ASSERT_EQ(records.shelf().commit({&call, 1}).front()->outcome, record::Outcome::stored);
        advance(10s);
        ASSERT_TRUE(*first);
        EXPECT_EQ((*first)->verdict, Verdict::replayed);
        EXPECT_EQ((*first)->answer->body, "found meanwhile");
        EXPECT_EQ(figures.lost.value(), ++lost);
    }
}

// R-FINGERPRINT-GUARD, field case 26 (b)
TEST_F(HomeTest, ANaturalKeyHoldsForItsWindowAndThenMakesRoom) {
    Operation click = operation("natural");
    click.window = 3s;
    click.claim.keep = {3'000, 3'000};
    EXPECT_EQ((*ask(click))->verdict, Verdict::first);
    advance(2s);
    EXPECT_EQ((*ask(click))->verdict, Verdict::replayed);
    advance(1001ms);
    const auto again = ask(click);
    advance(1s);
    EXPECT_EQ((*again)->verdict, Verdict::first);
    EXPECT_EQ(upstream.sent.size(), 2U);
}

// R-REPLAY: to the millisecond, though the store's rows go much later
TEST_F(HomeTest, AKeyIsRefusedUntilItsRetentionEndsAndIsNewFromThenOn) {
    Operation order = operation("k");
    order.claim.keep = {1'000, 60'000};
    EXPECT_EQ((*ask(order))->verdict, Verdict::first);
    advance(59'999ms);
    EXPECT_EQ((*ask(order))->verdict, Verdict::expired);
    EXPECT_EQ((*ask(operation("k", "another body")))->verdict, Verdict::mismatch);
    advance(1ms);
    Operation another = operation("k", "another body");
    another.claim.keep = order.claim.keep;
    EXPECT_EQ((*ask(another))->verdict, Verdict::first);
    EXPECT_EQ((*ask(another))->verdict, Verdict::replayed);
    EXPECT_EQ(upstream.sent.size(), 2U);
}

// R-PROFILE, rulings 2: `retention.refused`
TEST_F(HomeTest, ARefusalIsKeptForItsOwnTimeAndAResultForTheClaims) {
    const auto with_refused = [](std::string_view key) {
        Operation asked = operation(key);
        asked.refused_keep_ms = 300'000;
        return asked;
    };
    upstream.scripts = {
        {.status = 402}, {.status = 201}, {.status = 402, .declared = effect::Declared::applied}};
    for (const std::string_view key : {"refused", "made", "applied"}) ask(with_refused(key));
    advance(299s);
    EXPECT_EQ((*ask(with_refused("refused")))->verdict, Verdict::replayed);
    advance(1s);
    EXPECT_EQ((*ask(with_refused("refused")))->verdict, Verdict::expired);
    EXPECT_EQ((*ask(with_refused("made")))->verdict, Verdict::replayed);
    EXPECT_EQ((*ask(with_refused("applied")))->verdict, Verdict::replayed);
    EXPECT_EQ(upstream.sent.size(), 3U);
}

TEST_F(HomeTest, AKeyThatIsKeptForEverIsNeverNew) {
    Operation order = operation("k");
    order.claim.keep = {1'000, record::kForever};
    EXPECT_EQ((*ask(order))->verdict, Verdict::first);
    advance(24h * 4000);
    EXPECT_EQ((*ask(order))->verdict, Verdict::expired);
    EXPECT_EQ(upstream.sent.size(), 1U);
}

TEST_F(HomeTest, WithoutAConnectionAKeyPastItsRetentionIsUnavailableNotExpired) {
    Operation order = operation("k");
    order.claim.keep = {1'000, 60'000};
    EXPECT_EQ((*ask(order))->verdict, Verdict::first);
    upstream.connects = false;
    advance(59'999ms);
    EXPECT_EQ((*ask(order))->verdict, Verdict::expired);
    advance(1ms);
    EXPECT_EQ((*ask(order))->verdict, Verdict::unavailable);
}

TEST_F(HomeTest, TheThousandAndFirstWaiterIsRefused) {
    limits.waiters_per_key_max = 3;
    upstream.scripts = {{.takes = 1s}};
    ask(operation("k"));
    std::vector<Answered> copies;
    for (int i = 0; i < 4; ++i) copies.push_back(ask(operation("k")));
    EXPECT_FALSE(*copies[2]);
    ASSERT_TRUE(*copies[3]);
    EXPECT_EQ((*copies[3])->verdict, Verdict::limited);
    advance(1s);
    EXPECT_EQ((*copies[2])->verdict, Verdict::replayed);
}

TEST_F(HomeTest, WaitersOfAllKeysOfATenantAreBoundedTogether) {
    limits.waiters_per_tenant_max = 3;
    upstream.scripts = {{.takes = 1s}, {.takes = 1s}};
    ask(operation("k"));
    ask(operation("l"));
    std::vector<Answered> copies;
    for (int i = 0; i < 4; ++i) copies.push_back(ask(operation(i % 2 == 0 ? "k" : "l")));
    EXPECT_FALSE(*copies[2]);
    ASSERT_TRUE(*copies[3]);
    EXPECT_EQ((*copies[3])->verdict, Verdict::limited);
    EXPECT_EQ((*ask(operation("m")))->verdict, Verdict::first) << "who waits for nobody";
    Operation others = operation("k");
    others.claim.tenant = "other";
    EXPECT_FALSE(*ask(others)) << "another tenant has room of its own";
    advance(1s);
    EXPECT_EQ((*copies[2])->verdict, Verdict::replayed);
    upstream.scripts = {{.takes = 1s}};
    ask(operation("n"));
    EXPECT_FALSE(*ask(operation("n"))) << "there is room again";
    advance(1s);
}

// protocol rule 15
TEST_F(HomeTest, ANewKeyIsRefusedWhileTooManyAreUnresolvedAndAKnownOneIsNot) {
    records.shelf().limit({.per_caller = 10, .per_tenant = 2});
    for (const char* key : {"k1", "k2"}) {
        upstream.scripts = {{.kind = effect::Kind::no_answer}};
        EXPECT_EQ((*ask(operation(key)))->verdict, Verdict::uncertain);
    }
    const Answered refused = ask(operation("k3"));
    EXPECT_EQ((*refused)->verdict, Verdict::limited);
    EXPECT_FALSE((*refused)->error.text.empty());
    EXPECT_EQ(upstream.sent.size(), 2U);
    EXPECT_EQ((*ask(operation("k1")))->verdict, Verdict::uncertain);
    record::Settle found;
    found.identity = sha256("k1");
    found.fence = row("k1").fence;
    found.answer = record::Answer{.status = 201, .headers = {}, .body = "found"};
    records.shelf().apply(found);
    EXPECT_EQ((*ask(operation("k3")))->verdict, Verdict::first);
}

// protocol rule 15: an upstream that hangs makes everything doubtful that is under way
TEST_F(HomeTest, ANewKeyIsRefusedWhileTooManyOfItsCallerAreUnderWay) {
    limits.in_flight = {.per_caller = 2, .per_tenant = 3};
    const auto of = [](std::string_view key, std::string_view caller) {
        Operation one = operation(key);
        one.claim.caller = record::caller_digest("", caller);
        return one;
    };
    EXPECT_EQ((*ask(of("known", "ada")))->verdict, Verdict::first);
    upstream.scripts = {{.takes = 1s}, {.takes = 1s}, {.takes = 1s}};
    const Answered first = ask(of("k1", "ada"));
    ask(of("k2", "ada"));
    const Answered beyond = ask(of("k3", "ada"));
    ASSERT_TRUE(*beyond);
    EXPECT_EQ((*beyond)->verdict, Verdict::limited);
    EXPECT_FALSE((*beyond)->error.text.empty());
    EXPECT_EQ(row("k3").state, record::State::absent);
    EXPECT_FALSE(*ask(of("k4", "bert"))) << "another caller's";
    EXPECT_EQ((*ask(of("k5", "cleo")))->verdict, Verdict::limited) << "the tenant's";
    Operation again = of("known", "ada");
    again.use_cache = false;
    EXPECT_EQ((*ask(std::move(again)))->verdict, Verdict::replayed);
    EXPECT_EQ(upstream.sent.size(), 4U);
    advance(1s);
    EXPECT_EQ((*first)->verdict, Verdict::first);
    EXPECT_EQ((*ask(of("k3", "ada")))->verdict, Verdict::first);
}

TEST_F(HomeTest, ReplaysAreCountedAndNotedTogether) {
    ask(operation("k"));
    for (int i = 0; i < 7; ++i) ask(operation("k"));
    home().note_replays();
    while (records.shelf().tend()) {
    }
    const auto timeline = records.shelf().timeline(sha256("k"));
    ASSERT_TRUE(timeline);
    ASSERT_EQ(timeline->size(), 1U);
    EXPECT_EQ(timeline->front().count, 7U);
}

}  // namespace
}  // namespace pawl::gateway
