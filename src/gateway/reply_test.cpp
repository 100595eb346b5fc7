// SPDX-License-Identifier: Apache-2.0
// The table "HTTP mapping" of the protocol, row by row, as far as it follows from how an operation ended.
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "gateway/reply.hpp"

namespace pawl::gateway {
namespace {

Asked asked() {
    Asked asked;
    asked.key_header = "Idempotency-Key";
    asked.key_line = "\"k1\"";
    asked.identity.bytes.fill(7);
    static const policy::Route kRoute;
    asked.route = &kRoute;
    return asked;
}

Ended ended(Verdict verdict, record::State state = record::State::absent) {
    Ended ended;
    ended.verdict = verdict;
    ended.state = state;
    ended.first_seen_ms = 1'700'000'000'000;
    return ended;
}

std::shared_ptr<const record::Answer> answer_of(
    int status, std::string body, std::vector<std::pair<std::string, std::string>> headers = {}) {
    record::Answer answer;
    answer.status = status;
    answer.body = std::move(body);
    answer.headers = std::move(headers);
    return std::make_shared<const record::Answer>(std::move(answer));
}

boost::json::object document_of(const Reply& reply) {
    EXPECT_EQ(http::first_of(reply.response.headers, "Content-Type"), "application/problem+json");
    return boost::json::parse(reply.response.body).as_object();
}

struct Row {
    Verdict verdict;
    record::State state;
    int status;
    std::string_view code;
    bool retryable;
    std::optional<bool> safe_new_key;
};

TEST(Reply, AFirstAnswerDoesNotPassForAReplay) {
    Ended made = ended(Verdict::first, record::State::completed);
    made.answer = answer_of(
        201, "{}",
        {{"idempotent-replayed", "true"}, {"Pawl-Result-Source", "probe"}, {"X-Own", "1"}});
    const Reply reply = reply_to(made, asked());
    EXPECT_EQ(reply.response.headers, (http::Headers{{"X-Own", "1"}}));
    EXPECT_EQ(reply.seen, Seen::first);
}

TEST(Reply, WhatIsAwayMayBeSentAgainSoon) {
    static const policy::Route kRoute;
    const Reply away = refuse({Code::unavailable, "Away.", {}, {}}, kRoute);
    EXPECT_EQ(away.response.status, 503);
    EXPECT_EQ(away.seen, Seen::error);
    EXPECT_EQ(http::first_of(away.response.headers, "Retry-After"), "1");
    const Reply unknown =
        refuse({Code::caller_unknown, "Who?", {}, {}}, kRoute, {"Bearer", "Basic"});
    EXPECT_EQ(unknown.response.status, 401);
    EXPECT_EQ(unknown.seen, Seen::refused);
    EXPECT_EQ(http::first_of(unknown.response.headers, "Retry-After"), "");
    EXPECT_EQ(http::values_of(unknown.response.headers, "WWW-Authenticate"),
              (std::vector<std::string_view>{"Bearer", "Basic"}));
}

TEST(Reply, EveryRefusalHasItsStatusCodeAndRemedy) {
    using record::State;
    for (const Row& row : {
             Row{Verdict::in_progress, State::in_progress, 409, "in_progress", true, false},
             Row{Verdict::uncertain, State::uncertain, 409, "uncertain", true, false},
             Row{Verdict::mismatch, State::completed, 422, "key_reused", false, true},
             Row{Verdict::mismatch, State::uncertain, 422, "key_reused", false, false},
             Row{Verdict::mismatch, State::in_progress, 422, "key_reused", false, false},
             Row{Verdict::rule_changed, State::completed, 409, "rule_changed", false, false},
             Row{Verdict::stale, State::completed, 409, "stale_version", false, true},
             Row{Verdict::expired, State::tombstone, 410, "result_expired", false, false},
             Row{Verdict::version_invalid, State::completed, 400, "version_invalid", false, true},
             Row{Verdict::limited, State::in_progress, 429, "limited", true, false},
             Row{Verdict::unavailable, State::absent, 503, "unavailable", true, std::nullopt},
         }) {
        const Reply reply = reply_to(ended(row.verdict, row.state), asked());
        const boost::json::object document = document_of(reply);
        EXPECT_EQ(reply.response.status, row.status) << row.code;
        EXPECT_EQ(document.at("code").as_string(), row.code);
        EXPECT_EQ(document.at("retryable").as_bool(), row.retryable) << row.code;
        EXPECT_GT(document.at("detail").as_string().size(), 30U) << row.code;
        EXPECT_EQ(document.at("operation_ref").as_string(), record::reference_of(asked().identity));
        EXPECT_EQ(document.contains("safe_new_key"), row.safe_new_key.has_value()) << row.code;
        if (row.safe_new_key)
            EXPECT_EQ(document.at("safe_new_key").as_bool(), *row.safe_new_key) << row.code;
        EXPECT_EQ(http::first_of(reply.response.headers, "Retry-After").empty(), !row.retryable)
            << row.code;
    }
}

// protocol rule 15
TEST(Reply, ALimitOnWhatIsUnresolvedSaysWhoMakesRoom) {
    Ended limited = ended(Verdict::limited, record::State::absent);
    limited.error = ended_from({record::Outcome::limited, {}, {}}).error;
    const Reply reply = reply_to(limited, asked());
    EXPECT_EQ(reply.response.status, 429);
    EXPECT_EQ(http::first_of(reply.response.headers, "Retry-After"), "30");
    EXPECT_NE(document_of(reply).at("detail").as_string().find("pawl uncertain list"),
              std::string::npos);
    EXPECT_EQ(document_of(reply_to(ended(Verdict::limited, record::State::in_progress), asked()))
                  .at("retry_after")
                  .as_int64(),
              1);
}

TEST(Reply, UncertainNamesTheCommandThatEndsIt) {
    const auto document =
        document_of(reply_to(ended(Verdict::uncertain, record::State::uncertain), asked()));
    const std::string reference = record::reference_of(asked().identity);
    EXPECT_NE(document.at("detail").as_string().find(reference), std::string::npos);
    const boost::json::object& resolve = document.at("resolve").as_object();
    for (const auto& [outcome, option] :
         {std::pair{"applied", " --applied "}, std::pair{"not_applied", " --not-applied "}}) {
        const std::string line(resolve.at(outcome).as_string());
        EXPECT_TRUE(line.starts_with("pawl resolve " + reference + option)) << line;
        EXPECT_EQ(line.find_first_of("|<>&;"), std::string::npos)
            << "a shell would not take it: " << line;
    }
}

TEST(Reply, WhereTheServiceRemembersTheRetryComesFirst) {
    const auto detail_of = [](record::State state) {
        Ended made = ended(Verdict::uncertain, state);
        made.own = true;
        return std::string(document_of(reply_to(made, asked())).at("detail").as_string());
    };
    const std::string open = detail_of(record::State::open);
    EXPECT_LT(open.find("Send the same request with the same key again"), open.find("evidence"));
    EXPECT_LT(open.find("Send the same request"), open.find("operator's word")) << open;
    const std::string uncertain = detail_of(record::State::uncertain);
    EXPECT_GT(uncertain.find("Sending the same request"), uncertain.find("operator's word"));
}

TEST(Reply, NoReferenceIsGivenToWhatIsNotRecorded) {
    Ended away = ended(Verdict::unavailable);
    EXPECT_TRUE(document_of(reply_to(away, asked())).contains("operation_ref"))
        << "it may be recorded";
    away.unrecorded = true;
    EXPECT_FALSE(document_of(reply_to(away, asked())).contains("operation_ref"));
}

TEST(Reply, WhoStillRunsIsNamedByWhatTheCallerKnows) {
    const auto detail = [](bool own, const Asked& by) {
        Ended running = ended(Verdict::in_progress, record::State::in_progress);
        running.own = own;
        return std::string(document_of(reply_to(running, by)).at("detail").as_string());
    };
    Asked keyless = asked();
    keyless.key_line = {};
    EXPECT_TRUE(detail(true, asked()).starts_with("Your request is still running."));
    EXPECT_TRUE(
        detail(false, asked()).starts_with("The first request with this key is still running."));
    EXPECT_TRUE(detail(false, keyless).starts_with("An equal request is still running."));
    EXPECT_EQ(detail(false, keyless).find("key"), std::string::npos);
}

TEST(Reply, WhoSendsAnotherVersionIsNotToldThatHeGetsTheFirstOnesResult) {
    Ended running = ended(Verdict::in_progress, record::State::in_progress);
    running.other_version = true;
    const auto document = document_of(reply_to(running, asked()));
    EXPECT_EQ(document.at("code").as_string(), "in_progress");
    EXPECT_EQ(document.at("retry_after").as_int64(), 1);
    EXPECT_TRUE(std::string(document.at("detail").as_string()).starts_with("Another version"));
}

TEST(Reply, AResultThatAPersonGaveWithoutAnAnswerWasNeverKept) {
    Ended expired = ended(Verdict::expired, record::State::completed);
    expired.settled.emplace();
    expired.settled->source = record::Source::person;
    const auto detail = [&] {
        return std::string(document_of(reply_to(expired, asked())).at("detail").as_string());
    };
    EXPECT_NE(detail().find("a person said so and gave no answer"), std::string::npos);
    EXPECT_EQ(detail().find("no longer kept"), std::string::npos);
    expired.settled->status = 201;
    EXPECT_NE(detail().find("no longer kept"), std::string::npos);
}

TEST(Reply, AnExpiredRefusalIsNotSaidToHaveTakenEffect) {
    Ended expired = ended(Verdict::expired, record::State::tombstone);
    expired.settled.emplace();
    expired.settled->status = 402;
    const auto document = document_of(reply_to(expired, asked()));
    const std::string detail(document.at("detail").as_string());
    EXPECT_TRUE(detail.starts_with("The service answered this operation 402;")) << detail;
    EXPECT_EQ(detail.find("took effect"), std::string::npos);
    EXPECT_FALSE(document.at("safe_new_key").as_bool());
    expired.settled->status = 399;
    EXPECT_NE(std::string(document_of(reply_to(expired, asked())).at("detail").as_string())
                  .find("took effect"),
              std::string::npos);
}

// field case 21
TEST(Reply, TheFirstCallerGetsEveryLineOfTheUpstreamInOrder) {
    Ended first = ended(Verdict::first);
    first.answer = answer_of(201, "ok",
                             {{"Set-Cookie", "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT"},
                              {"Set-Cookie", "b=2"},
                              {"Connection", "keep-alive, X-Hop"},
                              {"X-Hop", "1"},
                              {"Transfer-Encoding", "chunked"},
                              {"Link", "</1>; rel=\"next\""}});
    const Reply reply = reply_to(first, asked());
    EXPECT_EQ(reply.response.headers,
              (http::Headers{{"Set-Cookie", "a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT"},
                             {"Set-Cookie", "b=2"},
                             {"Link", "</1>; rel=\"next\""}}));
    EXPECT_EQ(reply.seen, Seen::first);
    EXPECT_FALSE(reply.problem);
}

// R-REPLAY
TEST(Reply, AReplayIsMarkedAndEchoesTheKeyAsItWasSent) {
    Ended replay = ended(Verdict::replayed, record::State::completed);
    replay.answer = answer_of(201, std::string("\0\xff", 2), {{"Location", "/orders/1"}});
    replay.settled.emplace();
    const Reply reply = reply_to(replay, asked());
    EXPECT_EQ(reply.response.status, 201);
    EXPECT_EQ(reply.response.body, std::string("\0\xff", 2));
    EXPECT_EQ(reply.response.headers, (http::Headers{{"Location", "/orders/1"},
                                                     {"Idempotent-Replayed", "true"},
                                                     {"Idempotency-Key", "\"k1\""}}));
    replay.settled->source = record::Source::probe;
    EXPECT_EQ(http::first_of(reply_to(replay, asked()).response.headers, "Pawl-Result-Source"),
              "probe");
}

TEST(Reply, TheReplayHeaderAndTheStatusOfWhatStillRunsAreTheRoutes) {
    policy::Route route;
    route.replay_header = "Idempotency-Replayed";
    route.in_progress_status = 423;
    Asked other = asked();
    other.route = &route;
    Ended replay = ended(Verdict::replayed, record::State::completed);
    replay.answer = answer_of(201, "ok");
    EXPECT_EQ(http::first_of(reply_to(replay, other).response.headers, "Idempotency-Replayed"),
              "true");
    EXPECT_EQ(http::first_of(reply_to(replay, other).response.headers, "Idempotent-Replayed"), "");
    EXPECT_EQ(reply_to(ended(Verdict::in_progress), other).response.status, 423);
}

TEST(Reply, ARouteThatRefusesRepeatsSaysWhereTheResultIs) {
    policy::Route route;
    route.on_repeat = policy::OnRepeat::refuse;
    Asked other = asked();
    other.route = &route;
    Ended replay = ended(Verdict::replayed, record::State::completed);
    replay.answer = answer_of(201, "the first answer", {{"Location", "/orders/1"}});
    const Reply reply = reply_to(replay, other);
    const auto document = document_of(reply);
    EXPECT_EQ(reply.response.status, 409);
    EXPECT_EQ(document.at("code").as_string(), "duplicate_request");
    EXPECT_EQ(document.at("operation_ref").as_string(), record::reference_of(asked().identity));
    EXPECT_TRUE(document.contains("first_seen_at"));
    EXPECT_EQ(http::first_of(reply.response.headers, "Location"), "/orders/1");
    EXPECT_EQ(reply.response.body.find("the first answer"), std::string::npos);
}

TEST(Reply, AnAnswerTooLargeToKeepIsATypedAnswerAndNeverASecondRun) {
    Ended replay = ended(Verdict::replayed, record::State::completed);
    record::Answer large;
    large.status = 201;
    large.headers = {{"Location", "/orders/1"}};
    large.body_kept = false;
    replay.answer = std::make_shared<const record::Answer>(large);
    const Reply reply = reply_to(replay, asked());
    const auto document = document_of(reply);
    EXPECT_EQ(reply.response.status, 410);
    EXPECT_EQ(document.at("original_status").as_int64(), 201);
    EXPECT_EQ(http::first_of(reply.response.headers, "Location"), "/orders/1");
}

// field case X15
TEST(Reply, TheUpstreamsOwnErrorPassesUnchangedAndSaysThatTheOutcomeIsUnknown) {
    Ended first = ended(Verdict::uncertain, record::State::uncertain);
    first.own = true;
    first.answer = answer_of(500, "the upstream's page",
                             {{"Content-Type", "text/html"}, {"Pawl-Outcome", "x"}});
    const Reply reply = reply_to(first, asked());
    EXPECT_EQ(reply.response.status, 500);
    EXPECT_EQ(reply.response.body, "the upstream's page");
    EXPECT_EQ(reply.response.headers,
              (http::Headers{{"Content-Type", "text/html"},
                             {"Pawl-Outcome", "unknown"},
                             {"Pawl-Operation", record::reference_of(asked().identity)}}));
}

TEST(Reply, TheFirstCallerOfAnUpstreamThatGaveNoAnswerGets502) {
    Ended first = ended(Verdict::uncertain, record::State::uncertain);
    first.own = true;
    EXPECT_EQ(reply_to(first, asked()).response.status, 502);
    EXPECT_EQ(document_of(reply_to(first, asked())).at("code").as_string(), "uncertain");
}

}  // namespace
}  // namespace pawl::gateway
