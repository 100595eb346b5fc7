// SPDX-License-Identifier: Apache-2.0
// What the tests of the configuration share: two files that are good, the least that is one and one with every
// setting, and what is said of a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "surface/config/describe.hpp"
#include "surface/config/load.hpp"

namespace pawl::config {

// Each finding in a line, as it is shown of a file "f"; of a good file its warnings.
inline std::vector<std::string> said(std::string_view text, const Environment& environment = {}) {
    const auto loaded = load_config(text, environment);
    std::vector<std::string> lines;
    for (const policy::Finding& finding : loaded ? loaded->warnings : loaded.error())
        lines.push_back(shown("f", finding));
    return lines;
}

inline Loaded load(std::string_view text, const Environment& environment = {}) {
    auto loaded = load_config(text, environment);
    if (!loaded)
        for (const std::string& line : said(text, environment)) ADD_FAILURE() << line;
    return loaded ? *std::move(loaded) : Loaded{};
}

// What is in effect can be loaded, and is in effect again.
inline void expect_stable(const Config& config) {
    const std::string text = describe(config);
    EXPECT_EQ(describe(load(text).config), text);
}

inline constexpr std::string_view kSmall = R"(
routes:
  - match: POST /orders
    upstream: http://127.0.0.1:3000
    key: { header: Idempotency-Key }
    caller: { header: X-User }
    declares_outcome: true
    uncertain: { effect_horizon: 60s }
)";

inline constexpr std::string_view kFull = R"(listen: 0.0.0.0:80
admin: "[::1]:9000"
admin_token: { file: /run/secrets/pawl }
store: { kind: sqlite, path: /var/lib/pawl/pawl.db }
body_folder: /var/tmp
loops: 4
node: shop-1
tenant: shop
drain: 45s
dev: true
log: { level: debug }
limits:
  connections_max: 100
  waiters_per_key_max: 5
  cache_bytes_max: 1MiB
  body_disk_bytes_max: 2MiB
  unresolved_per_caller_max: 6
  unresolved_per_tenant_max: 7
  waiters_per_tenant_max: 8
  stored_bytes_per_tenant_max: 9GiB
default_upstream: https://shop.example
routes:
  - match: POST /orders/{id}/pay
    name: pay-order
    was: pay
    host: shop.example
    host_rewrite: backend:3000
    upstream: http://[::1]:3000/
    key: { json: $.request.id, required: false, derive: [caller, $.cart], window: 5s, format: "[0-9]+" }
    caller: public
    fingerprint: { json: canonical, include: [$.a, $.b], exclude: $.b.sent_at }
    profile: ietf
    strategy: strict
    tier: side
    on_repeat: { current: "GET {location}" }
    uncertain:
      probe: GET /orders/by/{operation_key}
      close: POST /orders/close/{operation_key}
      effect_horizon: 90s
    retention: { result: 2h, key: forever, refused: 5m }
    wait: 3s
    lease: 15s
    hold_max: 5m
    rerunnable: true
    upstream_remembers: 24h
    transactional: false
    declares_outcome: true
    keep_encodings: true
    replay_headers: [X-Order-Number, Content-Disposition]
    body_bytes_max: 64KiB
    answer_bytes_max: 2MiB
  - match: "*   /files/*"
    protect: false
    upstream: demo
  - match: POST /carts
    upstream: demo
    key: { derive: [caller, body] }
    fingerprint: raw
  - match: PUT /carts
    upstream: demo
    key: { derive: [caller, body], window: 3s }
    fingerprint: automatic
)";

}  // namespace pawl::config
