// SPDX-License-Identifier: Apache-2.0
// What an operation is known by: key, guard, caller and fingerprint.
#include "core/policy/check_fixture.hpp"

namespace pawl::policy {
namespace {

using namespace std::chrono_literals;

std::vector<Mistake> key_rows() {
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
        {"key_correlation_id", [](Route& r) { r.key.header = "Correlation-Id"; },
         "warning: `Correlation-Id` is new on every"},
        {"key_traceparent", [](Route& r) { r.key.header = "traceparent"; },
         "warning: `traceparent` is new on every"},
    };
}

std::vector<Mistake> guard_rows() {
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
        {"guard_of_nothing_beside_a_key",
         [](Route& r) {
             r.key.source = Key::json;
             r.key.json_path = "$.id";
             r.key.derive = {"method"};
         },
         "error: all requests of one caller"},
    };
}

std::vector<Mistake> caller_and_fingerprint_rows() {
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

INSTANTIATE_TEST_SUITE_P(Keys, CheckFinds, testing::ValuesIn(key_rows()), name_of_mistake);
INSTANTIATE_TEST_SUITE_P(Guards, CheckFinds, testing::ValuesIn(guard_rows()), name_of_mistake);
INSTANTIATE_TEST_SUITE_P(CallersAndFingerprints, CheckFinds,
                         testing::ValuesIn(caller_and_fingerprint_rows()), name_of_mistake);

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
