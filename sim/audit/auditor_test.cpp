// SPDX-License-Identifier: Apache-2.0
// Each auditor finds the violation it is there for, and says nothing of what the rules allow.
#include "sim/audit/auditor.hpp"

#include <gtest/gtest.h>

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;
using record::Outcome;
using record::State;

class AuditTest : public testing::Test {
  protected:
    AuditTest() {
        Name& name = book.add_name(Promise::quiet, 1, "k1");
        book.add_intent(name);
        book.add_exchange(1, at(0));
        book.add_exchange(1, at(0));
    }
    static MonotonicTime at(int seconds) { return MonotonicTime{std::chrono::seconds{seconds}}; }

    const Said& said(int status = 201, bool applied = true, Number caller = 1, Number intent = 1) {
        return ledger.say({.name = 1,
                           .intent = intent,
                           .caller = caller,
                           .status = status,
                           .applied = applied,
                           .body = "made"});
    }
    static http::Response response_of(const Said& words, bool marked) {
        http::Response response;
        response.status = words.status;
        response.body = words.body;
        response.headers = {{"Content-Type", "application/json"}, {"ETag", etag_of(words.serial)}};
        if (marked) {
            response.headers.emplace_back("Idempotent-Replayed", "true");
            response.headers.emplace_back("Idempotency-Key", "k1");
        } else {
            response.headers.emplace_back("Set-Cookie", "a=1");
            response.headers.emplace_back("Set-Cookie", "b=2");
        }
        return response;
    }
    static http::Response problem(int status, std::string_view code) {
        http::Response response;
        response.status = status;
        response.headers = {{"Content-Type", "application/problem+json"}};
        response.body = fmt::format(R"({{"code":"{}"}})", code);
        return response;
    }
    void answer(const http::Response& response, Number exchange = 1, int seconds = 1) {
        Answered answered = read_answer(response, ledger);
        answered.exchange = exchange;
        answered.intent = book.exchange(exchange).intent;
        answered.name = 1;
        answered.operation = book.operation_of(answered.intent);
        answered.sent_at = at(seconds);
        answered.at = at(seconds);
        audit.answered(answered);
    }
    void apply(Number exchange = 1, int seconds = 0) {
        audit.applied(ledger.apply({1, 1, exchange, record::Fence{7}, at(seconds), 1}));
    }
    // A claim of the first exchange's that is given fence 7, so that an effect has an owner.
    void claim(Number exchange = 1) {
        record::Claim call;
        call.claim.bytes[0] = static_cast<std::uint8_t>(exchange);
        call.trace_id = fmt::format("{:032x}", exchange);
        record::Row after;
        after.state = State::in_progress;
        after.claim = call.claim;
        after.fence = record::Fence{7};
        after.lease_until_ms = 1'000;
        audit.committed({call, record::Row{}, after, Outcome::acquired, 0, 1});
    }
    std::string found() const {
        std::string all;
        for (const Finding& finding : audit.findings()) all += finding.invariant + " ";
        return all;
    }

    Book book;
    Ledger ledger;
    Audit audit{
        book,
        ledger,
        {.natural_window = 3s, .result_kept = 40s, .refusal_kept = 6s, .answer_bytes_max = 4'096}};
};

TEST_F(AuditTest, AFirstAnswerAndItsReplayAreFine) {
    claim();
    apply();
    const Said& words = said();
    answer(response_of(words, false));
    answer(response_of(words, true), 2, 2);
    EXPECT_EQ(found(), "");
}

TEST_F(AuditTest, ASecondEffectIsE1) {
    claim();
    apply();
    apply();
    EXPECT_EQ(found(), "E1 ");
}

TEST_F(AuditTest, ASecondEffectOfAnExcusedNameIsAPersonsDoing) {
    claim();
    apply();
    book.name(1).excused = true;
    apply();
    EXPECT_EQ(found(), "");
}

TEST_F(AuditTest, NaturalEffectsLieAWindowApart) {
    book.name(1).promise = Promise::natural;
    claim();
    apply(1, 10);
    apply(1, 13);
    EXPECT_EQ(found(), "");
    apply(1, 15);
    EXPECT_EQ(found(), "E1 ");
}

TEST_F(AuditTest, AnEffectWithoutAClaimIsE2) {
    apply();
    EXPECT_EQ(found(), "E2 ");
}

TEST_F(AuditTest, AnEffectUnderAnotherRequestsClaimIsE2) {
    claim(2);
    apply(1);
    EXPECT_EQ(found(), "E2 ");
}

TEST_F(AuditTest, ASuccessWithoutAnEffectIsE3) {
    answer(response_of(said(201, false), false));
    EXPECT_EQ(found(), "E3 ");
}

TEST_F(AuditTest, AnAnswerThatTheProtocolDoesNotKnowIsE3) {
    answer(problem(500, "internal"));
    EXPECT_EQ(found(), "E3 ");
}

TEST_F(AuditTest, DoubtAfterASuccessIsE4UnlessTheRecordHoldsTheResult) {
    claim();
    apply();
    answer(response_of(said(), false));
    answer(problem(409, "uncertain"), 2, 2);
    EXPECT_EQ(found(), "E4 ");
    record::Row before;
    before.state = State::in_progress;
    record::Row after = before;
    after.state = State::completed;
    audit.committed({record::Complete{}, before, after, Outcome::stored, 0, 1});
    answer(problem(409, "uncertain"), 2, 3);
    EXPECT_EQ(found(), "E4 ");
}

TEST_F(AuditTest, AResultIsExpiredOnlyWhenItsTimeIsOver) {
    claim();
    apply();
    answer(response_of(said(), false));
    answer(problem(410, "result_expired"), 2, 41);
    EXPECT_EQ(found(), "");
    answer(problem(410, "result_expired"), 2, 39);
    EXPECT_EQ(found(), "E4 ");
}

TEST_F(AuditTest, ARefusalIsExpiredWhenItsOwnTimeIsOver) {
    claim();
    answer(response_of(said(402, false), false));
    answer(problem(410, "result_expired"), 2, 7);
    EXPECT_EQ(found(), "");
    answer(problem(410, "result_expired"), 2, 5);
    EXPECT_EQ(found(), "E4 ");
}

TEST_F(AuditTest, ARefusedRequestThatTookEffectIsE5EvenWhenItLandsLater) {
    claim();
    answer(problem(503, "unavailable"));
    apply();
    audit.ended({});
    EXPECT_EQ(found(), "E5 ");
}

TEST_F(AuditTest, AnotherLastWordIsR1) {
    claim();
    apply();
    answer(response_of(said(), false));
    answer(response_of(said(), true), 2, 2);
    EXPECT_EQ(found(), "R1 ");
}

TEST_F(AuditTest, TwoFirstsAreR2) {
    claim();
    apply();
    const Said& words = said();
    answer(response_of(words, false));
    answer(response_of(words, false), 2, 2);
    EXPECT_EQ(found(), "R2 ");
}

TEST_F(AuditTest, ACookieInAReplayIsR2) {
    claim();
    apply();
    http::Response response = response_of(said(), true);
    response.headers.emplace_back("Set-Cookie", "a=1");
    answer(response);
    EXPECT_EQ(found(), "R2 ");
}

TEST_F(AuditTest, HalfABodyIsR3) {
    claim();
    apply();
    http::Response response = response_of(said(), false);
    response.body.resize(2);
    answer(response);
    EXPECT_EQ(found(), "R3 ");
}

TEST_F(AuditTest, AnotherCallersBodyIsR4) {
    claim();
    apply();
    answer(response_of(said(201, true, 2), false));
    EXPECT_EQ(found(), "R4 ");
}

TEST_F(AuditTest, TheAnswerToAnotherBodyIsR5) {
    claim();
    apply();
    answer(response_of(said(201, true, 1, 2), false));
    EXPECT_EQ(found(), "R5 ");
}

TEST_F(AuditTest, AMismatchThatChangesTheRecordIsR5) {
    record::Row before;
    before.state = State::completed;
    record::Row after = before;
    after.attempts = 2;
    audit.committed({record::Claim{}, before, after, Outcome::mismatch, 0, 1});
    EXPECT_NE(found().find("R5"), std::string::npos);
}

// S1: a move in the table, and each of these is not.
TEST_F(AuditTest, MovesThatTheTableDoesNotKnowAreS1) {
    const auto move = [this](record::Call call, State from, State to, std::int64_t now_ms) {
        record::Row before;
        before.state = from;
        before.lease_until_ms = 100;
        record::Row after = before;
        after.state = to;
        audit.committed({call, before, after, Outcome::unchanged, now_ms, 0});
        return found();
    };
    EXPECT_EQ(move(record::Lapse{}, State::in_progress, State::uncertain, 100), "");
    EXPECT_EQ(move(record::Lapse{}, State::in_progress, State::uncertain, 99), "S1 ");
    EXPECT_EQ(move(record::Lapse{}, State::in_progress, State::freed, 100), "S1 S1 ");
    record::Settle quiet;
    quiet.basis = record::Basis::quiet;
    EXPECT_EQ(move(quiet, State::uncertain, State::freed, 1'000'000), "S1 S1 S1 ");
    record::Complete stranger;
    stranger.fence.number = 9;
    EXPECT_EQ(move(stranger, State::in_progress, State::completed, 0), "S1 S1 S1 S1 ");
    EXPECT_EQ(move(record::Expire{}, State::uncertain, State::absent, 1'000'000),
              "S1 S1 S1 S1 S1 ");
}

TEST_F(AuditTest, AFenceThatIsSentTwiceIsS2) {
    claim();
    audit.sent({1, record::Fence{7}, at(0)});
    EXPECT_EQ(found(), "");
    audit.sent({1, record::Fence{7}, at(0)});
    EXPECT_EQ(found(), "S2 ");
}

TEST_F(AuditTest, AClaimThatItsLivingOwnerForgetsIsS2) {
    claim();
    audit.ended({.living_boots = {1}});
    EXPECT_EQ(found(), "");  // of another boot
    audit.ended({.living_boots = {0}});
    EXPECT_EQ(found(), "S2 ");
}

TEST_F(AuditTest, AReplayLongAfterTheLossOfARightIsA1) {
    book.name(1).promise = kPermitted;
    book.rights.set(1, at(10), false);
    claim();
    apply();
    const Said& words = said();
    answer(response_of(words, false), 1, 5);
    answer(response_of(words, true), 2, 14);
    EXPECT_EQ(found(), "") << "up to five seconds are allowed";
    answer(response_of(words, true), 2, 15);
    EXPECT_EQ(found(), "A1 ");
    book.rights.set(1, at(20), true);
    answer(response_of(words, true), 2, 21);
    EXPECT_EQ(found(), "A1 ");
}

TEST_F(AuditTest, WhatIsCarriedOutForACallerWithoutARightIsA1) {
    book.name(1).promise = kPermitted;
    book.rights.set(1, MonotonicTime{} - 6s, false);
    claim();
    audit.sent({1, record::Fence{7}, at(1)});
    EXPECT_EQ(found(), "A1 ");
}

TEST_F(AuditTest, ARightOfAnotherRouteIsNotAskedFor) {
    book.rights.set(1, MonotonicTime{} - 6s, false);
    claim();
    apply();
    audit.sent({1, record::Fence{7}, at(1)});
    answer(response_of(said(), false));
    answer(response_of(said(), true), 2, 20);
    EXPECT_EQ(found().find("A1"), std::string::npos);
}

TEST_F(AuditTest, AClientWithoutALastWordIsV1UnlessItsNameIsListed) {
    Ending ending;
    ending.waiting_clients = {1};
    audit.ended(ending);
    EXPECT_EQ(found(), "V1 ");
    record::Row row;
    row.identity = sha256("k1");
    row.state = State::uncertain;
    book.learn(row.identity, 1);
    ending.unresolved = {row};
    ending.rows = {row};
    audit.ended(ending);
    EXPECT_EQ(found(), "V1 ");
    book.name(1).promise = Promise::closing;
    audit.ended(ending);
    EXPECT_EQ(found(), "V1 V1 ");
}

}  // namespace
}  // namespace pawl::sim
