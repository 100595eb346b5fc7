// SPDX-License-Identifier: Apache-2.0
// The configuration of one process, as a value with every default filled in. `load.hpp` makes it from a
// file and the environment, `describe.hpp` prints it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/caller/jwt.hpp"
#include "core/policy/route.hpp"
#include "net/http/limits.hpp"
#include "store/port/unresolved_counts.hpp"
#include "surface/config/flow_settings.hpp"
#include "surface/config/sink_settings.hpp"

namespace pawl::config {

// Where to listen. Shape: a literal IP address; port 0 is any free one.
struct Address {
    std::string host;
    std::uint16_t port = 0;
    bool operator==(const Address&) const = default;
};

enum class LogLevel : std::uint8_t { debug, info, warn, error };

using policy::Secret;

// Keys of 64 hexadecimal digits. Not given: answers are stored as they are.
struct Encryption {
    Secret key;
    std::vector<Secret> previous;  // still needed to read
};

struct StoreChoice {
    enum class Kind : std::uint8_t { sqlite };
    Kind kind = Kind::sqlite;
    std::string path = "pawl.db";  // relative to the working directory
    Encryption encryption;
};

// `callers: { NAME: { jwt: … } }`
struct JwtSetting {
    caller::JwtRule::Algorithm algorithm = caller::JwtRule::Algorithm::rs256;
    Secret
        key;  // HS256: the secret; else PEM of a public key or certificate, all lines of the file
    std::string issuer;
    std::string audience;
    std::string claim = "sub";
    std::string header = "Authorization";
    std::chrono::milliseconds skew = caller::JwtRule{}.skew;
};

// `callers: { NAME: { api_key: … } }`
struct ApiKeyEntry {
    std::string caller;
    std::string hash;  // 64 hexadecimal digits
};
struct ApiKeySetting {
    std::string header = "X-Api-Key";
    Secret secret;
    std::vector<ApiKeyEntry> keys;
};

struct CallerSettings {
    std::map<std::string, JwtSetting> jwt;
    std::map<std::string, ApiKeySetting> api_keys;
};

// PEM files for `listen`. Empty: plain HTTP.
struct Tls {
    std::string certificate;  // the chain, the server's own first
    std::string key;
    std::string client_ca;  // clients must show a certificate that it signed
    bool given() const { return !certificate.empty(); }
    bool operator==(const Tls&) const = default;
};

struct Limits {
    std::size_t connections_max = http::kConnectionsMax;  // per loop
    std::size_t waiters_per_key_max = policy::kWaitersPerKeyMax;
    std::size_t cache_bytes_max = 64U << 20;  // of answers held in memory, per loop
    // Of the files of long request bodies, all loops together.
    std::size_t body_disk_bytes_max = std::size_t{1} << 30;
    // Records whose outcome nobody knows; a new key is refused where there are so many.
    std::size_t unresolved_per_caller_max = store::kUnresolvedPerCallerMax;
    std::size_t unresolved_per_tenant_max = store::kUnresolvedPerTenantMax;
    std::size_t waiters_per_tenant_max = policy::kWaitersPerTenantMax;
    std::size_t stored_bytes_per_tenant_max = 0;  // of records and answers; 0: no bound
    std::chrono::milliseconds websocket_idle = http::kTunnelIdle;
};

struct Config {
    Address listen{"127.0.0.1", 8080};
    Address admin{"127.0.0.1", 8081};
    Tls tls;
    CallerSettings callers;
    std::optional<policy::CorsRule>
        cors;  // of every route without its own, and of what matches none
    // What proves https upstreams, of every route without its own.
    std::shared_ptr<const policy::UpstreamTrust> upstream_tls;
    Secret admin_token;  // needed unless `admin` is on loopback
    StoreChoice store;
    std::string body_folder;  // of long request bodies; empty: beside the store
    int loops = 0;            // 0: one per core
    std::string node;         // this process's name in records; empty: host name and port
    std::string tenant;       // part of every identity
    std::optional<policy::TenantRule> tenant_rule;  // instead, of every route without its own
    std::chrono::milliseconds drain =
        std::chrono::seconds(10);  // for running attempts when the process ends
    bool dev = false;              // one line per request; effect horizon 0
    LogLevel log_level = LogLevel::info;
    Limits limits;
    std::optional<policy::Upstream> default_upstream;  // of requests that match no route; none: 404
    std::vector<policy::Route> routes;
    FlowSettings flows;
    Services services;
    StationSettings stations;
    std::vector<CallbackSetting> callbacks;
    Sinks sinks;
};

// What `pawl serve` runs without a file: POST /orders protected in front of the built-in demonstration, and the
// built-in flows.
Config default_config();

// `--dev`: requests are shown, and a person's word counts at once because nothing is waited for.
void enter_dev(Config& config);

}  // namespace pawl::config
