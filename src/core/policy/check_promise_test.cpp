// SPDX-License-Identifier: Apache-2.0
// What a route promises and what its upstream does: outcomes, times, sizes, strategies, and what a repeat gets.
#include "core/policy/check_fixture.hpp"

namespace pawl::policy {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Mistake> promise_rows() {
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

std::vector<Mistake> number_rows() {
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

std::vector<Mistake> offered_and_replay_rows() {
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

INSTANTIATE_TEST_SUITE_P(Promises, CheckFinds, testing::ValuesIn(promise_rows()), name_of_mistake);
INSTANTIATE_TEST_SUITE_P(Numbers, CheckFinds, testing::ValuesIn(number_rows()), name_of_mistake);
INSTANTIATE_TEST_SUITE_P(Repeats, CheckFinds, testing::ValuesIn(offered_and_replay_rows()),
                         name_of_mistake);

TEST(Check, StripeStoresFiveHundredsWhetherRolledBackOrNot) {
    Route route = good_route();
    route.profile = Profile::stripe_v1;
    route.transactional = true;
    EXPECT_THAT(said(check_routes({route})),
                testing::ElementsAre(HasSubstr("profile stripe-v1 stores every 5xx")));
}

TEST(Check, LimitsAreTakenAtTheLimit) {
    Route route = good_route();
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
    Route route = good_route();
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
    Route route = good_route();
    route.uncertain = {};
    route.declares_outcome = true;
    EXPECT_THAT(said(check_routes({route})),
                ElementsAre(HasSubstr("nobody can say `not applied`")));
}

}  // namespace
}  // namespace pawl::policy
