// SPDX-License-Identifier: Apache-2.0
// Settings of the process: addresses, the store, limits.
#include "surface/config/broken_fixture.hpp"

namespace pawl::config {
namespace {

std::vector<BrokenFile> address_rows() {
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
        {"same_address_as_the_usual_admin",
         top("listen: 127.0.0.1:8081"),
         {"f:1:9: error: `admin` and `listen` are the same address; give `admin` another port"}},
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

std::vector<BrokenFile> other_top_rows() {
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
         top("default_upstream: 127.0.0.1:3100"),
         {"f:1:19: error: `default_upstream`: `127.0.0.1:3100` has no `http://` or `https://`; "
          "write `http://127.0.0.1:3100`"}},
    };
}

INSTANTIATE_TEST_SUITE_P(Addresses, Broken, testing::ValuesIn(address_rows()), name_of_broken);
INSTANTIATE_TEST_SUITE_P(OtherSettings, Broken, testing::ValuesIn(other_top_rows()),
                         name_of_broken);

}  // namespace
}  // namespace pawl::config
