// SPDX-License-Identifier: Apache-2.0
// Broken configurations and the whole of what is said about each, so that a change of wording is seen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "surface/config/load.hpp"

namespace pawl::config {
namespace {

struct Row {
    std::string name;
    std::string text;
    std::vector<std::string> said;
};

// A file without a finding.
constexpr std::string_view kGood = R"(routes:
  - match: POST /o
    upstream: demo
    key: { header: K }
    caller: { header: U }
    uncertain: { close: "POST /c/{operation_key}" }
)";

// The good file with lines before it, with lines more in its route, and with one setting written otherwise.
std::string top(std::string_view lines) { return std::string(lines).append("\n").append(kGood); }
std::string plus(std::string lines) {
    for (std::size_t at = lines.find('\n'); at != std::string::npos; at = lines.find('\n', at + 1))
        lines.insert(at + 1, "    ");
    return std::string(kGood).append("    ").append(lines).append("\n");
}
std::string with(std::string_view name, std::string_view value) {
    std::string text(kGood);
    const auto at = text.find(std::string(name) + ": ") + name.size() + 2;
    return text.replace(at, text.find('\n', at) - at, value);
}

std::vector<Row> file_rows() {
    return {
        {"empty",
         "",
         {"f: error: there is nothing to serve: no routes and no `default_upstream`; write "
          "`routes:` with one `- match: POST /orders`"}},
        {"null_file",
         "~",
         {"f: error: there is nothing to serve: no routes and no `default_upstream`; write "
          "`routes:` with one `- match: POST /orders`"}},
        {"scalar_file",
         "hello",
         {"f:1:1: error: the file is a single value; write `name: value` lines, `routes:` among "
          "them"}},
        {"list_file",
         "- a",
         {"f:1:1: error: the file is a list; write `name: value` lines, `routes:` among them"}},
        {"bracket",
         "routes: [",
         {"f:1:1: error: this is not YAML: end of sequence flow not found; look at the "
          "indentation, the quotes and the brackets up to here"}},
        {"indentation",
         "listen: 127.0.0.1:1\n  admin: x",
         {"f:2:8: error: this is not YAML: illegal map value; look at the indentation, the quotes "
          "and the brackets up to here"}},
        {"tab",
         "routes:\n\t- match: x",
         {"f:2:2: error: this is not YAML: illegal block entry; look at the indentation, the "
          "quotes and the brackets up to here"}},
        {"control",
         "listen: x\nadmin: \x7f",
         {"f:2:8: error: here is a control character; write the file as UTF-8 text"}},
    };
}

std::vector<Row> shape_rows() {
    return {
        {"two_documents",
         top("loops: 1\n---"),
         {"f:2:1: error: a second document begins; write one document; remove the `---`"}},
        {"alias",
         top("listen: &a 127.0.0.1:1\nadmin: *a"),
         {"f:2:8: error: aliases are not read; write the value out where it is used"}},
        {"merge",
         plus("<<: { wait: 1s }"),
         {"f:7:5: error: `<<` is not known here; known are match, host, host_rewrite, name, was, "
          "upstream, protect, key, version, caller, authorize, tenant, cors, upstream_tls, "
          "fingerprint, "
          "profile, strategy, tier, "
          "on_repeat, "
          "uncertain, retention, wait, lease, hold_max, rerunnable, upstream_remembers, "
          "transactional, declares_outcome, keep_encodings, in_progress_status, "
          "replay_header, replay_headers, body_bytes_max, answer_bytes_max"}},
        {"list_as_name",
         top("[a]: b"),
         {"f:1:1: error: a name is a list or a map; write plain text before the `:`"}},
        {"repeated",
         top("listen: 127.0.0.1:1\nlisten: 127.0.0.1:2"),
         {"f:2:1: error: `listen` stands twice here; remove one of them"}},
        {"typo",
         top("lisen: 127.0.0.1:1"),
         {"f:1:1: error: `lisen` is not known here; did you mean `listen`?"}},
        {"unknown",
         top("colour: red"),
         {"f:1:1: error: `colour` is not known here; known are listen, admin, tls, admin_token, "
          "store, body_folder, loops, node, tenant, drain, dev, log, limits, default_upstream, "
          "callers, cors, upstream_tls, routes"}},
        {"later",
         top("flows: [order]\nkafka: { brokers: x }"),
         {"f:1:1: error: `flows` comes with a later version; remove `flows`",
          "f:2:1: error: `kafka` comes with a later version; remove `kafka`"}},
    };
}

std::vector<Row> address_rows() {
    return {
        {"no_value",
         top("listen:"),
         {"f:2:1: error: `listen` has no value; write one, or remove `listen`"}},
        {"listen_no_port",
         top("listen: 127.0.0.1"),
         {"f:1:9: error: `listen`: `127.0.0.1` is not an address and a port; write "
          "`127.0.0.1:8080`"}},
        {"listen_name",
         top("listen: shop.example:80"),
         {"f:1:9: error: `listen`: `shop.example` is not an IP address; write `0.0.0.0:80` for "
          "all, `127.0.0.1:80` for this machine only"}},
        {"listen_port",
         top("listen: 127.0.0.1:65536"),
         {"f:1:9: error: `listen`: `127.0.0.1:65536` is not an address and a port; write "
          "`127.0.0.1:8080`"}},
        {"listen_map",
         top("listen: { host: x }"),
         {"f:1:9: error: `listen` is a map; write `listen: …` with a single value"}},
        {"listen_v6",
         top("listen: \"::1:80\""),
         {"f:1:9: error: `listen`: `::1:80` is not an address and a port; write `127.0.0.1:8080`"}},
        {"same_address",
         top("listen: 127.0.0.1:80\nadmin: 127.0.0.1:80"),
         {"f:2:8: error: `admin` and `listen` are the same address; give `admin` another port"}},
        {"admin_no_port",
         top("admin: 127.0.0.1"),
         {"f:1:8: error: `admin`: `127.0.0.1` is not an address and a port; write "
          "`127.0.0.1:8081`"}},
        {"open_admin",
         top("admin: 0.0.0.0:8081"),
         {"f:1:8: error: everybody who reaches 0.0.0.0:8081 could settle operations; write "
          "`admin_token: { file: … }`, set PAWL_ADMIN_TOKEN, or listen on 127.0.0.1"}},
        {"secret",
         top("admin_token: hunter2"),
         {"f:1:14: error: a secret stands in the file; write `admin_token: { file: "
          "/run/secrets/pawl }`, or set PAWL_ADMIN_TOKEN"}},
    };
}

std::vector<Row> other_top_rows() {
    return {
        {"no_token",
         top("admin_token: {}"),
         {"f:1:14: error: `admin_token` names nothing; write `file: /run/secrets/pawl` in it"}},
        {"number",
         top("loops: \"\""),
         {"f:1:8: error: `loops`: `` is not a whole number from 0 to 256"}},
        {"empty_text",
         top("node: \"\""),
         {"f:1:7: error: `node`: the value is empty; write one, or remove the setting"}},
        {"store_kind",
         top("store: { kind: sqlight }"),
         {"f:1:16: error: `kind`: `sqlight` is not known; write one of sqlite, postgres, mysql, "
          "redis, hybrid"}},
        {"store_later",
         top("store: { kind: postgres }"),
         {"f:1:16: error: `kind`: `postgres` comes with a later version; write `sqlite`"}},
        {"store_text",
         top("store: pawl.db"),
         {"f:1:8: error: `store` is a single value; write `store: { … }`"}},
        {"store_typo",
         top("store: { pth: x }"),
         {"f:1:10: error: `pth` is not known in `store`; did you mean `path`?"}},
        {"loops",
         top("loops: 257"),
         {"f:1:8: error: `loops`: `257` is not a whole number from 0 to 256"}},
        {"loops_text",
         top("loops: many"),
         {"f:1:8: error: `loops`: `many` is not a whole number from 0 to 256"}},
        {"drain",
         top("drain: 30"),
         {"f:1:8: error: `drain`: `30` is not a duration; write a whole number and ms, s, m, h or "
          "d, as in `10s`"}},
        {"dev", top("dev: yes"), {"f:1:6: error: `dev`: `yes` is not `true` or `false`"}},
        {"log",
         top("log: { level: verbose }"),
         {"f:1:15: error: `level`: `verbose` is not known; write one of debug, info, warn, error"}},
        {"limits",
         top("limits: { connections_max: 0, cache_bytes_max: 8MB }"),
         {"f:1:28: error: `connections_max`: `0` is not a whole number from 1 to 1000000",
          "f:1:48: error: `cache_bytes_max`: `8MB` is not a size; write a whole number and B, KiB, "
          "MiB or GiB, as in `8MiB`"}},
        {"no_room_for_a_body",
         top("limits: { body_disk_bytes_max: 1023KiB }"),
         {"f:1:32: error: `body_disk_bytes_max` leaves no room for a long body; write at least "
          "1MiB"}},
        {"default_upstream",
         top("default_upstream: 127.0.0.1:3000"),
         {"f:1:19: error: `default_upstream`: `127.0.0.1:3000` has no `http://` or `https://`; "
          "write `http://127.0.0.1:3000`"}},
    };
}

std::vector<Row> place_rows() {
    return {
        {"routes_map",
         "routes: { match: POST /o }",
         {"f:1:9: error: `routes` is a map; write each route below it as `- match: …`"}},
        {"route_text",
         "routes: [POST /o]",
         {"f:1:10: error: a route is a single value; write `- match: POST /orders`"}},
        {"no_match",
         "routes:\n  - upstream: demo\n    protect: false",
         {"f:2:5: error: the route has no `match`; write `match: POST /orders`"}},
        {"match_slip",
         "routes:\n  - mathc: POST /o\n    upstream: demo\n",
         {"f:2:5: error: `mathc` is not known here; did you mean `match`?"}},
        {"upstream_slip",
         "routes:\n  - match: POST /o\n    upstraem: demo\n  - match: POST /p\n",
         {"f:3:5: error: `upstraem` is not known here; did you mean `upstream`?",
          "f:4:5: error: `POST /p` names no upstream; write `upstream: http://127.0.0.1:3000`"}},
        {"match_path",
         with("match", "/orders"),
         {"f:2:12: error: `match`: `/orders` is not a method and a path; write `POST /orders`"}},
        {"match_slash",
         with("match", "POST orders"),
         {"f:2:12: error: the path `orders` does not begin with `/`"}},
        {"match_method_and_slash",
         with("match", "PSOT o"),
         {"f:2:12: warning: `PSOT` is a method that few clients send; did you mean `POST`?",
          "f:2:12: error: the path `o` does not begin with `/`"}},
        {"match_method_small",
         with("match", "post /o"),
         {"f:2:12: error: `post` is not a method; write it in capitals (`POST`), or `*` for any"}},
        {"match_blank",
         with("match", "\"POST \""),
         {"f:2:12: error: `match`: `POST ` is not a method and a path; write `POST /orders`"}},
        {"no_upstream",
         "routes:\n  - match: POST /o\n    protect: false",
         {"f:2:5: error: `POST /o` names no upstream; write `upstream: http://127.0.0.1:3000`"}},
    };
}

std::vector<Row> upstream_rows() {
    return {
        {"upstream_path",
         with("upstream", "http://a/b"),
         {"f:3:15: error: `upstream`: `http://a/b` has a path, but requests keep their own; write "
          "`http://127.0.0.1:3000`"}},
        {"upstream_port",
         with("upstream", "http://a:0"),
         {"f:3:15: error: `upstream`: `0` is not a port; write one from 1 to 65535"}},
        {"upstream_user",
         with("upstream", "http://u@a"),
         {"f:3:15: error: `upstream`: `http://u@a` holds a user name, which is not sent; write "
          "`http://127.0.0.1:3000`"}},
        {"upstream_host",
         with("upstream", "http://"),
         {"f:3:15: error: `upstream`: `http://` names no host; write `http://127.0.0.1:3000`"}},
        {"upstream_ftp",
         with("upstream", "ftp://a"),
         {"f:3:15: error: `upstream`: `ftp://a` has no `http://` or `https://`; write "
          "`http://127.0.0.1:3000`"}},
        {"protected_get",
         with("match", "GET /o"),
         {"f:2:12: error: GET changes nothing and takes no record; write `protect: false`, or "
          "leave the route to `default_upstream`"}},
        {"twins",
         plus("") + "  - match: POST /o\n    upstream: demo\n    protect: false\n",
         {"f:8:5: error: the name `POST /o` is taken by the route in line 2; write `name:` with "
          "another one; records belong to names",
          "f:8:12: error: the route in line 2 answers to the same requests; remove one of them, or "
          "give them different hosts"}},
        {"several",
         "routes:\n  - match: POST o\n    upstream: localhost:3000\n    key: { header: K }\n    "
         "caller: { headr: U }\n    wait: 10\n    uncertain: { close: \"POST /c/{operation}\" }\n  "
         "  retention: { result: 2h, key: 1h }",
         {"f:2:12: error: the path `o` does not begin with `/`",
          "f:3:15: error: `upstream`: `localhost:3000` has no `http://` or `https://`; write "
          "`http://127.0.0.1:3000`",
          "f:5:15: error: `headr` is not known in `caller`; did you mean `header`?",
          "f:6:11: error: `wait`: `10` is not a duration; write a whole number and ms, s, m, h or "
          "d, as in `10s`",
          "f:7:25: error: `{operation}` is not known here; write {operation_key}, {operation_ref} "
          "or {key}",
          "f:8:35: error: the key (1h) would be forgotten before its result (2h); write `key: 2h` "
          "or more"}},
    };
}

std::vector<Row> key_rows() {
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

std::vector<Row> caller_and_fingerprint_rows() {
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

std::vector<Row> choice_rows() {
    return {
        {"profile",
         plus("profile: strict_money"),
         {"f:7:14: error: `profile`: `strict_money` is not known; did you mean `strict-money`?"}},
        {"strategy",
         plus("strategy: hybrid"),
         {"f:7:15: error: `hybrid` needs Redis, which this build does not have yet; write "
          "`strategy: strict`"}},
        {"tier",
         plus("tier: fast"),
         {"f:7:11: error: `tier`: `fast` is not known; write one of core, normal, side"}},
    };
}

std::vector<Row> number_rows() {
    return {
        {"rerunnable",
         plus("rerunnable: true"),
         {"f:7:17: error: `rerunnable` needs to know how long the upstream honours the operation "
          "key; write `upstream_remembers: 24h`; `rerunnable` follows from it"}},
        {"rerunnable_misread",
         plus("rerunnable: true\nupstream_remembers: 1x"),
         {"f:8:25: error: `upstream_remembers`: `1x` is not a duration; write a whole number and "
          "ms, s, m, h or d, as in `10s`"}},
        {"not_rerunnable",
         plus("rerunnable: false\nupstream_remembers: 24h"),
         {"f:7:17: error: `rerunnable: false` contradicts `upstream_remembers`; remove one of "
          "them"}},
        {"retention",
         plus("retention: { result: 24h, key: 23h }"),
         {"f:7:36: error: the key (23h) would be forgotten before its result (1d); write `key: 1d` "
          "or more"}},
        {"refused",
         plus("retention: { refused: 300s }"),
         {"f:7:27: error: `strict-money` keeps a refusal (5m) as long as a result (1d); write "
          "`refused: 1d`, or another `profile`"}},
        {"for_ever",
         plus("retention: { result: forever }"),
         {"f:7:26: error: `result`: `forever` is not a duration; write a whole number and ms, s, "
          "m, h or d, as in `10s`"}},
        {"wait",
         plus("wait: 1.5s"),
         {"f:7:11: error: `wait`: `1.5s` is not a duration; write a whole number and ms, s, m, h "
          "or d, as in `10s`"}},
        {"lease",
         plus("lease: 1s"),
         {"f:7:12: error: a lease of 1s cannot be renewed in time; write `lease: 3s` or more"}},
        {"hold",
         plus("hold_max: 5s"),
         {"f:2:5: error: a repeat would wait (10s) longer than an attempt is held (5s); write a "
          "shorter `wait` or a longer `hold_max`",
          "f:2:5: error: the lease (30s) is longer than an attempt is held (5s); write a shorter "
          "`lease` or a longer `hold_max`"}},
        {"body",
         plus("body_bytes_max: 8M"),
         {"f:7:21: error: `body_bytes_max`: `8M` is not a size; write a whole number and B, KiB, "
          "MiB or GiB, as in `8MiB`"}},
        {"replay",
         plus("replay_headers: [Set-Cookie, X-A]"),
         {"f:7:21: error: `Set-Cookie` is never stored: a cookie belongs to one exchange; remove "
          "it"}},
        {"route_typo",
         plus("upstrem_remembers: 24h"),
         {"f:7:5: error: `upstrem_remembers` is not known here; did you mean "
          "`upstream_remembers`?"}},
    };
}

std::vector<Row> repeat_rows() {
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

std::vector<Row> rows() {
    std::vector<Row> all;
    for (const auto& some :
         {file_rows(), shape_rows(), address_rows(), other_top_rows(), place_rows(),
          upstream_rows(), key_rows(), caller_and_fingerprint_rows(), choice_rows(), number_rows(),
          repeat_rows()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

std::vector<std::string> said_about(std::string_view text) {
    const auto loaded = load_config(text, {});
    std::vector<std::string> lines;
    for (const policy::Finding& finding : loaded ? loaded->warnings : loaded.error())
        lines.push_back(shown("f", finding));
    return lines;
}

TEST(GoodFile, HasNoFinding) { EXPECT_THAT(said_about(kGood), testing::IsEmpty()); }

TEST(Method, OfNobodysIsWarnedOfWithTheOneThatWasMeant) {
    EXPECT_THAT(
        said_about(with("match", "PSOT /o")),
        testing::ElementsAre("f:2:12: warning: `PSOT` is a method that few clients send; did you "
                             "mean `POST`?"));
    EXPECT_THAT(
        said_about(with("match", "SUBSCRIBE /o")),
        testing::ElementsAre("f:2:12: warning: `SUBSCRIBE` is a method that few clients send; "
                             "write one such as `POST`"));
    EXPECT_THAT(said_about(with("match", "PURGE /o")), testing::IsEmpty());
}

class Broken : public testing::TestWithParam<std::size_t> {};

TEST_P(Broken, IsToldWithItsPlaceAndWhatToWrite) {
    const Row row = rows()[GetParam()];
    EXPECT_FALSE(load_config(row.text, {}));
    EXPECT_THAT(said_about(row.text), testing::ElementsAreArray(row.said));
}

INSTANTIATE_TEST_SUITE_P(Files, Broken, testing::Range(std::size_t{0}, rows().size()),
                         [](const auto& tested) { return rows()[tested.param].name; });

TEST(Broken, AFindingIsOneLineWhateverStandsInTheFile) {
    const auto loaded = load_config("routes: [{ \"a\\nb\\x1b[2J\": 1 }]\n\"c\\rd\": 2\n", {});
    ASSERT_FALSE(loaded);
    std::string all;
    for (const policy::Finding& finding : loaded.error()) {
        const std::string line = shown("f", finding);
        EXPECT_EQ(line.find_first_of("\n\r\x1b"), std::string::npos) << line;
        all += line;
    }
    EXPECT_THAT(all, testing::HasSubstr("a\\x0ab\\x1b[2J"));
}

}  // namespace
}  // namespace pawl::config
