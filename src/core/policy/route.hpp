// SPDX-License-Identifier: Apache-2.0
// A route: what its requests are called, who their caller is, where the key comes from, what must be equal
// for a repeat to be a repeat, and what the upstream promises. Values; `check.hpp` judges them when they
// are loaded, `matcher.hpp` finds the one for a request.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/policy/authorize.hpp"
#include "core/policy/cors.hpp"
#include "core/policy/limits.hpp"
#include "core/policy/secret.hpp"
#include "core/policy/tenant.hpp"
#include "core/policy/upstream.hpp"

namespace pawl::policy {

enum class Profile : std::uint8_t { strict_money, ietf, stripe_v1, acp_2026_04_17 };
inline constexpr int kProfileCount = 4;
enum class Strategy : std::uint8_t { strict, cache, hybrid, eventual };
enum class Tier : std::uint8_t { core, normal, side };
enum class OnRepeat : std::uint8_t { replay, refuse, current };

struct KeyRule {
    enum class Source : std::uint8_t { none, header, json, derived };
    Source source = Source::none;  // none: no key source is named; the natural-key guard stands in
    std::string header = "Idempotency-Key";
    std::string json_path;  // "$.request_id"
    // "caller", "body", "method", "path", "$.cart_id", "header:X-Cart"
    std::vector<std::string> derive;
    bool required = true;
    std::string format;  // ECMAScript regular expression the whole key must match; empty: any
    // Of the natural-key guard, 0 switches it off. A derived key has 0 unless the file gives one.
    std::chrono::milliseconds window = kNaturalKeyWindow;
};

// Where a request says which version of its operation it is. A newer one replaces the result of an older one.
struct VersionRule {
    enum class Source : std::uint8_t { none, header, json };
    Source source = Source::none;
    std::string header;
    std::string json_path;  // "$.revision"
};

struct CallerRule {
    // open: "public" in the file; authorize: `authorize.caller_header` there
    enum class Source : std::uint8_t { open, header, api_key, jwt, mtls, authorize };
    Source source = Source::open;
    std::string name;  // header's name, of the request or of the permission; or the key set's
};

struct FingerprintRule {
    // automatic: canonical for JSON bodies, raw otherwise
    enum class Mode : std::uint8_t { raw, canonical, automatic };
    Mode mode = Mode::automatic;
    std::vector<std::string> include;  // JSON paths; empty: all
    std::vector<std::string> exclude;
};

struct UncertainRule {
    std::string probe;  // "GET /orders/by-operation/{operation_key}"
    std::string close;  // as probe; the upstream promises to refuse this fence afterwards
    std::optional<std::chrono::milliseconds> effect_horizon;
    // What outcomes are signed with that the upstream reports by itself; none: no report is taken.
    std::optional<Secret> callback;
};

struct Retention {
    std::chrono::milliseconds result = kResultRetention;
    std::optional<std::chrono::milliseconds> key = kKeyRetention;  // nullopt: for ever
    // Of a stored refusal (4xx); nullopt: as a result.
    std::optional<std::chrono::milliseconds> refused = std::nullopt;
};

// Where a setting stands in the file, so that a finding can point at it. `field` is its path within the
// route: "lease", "uncertain.effect_horizon".
struct FieldPlace {
    std::string field;
    int line = 0;
    int column = 0;
};

struct Route {
    std::string name;    // operation; stable, `match` when the file gives none
    std::string was;     // its former name
    std::string method;  // "POST"; "*" for any
    std::string path;    // "/orders/{id}", "/files/*"
    std::string host;    // empty: any
    Upstream upstream;
    std::string host_rewrite;  // the Host that goes upstream; empty: the client's
    bool protect = true;
    bool shadow = false;  // not protected; what protecting would do is judged and counted
    KeyRule key;
    VersionRule version;
    CallerRule caller;
    std::optional<AuthorizeRule> authorize;  // asked for every request of the route
    std::optional<TenantRule> tenant;        // unset: the process's own
    std::optional<CorsRule> cors;
    FingerprintRule fingerprint;
    Profile profile = Profile::strict_money;
    Strategy strategy = Strategy::strict;
    std::optional<Tier> tier;  // bounds the first client's wait; unset: `wait` alone does
    OnRepeat on_repeat = OnRepeat::replay;
    std::string read;                                   // of `current`: "GET /orders/{id}"
    int in_progress_status = 409;                       // or 423
    std::string replay_header = "Idempotent-Replayed";  // says "true" on a replay
    UncertainRule uncertain;
    Retention retention;
    std::chrono::milliseconds wait = kWait;
    std::chrono::milliseconds lease = kLease;
    std::chrono::milliseconds hold_max = kHoldMax;
    // How long the upstream honours the derived key. Set: the operation is rerunnable.
    std::optional<std::chrono::milliseconds> upstream_remembers;
    bool transactional = false;               // the upstream rolls back on every 5xx it answers
    bool declares_outcome = false;            // the upstream sends Pawl-Outcome
    bool keep_encodings = false;              // do not ask the upstream for identity encoding
    std::vector<std::string> replay_headers;  // added to the allow-list
    std::size_t body_bytes_max = kBodyBytesMax;
    std::size_t answer_bytes_max = kAnswerBytesMax;
    int line = 0;  // in the file, for messages
    int column = 0;
    std::vector<FieldPlace> places;  // of the settings the file gives

    // The name that identities are made with: a renamed route goes on with the keys of the old one.
    const std::string& identity_name() const { return was.empty() ? name : was; }
    bool rerunnable() const { return upstream_remembers.has_value(); }
    bool has_versions() const { return version.source != VersionRule::Source::none; }
};

}  // namespace pawl::policy
