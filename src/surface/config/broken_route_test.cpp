// SPDX-License-Identifier: Apache-2.0
// A route: its place, its upstream, what it chooses, its times and sizes.
#include "surface/config/broken_fixture.hpp"

namespace pawl::config {
namespace {

std::vector<BrokenFile> place_rows() {
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

std::vector<BrokenFile> upstream_rows() {
    return {
        {"upstream_path",
         with("upstream", "http://a/b"),
         {"f:3:15: error: `upstream`: `http://a/b` has a path, but requests keep their own; write "
          "`http://a`"}},
        {"upstream_own_address",
         with("upstream", "http://127.0.0.1:3100/api"),
         {"f:3:15: error: `upstream`: `http://127.0.0.1:3100/api` has a path, but requests keep "
          "their own; write `http://127.0.0.1:3100`"}},
        {"upstream_own_port",
         with("upstream", "127.0.0.1:3100"),
         {"f:3:15: error: `upstream`: `127.0.0.1:3100` has no `http://` or `https://`; write "
          "`http://127.0.0.1:3100`"}},
        {"upstream_port",
         with("upstream", "http://a:0"),
         {"f:3:15: error: `upstream`: `0` is not a port; write one from 1 to 65535"}},
        {"upstream_user",
         with("upstream", "http://u@a"),
         {"f:3:15: error: `upstream`: `http://u@a` holds a user name, which is not sent; write "
          "`http://a`"}},
        {"upstream_host",
         with("upstream", "http://"),
         {"f:3:15: error: `upstream`: `http://` names no host; write `http://127.0.0.1:3000`"}},
        {"upstream_ftp",
         with("upstream", "ftp://a"),
         {"f:3:15: error: `upstream`: `ftp://a` has no `http://` or `https://`; write "
          "`http://a`"}},
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
          "`http://localhost:3000`",
          "f:5:15: error: `headr` is not known in `caller`; did you mean `header`?",
          "f:6:11: error: `wait`: `10` is not a duration; write a whole number and ms, s, m, h or "
          "d, as in `10s`",
          "f:7:25: error: `{operation}` is not known here; write {operation_key}, {operation_ref} "
          "or {key}",
          "f:8:35: error: the key (1h) would be forgotten before its result (2h); write `key: 2h` "
          "or more"}},
    };
}

std::vector<BrokenFile> choice_rows() {
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

std::vector<BrokenFile> number_rows() {
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

INSTANTIATE_TEST_SUITE_P(Places, Broken, testing::ValuesIn(place_rows()), name_of_broken);
INSTANTIATE_TEST_SUITE_P(Upstreams, Broken, testing::ValuesIn(upstream_rows()), name_of_broken);
INSTANTIATE_TEST_SUITE_P(Choices, Broken, testing::ValuesIn(choice_rows()), name_of_broken);
INSTANTIATE_TEST_SUITE_P(Numbers, Broken, testing::ValuesIn(number_rows()), name_of_broken);

TEST(Method, OfNobodysIsWarnedOfWithTheOneThatWasMeant) {
    EXPECT_THAT(
        said(with("match", "PSOT /o")),
        testing::ElementsAre("f:2:12: warning: `PSOT` is a method that few clients send; did you "
                             "mean `POST`?"));
    EXPECT_THAT(
        said(with("match", "SUBSCRIBE /o")),
        testing::ElementsAre("f:2:12: warning: `SUBSCRIBE` is a method that few clients send; "
                             "write one such as `POST`"));
    EXPECT_THAT(said(with("match", "PURGE /o")), testing::IsEmpty());
}

}  // namespace
}  // namespace pawl::config
