// SPDX-License-Identifier: Apache-2.0
// What an operation is known by, and what a repeat of it gets.
#include "surface/config/broken_fixture.hpp"

namespace pawl::config {
namespace {

std::vector<BrokenFile> key_rows() {
    return {
        {"key_text",
         with("key", "X-Key"),
         {"f:4:10: error: `key` is a single value; write `key: { header: X-Key }`"}},
        {"key_list",
         with("key", "[a]"),
         {"f:4:10: error: `key` is a list; write `key: { header: Idempotency-Key }`"}},
        {"key_two",
         with("key", "{ header: K, json: $.id }"),
         {"f:4:10: error: `key` names a header and a member of the body; keep one of `header` and "
          "`json`"}},
        {"key_typo",
         with("key", "{ hedaer: K }"),
         {"f:4:12: error: `hedaer` is not known in `key`; did you mean `header`?"}},
        {"key_derive_required",
         with("key", "{ header: K, derive: [body] }"),
         {"f:4:10: error: `derive` beside a key that is required is never used; write `required: "
          "false`, or remove `derive`"}},
        {"key_window_required",
         with("key", "{ header: K, window: 3s }"),
         {"f:4:10: error: `window` beside a key that is required is never used; write `required: "
          "false`, or remove `window`"}},
        {"key_required_alone",
         with("key", "{ derive: [body], required: true }"),
         {"f:4:10: error: `required` speaks of a key that a client sends, and none is named; add "
          "`header`, or remove `required`"}},
        {"key_format_alone",
         with("key", "{ derive: [body], format: \"x\" }"),
         {"f:4:10: error: `format` speaks of a key that a client sends, and none is named; add "
          "`header`, or remove `format`"}},
        {"key_token",
         with("key", "{ token: main }"),
         {"f:4:12: error: `token` comes with a later version; remove `token`"}},
        {"key_derive_map",
         with("key", "{ derive: { a: b } }"),
         {"f:4:20: error: `derive` is a map; write `derive: [one, two]`"}},
        {"key_derive_nested",
         with("key", "{ derive: [[a]] }"),
         {"f:4:21: error: `derive` holds a list; write `derive: [one, two]`"}},
        {"key_retry",
         with("key", "{ header: X-Retry-Count }"),
         {"f:4:20: error: `X-Retry-Count` differs from attempt to attempt, so no retry would find "
          "its operation; write what all attempts of one operation share"}},
        {"key_json",
         with("key", "{ json: id }"),
         {"f:4:18: error: JSON path \"id\", character 1: a path begins with $.; write a path such "
          "as `$.request_id`"}},
        {"key_required_text",
         with("key", "{ header: K, required: maybe }"),
         {"f:4:33: error: `required`: `maybe` is not `true` or `false`"}},
    };
}

std::vector<BrokenFile> caller_and_fingerprint_rows() {
    return {
        {"caller_word",
         with("caller", "private"),
         {"f:5:13: error: `caller`: `private` is not known; write `caller: public` or `caller: { "
          "header: X-User }`"}},
        {"caller_list",
         with("caller", "[a]"),
         {"f:5:13: error: `caller` is a list; write `caller: public` or `caller: { header: X-User "
          "}`"}},
        {"caller_empty",
         with("caller", "{}"),
         {"f:5:13: error: `caller` names nothing; write `caller: public` or `caller: { header: "
          "X-User }`"}},
        {"caller_two",
         with("caller", "{ header: U, jwt: main }"),
         {"f:5:13: error: `caller` is named in several ways; keep one of them"}},
        {"fingerprint_word",
         plus("fingerprint: canonical"),
         {"f:7:18: error: `fingerprint`: `canonical` is not known; write `raw`, `automatic`, or `{ "
          "json: canonical, exclude: [$.sent_at] }`"}},
        {"fingerprint_list",
         plus("fingerprint: [a]"),
         {"f:7:18: error: `fingerprint` is a list; write `raw`, `automatic`, or `{ json: "
          "canonical, exclude: [$.sent_at] }`"}},
        {"fingerprint_json",
         plus("fingerprint: { json: canonic }"),
         {"f:7:26: error: `json`: `canonic` is not known; did you mean `canonical`?"}},
        {"fingerprint_path",
         plus("fingerprint: { json: canonical, exclude: [sent_at] }"),
         {"f:7:46: error: JSON path \"sent_at\", character 1: a path begins with $.; write a path "
          "such as `$.sent_at`"}},
    };
}

std::vector<BrokenFile> repeat_rows() {
    return {
        {"on_repeat",
         plus("on_repeat: curent"),
         {"f:7:16: error: `on_repeat`: `curent` is not known; did you mean `current`?"}},
        {"on_repeat_alone",
         plus("on_repeat: current"),
         {"f:7:16: error: `current` needs the request that reads what was made; write `on_repeat: "
          "{ current: \"GET {location}\" }`"}},
        {"on_repeat_list",
         plus("on_repeat: [current]"),
         {"f:7:16: error: `on_repeat` is a list; write `on_repeat: { … }`"}},
        {"on_repeat_nothing",
         plus("on_repeat: {}"),
         {"f:7:16: error: `on_repeat` says nothing; write `on_repeat: { current: \"GET "
          "{location}\" }`"}},
        {"on_repeat_unknown",
         plus("on_repeat: { curent: GET /o }"),
         {"f:7:18: error: `curent` is not known in `on_repeat`; did you mean `current`?"}},
        {"on_repeat_current",
         plus("on_repeat: { current: \"GET /o/{id}\" }"),
         {"f:7:27: error: `{id}` is not known here; write {key} or {location}"}},
        {"version",
         plus("version: { header: Pawl-Version }"),
         {"f:7:14: error: a newer version runs the operation again, which is a second effect where "
          "the upstream does not promise to tell operations apart; write `upstream_remembers: "
          "400d` "
          "where it honours the operation key and lets a higher `Pawl-Version` replace a lower "
          "one, "
          "or remove `version`"}},
        {"version_scalar",
         plus("version: Pawl-Version"),
         {"f:7:14: error: `version` is a single value; write `version: { … }`"}},
        {"version_nothing",
         plus("version: {}"),
         {"f:7:14: error: `version` names nothing; write `version: { header: Pawl-Version }`"}},
        {"version_twice",
         plus("version: { header: Pawl-Version, json: $.rev }\nupstream_remembers: 1d"),
         {"f:7:14: error: `version` names a header and a member of the body; keep one of `header` "
          "and `json`"}},
    };
}

INSTANTIATE_TEST_SUITE_P(Keys, Broken, testing::ValuesIn(key_rows()), name_of_broken);
INSTANTIATE_TEST_SUITE_P(CallersAndFingerprints, Broken,
                         testing::ValuesIn(caller_and_fingerprint_rows()), name_of_broken);
INSTANTIATE_TEST_SUITE_P(Repeats, Broken, testing::ValuesIn(repeat_rows()), name_of_broken);

}  // namespace
}  // namespace pawl::config
