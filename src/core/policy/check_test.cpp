// SPDX-License-Identifier: Apache-2.0
// Each row: one change to a route that has no finding, and the whole of what is then said.
#include "core/policy/check.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/policy/compiled_route.hpp"

namespace pawl::policy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Route good() {
    Route route;
    route.name = "create-order";
    route.method = "POST";
    route.path = "/orders";
    route.upstream = {"127.0.0.1", 3000, false, false};
    route.key.source = KeyRule::Source::header;
    route.caller = {CallerRule::Source::header, "X-User"};
    route.uncertain.close = "POST /orders/close/{operation_key}";
    route.line = 7;
    route.column = 5;
    return route;
}

std::vector<std::string> said(const std::vector<Finding>& findings) {
    std::vector<std::string> lines;
    for (const Finding& one : findings)
        lines.push_back((one.severity == Severity::error ? "error: " : "warning: ") + one.what);
    return lines;
}

TEST(Check, AGoodRouteHasNoFinding) { EXPECT_THAT(said(check_routes({good()})), IsEmpty()); }

struct Row {
    std::string name;
    std::function<void(Route&)> change;
    std::string said;  // a part of the one finding
};

std::vector<Row> place_rows() {
    return {
        {"no_name", [](Route& r) { r.name = ""; }, "error: the route has no name"},
        {"name_too_long", [](Route& r) { r.name = std::string(121, 'n'); },
         "error: `name` has 121 bytes"},
        {"name_with_newline", [](Route& r) { r.name = "a\nb"; },
         "error: `name` holds a control character"},
        {"was_is_present", [](Route& r) { r.was = r.name; }, "error: `was` is the present name"},
        {"method_small", [](Route& r) { r.method = "post"; }, "error: `post` is not a method"},
        {"path_relative", [](Route& r) { r.path = "orders"; },
         "error: the path `orders` does not begin"},
        {"host_with_port", [](Route& r) { r.host = "shop.example:80"; },
         "error: `shop.example:80` is not a host name"},
        {"host_in_capitals", [](Route& r) { r.host = "Shop"; }, "error: `Shop` is not a host name"},
        {"host_rewrite_url", [](Route& r) { r.host_rewrite = "http://a"; },
         "error: `http://a` is not a host"},
        {"no_upstream", [](Route& r) { r.upstream = {}; },
         "error: `create-order` names no upstream"},
        {"protected_get", [](Route& r) { r.method = "GET"; },
         "error: GET changes nothing and takes no record"},
        {"protected_head", [](Route& r) { r.method = "HEAD"; }, "error: HEAD changes nothing"},
    };
}

std::vector<Row> word_rows() {
    return {
        {"name_with_delete", [](Route& r) { r.name = "a\x7f"; }, "error: `name` holds a control"},
        {"host_with_slash", [](Route& r) { r.host = "a/b"; }, "error: `a/b` is not a host name"},
        {"host_with_brace", [](Route& r) { r.host = "a{"; }, "error: `a{` is not a host name"},
        {"host_with_dot_last", [](Route& r) { r.host = "a."; }, "error: `a.` is not a host name"},
        {"host_open_bracket", [](Route& r) { r.host = "[::1"; },
         "error: `[::1` is not a host name"},
        {"host_empty_bracket", [](Route& r) { r.host = "[]"; }, "error: `[]` is not a host name"},
        {"host_bracketed_name", [](Route& r) { r.host = "[shop]"; },
         "error: `[shop]` is not a host"},
        {"host_rewrite_control", [](Route& r) { r.host_rewrite = "a\r"; },
         "error: `a\r` is not a host"},
        {"key_correlation_id", [](Route& r) { r.key.header = "Correlation-Id"; },
         "warning: `Correlation-Id` is new on every"},
        {"key_traceparent", [](Route& r) { r.key.header = "traceparent"; },
         "warning: `traceparent` is new on every"},
        {"guard_of_nothing_beside_a_key",
         [](Route& r) {
             r.key.source = KeyRule::Source::json;
             r.key.json_path = "$.id";
             r.key.derive = {"method"};
         },
         "error: all requests of one caller"},
    };
}

std::vector<Row> key_rows() {
    using Key = KeyRule::Source;
    return {
        {"key_header_blank", [](Route& r) { r.key.header = "X Key"; },
         "error: `X Key` is not the name of a header"},
        {"key_header_ours", [](Route& r) { r.key.header = "Pawl-Key"; },
         "error: `Pawl-Key` is removed"},
        {"key_header_attempt", [](Route& r) { r.key.header = "X-Attempt"; },
         "error: `X-Attempt` differs"},
        {"key_header_retry", [](Route& r) { r.key.header = "Retry"; }, "error: `Retry` differs"},
        {"key_header_date", [](Route& r) { r.key.header = "Date"; }, "error: `Date` differs"},
        {"key_request_id", [](Route& r) { r.key.header = "X-Request-ID"; },
         "warning: `X-Request-ID` is new on every"},
        {"key_json_none", [](Route& r) { r.key.source = Key::json; }, "error: "},
        {"key_json_whole",
         [](Route& r) {
             r.key.source = Key::json;
             r.key.json_path = "$";
         },
         "error: `$` is the whole"},
        {"key_json_time",
         [](Route& r) {
             r.key.source = Key::json;
             r.key.json_path = "$.meta.sent_at";
         },
         "error: `$.meta.sent_at` differs"},
        {"key_derive_nothing", [](Route& r) { r.key.source = Key::derived; },
         "error: all requests of one caller"},
        {"key_derive_caller",
         [](Route& r) {
             r.key.source = Key::derived;
             r.key.derive = {"caller", "method"};
         },
         "error: all requests of one caller"},
        {"key_derive_word",
         [](Route& r) {
             r.key.source = Key::derived;
             r.key.derive = {"caller", "body", "bdy"};
         },
         "error: `bdy` is not a part of a key"},
        {"key_derive_retry",
         [](Route& r) {
             r.key.source = Key::derived;
             r.key.derive = {"body", "$.retry_count"};
         },
         "error: `$.retry_count` differs"},
        {"key_derive_header",
         [](Route& r) {
             r.key.source = Key::derived;
             r.key.derive = {"body", "header:X-Retry-Count"};
         },
         "error: `X-Retry-Count` differs"},
        {"window_long",
         [](Route& r) {
             r.key.source = Key::derived;
             r.key.derive = {"body"};
             r.key.window = 25h;
         },
         "error: the window (25h) is longer than the result is kept (1d)"},
        {"key_format", [](Route& r) { r.key.format = "["; }, "error: the expression is not"},
    };
}

std::vector<Row> guard_rows() {
    using Key = KeyRule::Source;
    return {
        {"key_optional", [](Route& r) { r.key.required = false; },
         "warning: requests without a key are recognised as repeats for 3s only"},
        {"key_none", [](Route& r) { r.key.source = Key::none; },
         "warning: no key is read here, a client's Idempotency-Key header neither: equal requests "
         "are recognised as repeats for 3s only"},
        {"key_none_no_guard",
         [](Route& r) {
             r.key.source = Key::none;
             r.key.window = 0ms;
         },
         "recognised as repeats not at all"},
    };
}

std::vector<Row> caller_and_fingerprint_rows() {
    return {
        {"caller_public", [](Route& r) { r.caller = {}; },
         "warning: all callers share one space of keys"},
        {"caller_blank", [](Route& r) { r.caller.name = ""; },
         "error: `` is not the name of a header"},
        {"caller_ours", [](Route& r) { r.caller.name = "pawl-user"; },
         "error: `pawl-user` is removed"},
        {"caller_is_key", [](Route& r) { r.caller.name = "idempotency-key"; },
         "error: `idempotency-key` carries the key"},
        {"caller_mtls", [](Route& r) { r.caller = {CallerRule::Source::mtls, ""}; },
         "error: `` is nothing of a certificate"},
        {"raw_excludes",
         [](Route& r) { r.fingerprint = {FingerprintRule::Mode::raw, {}, {"$.a"}}; },
         "error: a raw fingerprint"},
        {"exclude_all", [](Route& r) { r.fingerprint.exclude = {"$"}; },
         "error: `$` leaves nothing"},
        {"exclude_word", [](Route& r) { r.fingerprint.exclude = {"sent_at"}; }, "error: "},
        {"include_word", [](Route& r) { r.fingerprint.include = {"a"}; }, "error: "},
    };
}

std::vector<Row> promise_rows() {
    return {
        {"horizon_zero", [](Route& r) { r.uncertain.effect_horizon = 0ms; },
         "warning: with no effect horizon"},
        {"probe_bad", [](Route& r) { r.uncertain.probe = "GET /x"; },
         "error: it names no operation"},
        {"close_bad", [](Route& r) { r.uncertain.close = "/x/{key}"; },
         "error: `/x/{key}` is not `METHOD /path`"},
        {"forgets", [](Route& r) { r.upstream_remembers = 10min; },
         "error: the upstream would forget an operation (10m)"},
    };
}

std::vector<Row> number_rows() {
    return {
        {"lease_short", [](Route& r) { r.lease = 2999ms; },
         "error: a lease of 2999ms cannot be renewed"},
        {"lease_over_hold", [](Route& r) { r.lease = 11min; },
         "error: the lease (11m) is longer than an attempt is held (10m)"},
        {"hold_long", [](Route& r) { r.hold_max = 24h + 1ms; }, "error: 86400001ms is too long"},
        {"wait_long", [](Route& r) { r.wait = 5min + 1ms; },
         "error: a client would be kept waiting for 300001ms"},
        {"wait_over_hold",
         [](Route& r) {
             r.hold_max = 30s;
             r.wait = 31s;
         },
         "error: a repeat would wait (31s)"},
        {"key_before_result", [](Route& r) { r.retention.key = 23h; },
         "error: the key (23h) would be forgotten before its result (1d)"},
        {"refused_before_money", [](Route& r) { r.retention.refused = 24h - 1ms; },
         "error: `strict-money` keeps a refusal (86399999ms) as long as a result (1d)"},
        {"refused_short",
         [](Route& r) {
             r.profile = Profile::ietf;
             r.retention.refused = 59s;
         },
         "error: a refusal kept for 59s is gone before a retry comes"},
        {"refused_after_key",
         [](Route& r) {
             r.retention.key = 25h;
             r.retention.refused = 25h + 1ms;
         },
         "error: the key (25h) would be forgotten before its refusal (90000001ms)"},
        {"result_short", [](Route& r) { r.retention.result = 59s; },
         "error: a result kept for 59s"},
        {"result_brief", [](Route& r) { r.retention.result = 59min; },
         "warning: after 59m a retry is answered 410"},
        {"body_large", [](Route& r) { r.body_bytes_max = kBodyBytesLimit + 1; },
         "error: 1073741825B is more"},
        {"answer_large", [](Route& r) { r.answer_bytes_max = kAnswerBytesLimit + 1; },
         "error: 16777217B is more"},
    };
}

std::vector<Row> offered_and_replay_rows() {
    return {
        {"strategy_cache", [](Route& r) { r.strategy = Strategy::cache; },
         "error: `cache` needs Redis, which this build does not have yet"},
        {"strategy_hybrid", [](Route& r) { r.strategy = Strategy::hybrid; },
         "error: `hybrid` needs Redis"},
        {"strategy_eventual", [](Route& r) { r.strategy = Strategy::eventual; },
         "error: `eventual` needs Kafka"},
        {"stripe_json_key",
         [](Route& r) {
             r.profile = Profile::stripe_v1;
             r.key = {.source = KeyRule::Source::json, .json_path = "$.id", .required = false};
         },
         "error: `stripe-v1` passes on what has no key"},
        {"repeat_current_post",
         [](Route& r) {
             r.on_repeat = OnRepeat::current;
             r.read = "POST /orders";
         },
         "error: `POST /orders` does not read"},
        {"repeat_current_by_missing_key",
         [](Route& r) {
             r.key = {.source = KeyRule::Source::derived, .derive = {"caller", "body"}};
             r.on_repeat = OnRepeat::current;
             r.read = "GET /orders/{key}";
         },
         "error: `{key}` is not known of every request"},
        {"in_progress_teapot", [](Route& r) { r.in_progress_status = 418; },
         "error: 418 does not say"},
        {"in_progress_of_stripe",
         [](Route& r) {
             r.profile = Profile::stripe_v1;
             r.in_progress_status = 423;
         },
         "error: clients of `stripe-v1` know 409 only"},
        {"replay_header_kept", [](Route& r) { r.replay_header = "Location"; },
         "error: `Location` cannot be the header"},
        {"replay_header_cookie", [](Route& r) { r.replay_header = "Set-Cookie"; },
         "error: `Set-Cookie` cannot be the header"},
        {"replay_header_blank", [](Route& r) { r.replay_header = "a b"; },
         "error: `a b` cannot be the header"},
        {"transactional_ietf",
         [](Route& r) {
             r.profile = Profile::ietf;
             r.transactional = true;
         },
         "warning: profile ietf stores every 5xx answer"},
        {"replay_cookie", [](Route& r) { r.replay_headers = {"Set-Cookie"}; },
         "error: `Set-Cookie` is never stored: a cookie"},
        {"replay_blank", [](Route& r) { r.replay_headers = {"X Y"}; },
         "error: `X Y` is not the name of a header"},
    };
}

std::vector<Row> rows() {
    std::vector<Row> all;
    for (const auto& some :
         {place_rows(), word_rows(), key_rows(), guard_rows(), caller_and_fingerprint_rows(),
          promise_rows(), number_rows(), offered_and_replay_rows()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

class CheckFinds : public testing::TestWithParam<std::size_t> {};

TEST_P(CheckFinds, ExactlyThisMistake) {
    const Row row = rows()[GetParam()];
    Route route = good();
    row.change(route);
    const auto findings = check_routes({route});
    EXPECT_THAT(said(findings), ElementsAre(HasSubstr(row.said)));
    for (const Finding& finding : findings) EXPECT_EQ(finding.line, 7);
}

INSTANTIATE_TEST_SUITE_P(Rows, CheckFinds, testing::Range(std::size_t{0}, rows().size()),
                         [](const auto& tested) { return rows()[tested.param].name; });

TEST(Check, OrdinaryWordsPass) {
    for (const auto& change :
         std::vector<std::function<void(Route&)>>{[](Route& r) { r.host = "shop-1.example_a"; },
                                                  [](Route& r) { r.host = "[2001:db8::1]"; },
                                                  [](Route& r) { r.host_rewrite = "backend:3000"; },
                                                  [](Route& r) { r.transactional = true; },
                                                  [](Route& r) { r.fingerprint.include = {"$"}; },
                                                  [](Route& r) {
                                                      r.profile = Profile::ietf;
                                                      r.retention.result = 2min;
                                                      r.caller = {};
                                                      r.key.required = false;
                                                  },
                                                  [](Route& r) {
                                                      r.key.source = KeyRule::Source::json;
                                                      r.key.json_path = "$.tries[0]";
                                                  },
                                                  [](Route& r) {
                                                      r.key.source = KeyRule::Source::derived;
                                                      r.key.derive = {"$.date", "$"};
                                                      r.key.required = false;
                                                      r.key.window = 0ms;
                                                  }}) {
        Route route = good();
        change(route);
        EXPECT_THAT(said(check_routes({route})), IsEmpty());
    }
}

TEST(Check, StripeStoresFiveHundredsWhetherRolledBackOrNot) {
    Route route = good();
    route.profile = Profile::stripe_v1;
    route.transactional = true;
    EXPECT_THAT(said(check_routes({route})),
                testing::ElementsAre(HasSubstr("profile stripe-v1 stores every 5xx")));
}

TEST(Check, LimitsAreTakenAtTheLimit) {
    Route route = good();
    route.name = std::string(kRouteNameLengthMax, 'n');
    route.lease = kLeaseMin;
    route.hold_max = kHoldLimit;
    route.wait = kWaitLimit;
    route.retention = {kMoneyResultRetentionAdvised, kMoneyResultRetentionAdvised};
    route.body_bytes_max = kBodyBytesLimit;
    route.answer_bytes_max = kAnswerBytesLimit;
    route.upstream_remembers = kHoldLimit + 1ms;
    EXPECT_THAT(said(check_routes({route})), IsEmpty());
    route.retention.key = std::nullopt;
    EXPECT_THAT(said(check_routes({route})), IsEmpty()) << "for ever is longer than any result";
}

// rulings 12: every money route with neither closing probe, nor rerunnable, nor Pawl-Outcome
TEST(Check, AMoneyRouteWithoutAnEndOfTheUncertainIsWarnedOf) {
    Route route = good();
    route.uncertain = {};
    route.uncertain.effect_horizon = 60s;
    EXPECT_THAT(said(check_routes({route})), ElementsAre(HasSubstr("cannot end by itself")));
    for (const auto& promise : std::vector<std::function<void(Route&)>>{
             [](Route& r) { r.uncertain.close = "POST /close/{operation_key}"; },
             [](Route& r) { r.upstream_remembers = 24h; },
             [](Route& r) { r.declares_outcome = true; }}) {
        Route promised = route;
        promise(promised);
        EXPECT_THAT(said(check_routes({promised})), IsEmpty());
    }
    route.uncertain.probe = "GET /orders/by/{operation_key}";
    EXPECT_THAT(said(check_routes({route})), ElementsAre(HasSubstr("cannot end by itself")))
        << "a probe finds, it does not close";
    route.profile = Profile::ietf;
    EXPECT_THAT(said(check_routes({route})), IsEmpty());
}

TEST(Check, WithoutAHorizonAndAClosingProbeNobodyCanSayNotApplied) {
    Route route = good();
    route.uncertain = {};
    route.declares_outcome = true;
    EXPECT_THAT(said(check_routes({route})),
                ElementsAre(HasSubstr("nobody can say `not applied`")));
}

TEST(Check, AnUnprotectedRouteIsOnlyAskedForItsPlace) {
    Route route;
    route.name = "static";
    route.method = "GET";
    route.path = "/*";
    route.protect = false;
    route.upstream = {"127.0.0.1", 3000, false, false};
    EXPECT_THAT(said(check_routes({route})), IsEmpty());
    route.path = "*";
    EXPECT_THAT(said(check_routes({route})), ElementsAre(HasSubstr("does not begin with `/`")));
}

TEST(Check, WhatAnUnprotectedRouteDoesNotUseIsWarnedOf) {
    Route route = good();
    route.protect = false;
    route.places = {{"match", 1, 1}, {"protect", 2, 12},   {"key", 3, 1},
                    {"key", 3, 1},   {"key.header", 3, 9}, {"wait", 4, 1}};
    const auto findings = check_routes({route});
    EXPECT_THAT(said(findings),
                ElementsAre("warning: `key`, `wait` is not used on a route without protection"));
    EXPECT_EQ(findings[0].line, 2);
    route.places = {{"match", 1, 1}, {"name", 1, 1},     {"was", 1, 1},
                    {"host", 1, 1},  {"upstream", 1, 1}, {"host_rewrite", 1, 1}};
    EXPECT_THAT(said(check_routes({route})), IsEmpty());
}

TEST(Check, AShadowIsJudgedAsWhatItIsAShadowOf) {
    Route route = good();
    route.protect = false;
    route.shadow = true;
    route.places = {{"protect", 2, 12}, {"key", 3, 1}};
    EXPECT_THAT(said(check_routes({route})), IsEmpty());
    route.key.source = KeyRule::Source::json;
    route.key.json_path = "$.id";
    EXPECT_THAT(said(check_routes({route})),
                ElementsAre("warning: a shadow does not look into bodies, and the key is inside"));
    route = good();
    route.protect = false;
    route.shadow = true;
    route.method = "GET";
    EXPECT_THAT(said(check_routes({route})),
                testing::Contains(HasSubstr("GET changes nothing and takes no record")));
}

TEST(Check, FindingsPointAtTheSettingOrTheNearestOneAroundIt) {
    Route route = good();
    route.places = {{"lease", 9, 12},
                    {"retention", 10, 16},
                    {"uncertain.effect_horizon", 11, 40},
                    {"uncertain", 11, 3}};
    route.lease = 1s;
    route.retention.key = 1h;
    route.uncertain.effect_horizon = 0ms;
    route.wait = 1h;
    std::vector<std::pair<int, int>> places;
    for (const Finding& finding : check_routes({route}))
        places.emplace_back(finding.line, finding.column);
    EXPECT_THAT(places, testing::UnorderedElementsAre(testing::Pair(9, 12), testing::Pair(10, 16),
                                                      testing::Pair(11, 40), testing::Pair(7, 5),
                                                      testing::Pair(7, 5)));
}

TEST(Check, NamesBelongToOneRoute) {
    Route other = good();
    other.path = "/others";
    other.line = 20;
    EXPECT_THAT(said(check_routes({good(), other})),
                ElementsAre("error: the name `create-order` is taken by the route in line 7"));
    other.name = "other";
    other.was = "create-order";
    EXPECT_THAT(said(check_routes({good(), other})),
                ElementsAre("error: `create-order` is still the name of the route in line 7"));
    Route first = good();
    first.was = other.was = "old";
    EXPECT_THAT(said(check_routes({first, other})),
                ElementsAre("error: the route in line 7 was called `old` too"));
}

TEST(Check, EqualPatternsAreRefusedAndCrossingOnesWarnedOf) {
    Route other = good();
    other.name = "other";
    other.line = 20;
    auto findings = check_routes({good(), other});
    EXPECT_THAT(said(findings),
                ElementsAre("error: the route in line 7 answers to the same requests"));
    EXPECT_EQ(findings[0].line, 20);
    other.host = "shop.example";
    EXPECT_THAT(said(check_routes({good(), other})), IsEmpty());
    Route first = good();
    first.path = "/{shop}/orders";
    other.path = "/admin/{what}";
    EXPECT_THAT(said(check_routes({first, other})),
                ElementsAre(HasSubstr("some requests fit this route and the one in line 7")));
    other.method = "PUT";
    EXPECT_THAT(said(check_routes({first, other})), IsEmpty());
    other.method = "*";
    EXPECT_EQ(check_routes({first, other}).size(), 1U);
    first.host = "other.example";
    EXPECT_THAT(said(check_routes({first, other})), IsEmpty());
}

TEST(Check, TwoThousandRoutesAreTakenAndOneMoreIsNot) {
    std::vector<Route> routes;
    for (std::size_t i = 0; i < kRoutesMax; ++i) {
        routes.push_back(good());
        routes.back().name = routes.back().path = "/orders/" + std::to_string(i);
    }
    EXPECT_THAT(said(check_routes(routes)), IsEmpty());
    routes.push_back(good());
    EXPECT_THAT(said(check_routes(routes)), ElementsAre("error: there are 2001 routes"));
}

TEST(Check, RoutesWithoutAnErrorCompile) {
    for (const Row& row : rows()) {
        Route route = good();
        row.change(route);
        if (!has_errors(check_routes({route}))) {
            EXPECT_TRUE(RouteTable::build({route})) << row.name;
        }
    }
}

TEST(Check, AttemptAttributesAreKnownInEverySpelling) {
    for (const std::string_view name :
         {"Retry", "X-Attempt", "x-retry-count", "retryCount", "RETRY_NUMBER", "Date", "sentAt",
          "ts_ms", "X-Timestamp", "delivery_attempt", "X-Amz-Date"})
        EXPECT_TRUE(is_attempt_attribute(name)) << name;
    for (const std::string_view name : {"Idempotency-Key", "order_id", "X-Order", "start_time", "",
                                        "X-", "x", "{", "ts2", "tsunami", "attempter"})
        EXPECT_FALSE(is_attempt_attribute(name)) << name;
}

}  // namespace
}  // namespace pawl::policy
