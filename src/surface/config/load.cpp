// SPDX-License-Identifier: Apache-2.0
// Reads section by section into one Config, then lets core/policy judge the routes, then looks at what
// sections say about each other.
#include "surface/config/load.hpp"

#include <unistd.h>

#include <array>
#include <tuple>

#include <fmt/format.h>

#include "core/policy/check.hpp"
#include "core/policy/units.hpp"
#include "runtime/codec/visible.hpp"
#include "surface/config/address.hpp"
#include "surface/config/read_callbacks.hpp"
#include "surface/config/read_callers.hpp"
#include "surface/config/read_cors.hpp"
#include "surface/config/read_encryption.hpp"
#include "surface/config/read_flows.hpp"
#include "surface/config/read_route.hpp"
#include "surface/config/read_secret.hpp"
#include "surface/config/read_services.hpp"
#include "surface/config/read_sinks.hpp"
#include "surface/config/read_stations.hpp"
#include "surface/config/read_tenant.hpp"
#include "surface/config/read_trust.hpp"
#include "surface/config/reading.hpp"
#include "surface/yaml/nearest.hpp"
#include "surface/yaml/text_file.hpp"

namespace pawl::config {
namespace {

using policy::Finding;
using policy::Severity;

constexpr std::size_t kLoopsMax = 256;
constexpr std::size_t kConnectionsLimit = 1'000'000;
constexpr std::size_t kUnresolvedLimit = 10'000'000;  // each takes some hundred bytes of memory
constexpr std::size_t kBodyDiskBytesLeast = 1U << 20;
constexpr std::size_t kFindingsMax = 100;  // a file with more is not mended one by one

Section::Parse into(Address& target) {
    return [&target](std::string_view text) -> Status {
        auto address = parse_address(text, target.port);
        if (!address) return fail(address.error());
        target = *std::move(address);
        return {};
    };
}

void read_store(Reading& reading, Section& top, StoreChoice& store) {
    Section section = top.section("store");
    constexpr std::array<std::string_view, 5> kKinds{"sqlite", "postgres", "mysql", "redis",
                                                     "hybrid"};
    section.choice("kind", kKinds, [](std::string_view kind) -> Status {
        if (kind == "sqlite") return {};
        return fail(Code::config_invalid,
                    fmt::format("`{}` comes with a later version; write `sqlite`", kind));
    });
    section.text("path", store.path);
    read_encryption(reading, section, store.encryption);
    section.finish();
}

// `admin_token: { file: PATH }`, or PAWL_ADMIN_TOKEN with the secret itself.
void read_admin_token(Reading& reading, Section& top, Secret& secret) {
    const std::string variable = yaml::variable_name("admin_token");
    reading.variables.push_back(variable);
    if (const auto at = reading.environment.find(variable); at != reading.environment.end()) {
        secret.value = at->second;
        reading.environment.erase(at);
        if (secret.value.empty())
            reading.findings.push_back({Severity::error, 0, 0,
                                        fmt::format("the variable {} is empty", variable),
                                        "unset it"});
    }
    const YamlNode* node = top.take("admin_token");
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::map) {
        top.error(
            *node, "a secret stands in the file",
            fmt::format("write `admin_token: {{ file: /run/secrets/pawl }}`, or set {}", variable));
        return;
    }
    Section section = top.section("admin_token");
    section.text("file", secret.file);
    section.finish();
    if (node->members.empty())
        top.error(*node, "`admin_token` names nothing", "write `file: /run/secrets/pawl` in it");
}

void read_limits(Section& top, Limits& limits) {
    Section section = top.section("limits");
    section.number("connections_max", limits.connections_max, 1, kConnectionsLimit);
    section.number("waiters_per_key_max", limits.waiters_per_key_max, 1, kConnectionsLimit);
    section.size("cache_bytes_max", limits.cache_bytes_max);
    if (section.size("body_disk_bytes_max", limits.body_disk_bytes_max) &&
        limits.body_disk_bytes_max < kBodyDiskBytesLeast)
        section.error(*section.take("body_disk_bytes_max"),
                      "`body_disk_bytes_max` leaves no room for a long body",
                      "write at least 1MiB");
    section.number("unresolved_per_caller_max", limits.unresolved_per_caller_max, 1,
                   kUnresolvedLimit);
    section.number("unresolved_per_tenant_max", limits.unresolved_per_tenant_max, 1,
                   kUnresolvedLimit);
    section.number("waiters_per_tenant_max", limits.waiters_per_tenant_max, 1, kConnectionsLimit);
    section.size("stored_bytes_per_tenant_max", limits.stored_bytes_per_tenant_max);
    if (section.duration("websocket_idle", limits.websocket_idle) &&
        limits.websocket_idle.count() == 0)
        section.error("`websocket_idle` of 0 closes every WebSocket at once",
                      "write one such as `10m`");
    section.finish();
}

void read_tls(Section& top, Tls& tls) {
    Section section = top.section("tls");
    section.text("certificate", tls.certificate);
    section.text("key", tls.key);
    section.text("client_ca", tls.client_ca);
    section.finish();
    const bool asked = top.has("tls") || tls != Tls{};
    if (asked && (tls.certificate.empty() || tls.key.empty()))
        section.error("`tls` needs a certificate and its key",
                      "write `tls: { certificate: chain.pem, key: key.pem }`");
}

void read_log(Section& top, LogLevel& level) {
    Section section = top.section("log");
    constexpr std::array<std::string_view, 4> kLevels{"debug", "info", "warn", "error"};
    section.choice("level", kLevels, [&](std::string_view name) -> Status {
        level = static_cast<LogLevel>(std::ranges::find(kLevels, name) - kLevels.begin());
        return {};
    });
    section.finish();
}

void read_routes(Reading& reading, Section& top, Config& config) {
    const YamlNode* routes = top.take("routes");
    if (routes == nullptr) return;
    if (routes->kind != YamlNode::Kind::list) {
        top.error(*routes, fmt::format("`routes` is {}", name_of(routes->kind)),
                  "write each route below it as `- match: …`");
        return;
    }
    for (const YamlNode& node : routes->items) config.routes.push_back(read_route(reading, node));
}

void read_top(Reading& reading, Section& top, const std::string& folder, Config& config) {
    top.scalar("listen", into(config.listen));
    top.scalar("admin", into(config.admin));
    read_tls(top, config.tls);
    read_admin_token(reading, top, config.admin_token);
    read_store(reading, top, config.store);
    top.text("body_folder", config.body_folder);
    std::size_t loops = 0;
    if (top.number("loops", loops, 0, kLoopsMax)) config.loops = static_cast<int>(loops);
    top.text("node", config.node);
    read_tenant(top, &config.tenant, config.tenant_rule);
    top.duration("drain", config.drain);
    top.flag("dev", config.dev);
    read_log(top, config.log_level);
    read_limits(top, config.limits);
    top.scalar("default_upstream", [&](std::string_view text) -> Status {
        auto upstream = parse_upstream(text);
        if (!upstream) return fail(upstream.error());
        config.default_upstream = *std::move(upstream);
        return {};
    });
    read_callers(reading, top, config);
    read_cors(top, config.cors);
    read_trust(top, config.upstream_tls);
    read_routes(reading, top, config);
    read_flows(reading, top, folder, config.flows);
    read_services(reading, top, config.services);
    read_stations(reading, top, config.stations);
    read_callbacks(reading, top, config);
    read_sinks(reading, top, config.sinks);
    for (const std::string_view name :
         {"switches", "outbox", "kafka", "audit", "trace", "id", "lock"})
        top.later(name);
    top.finish();
}

// A setting that could not be read is judged no further, because its default would be judged in its place.
// For the same reason there are no warnings as long as something could not be read.
void judge_routes(Reading& reading, const Config& config) {
    const std::vector<Finding> before = reading.findings;
    const bool read_well = !policy::has_errors(before);
    for (Finding& finding : policy::check_routes(config.routes)) {
        const auto same_place = [&](const Finding& other) {
            return other.severity == Severity::error && other.line == finding.line &&
                   other.column == finding.column;
        };
        if (finding.severity == Severity::warning && !read_well) continue;
        if (std::ranges::none_of(before, same_place))
            reading.findings.push_back(std::move(finding));
    }
}

void judge_together(Reading& reading, const YamlNode& root, const Config& config) {
    const auto add = [&](Severity severity, std::string_view name, std::string what,
                         std::string remedy) {
        const YamlNode* at = root.find(name);
        reading.findings.push_back({severity, at == nullptr ? 0 : at->line,
                                    at == nullptr ? 0 : at->column, std::move(what),
                                    std::move(remedy)});
    };
    if (config.listen == config.admin && config.listen.port != 0)
        add(Severity::error, root.find("admin") != nullptr ? "admin" : "listen",
            "`admin` and `listen` are the same address", "give `admin` another port");
    if (!is_loopback(config.admin) && !config.admin_token.given())
        add(Severity::error, "admin",
            fmt::format("everybody who reaches {} could settle operations",
                        format_address(config.admin)),
            "write `admin_token: { file: … }`, set PAWL_ADMIN_TOKEN, or listen on 127.0.0.1");
    if (config.routes.empty() && config.flows.machines.empty() && !config.default_upstream)
        add(Severity::error, "routes",
            "there is nothing to serve: no routes, no flows and no `default_upstream`",
            "write `routes:` with one `- match: POST /orders`, or `flows: [order]`");
    const bool asks = std::ranges::any_of(
        config.routes, [](const policy::Route& route) { return route.authorize.has_value(); });
    if (asks && config.default_upstream)
        add(Severity::warning, "default_upstream",
            "routes ask whether a request is permitted, and `default_upstream` takes what no route "
            "matches without asking",
            "write what it serves as routes with `authorize` (`match: \"* /*\"` and `protect: "
            "false` "
            "take the rest), and remove it");
}

// A misspelt name is also a missing one. What is said of the route as a whole waits until the slip is mended.
void drop_what_follows_from_slips(Reading& reading, const Config& config) {
    constexpr std::string_view kSlip = "did you mean `";
    std::vector<int> ends;
    for (const policy::Route& route : config.routes) ends.push_back(route.line);
    ends.push_back(std::numeric_limits<int>::max());
    for (std::size_t i = 0; i < config.routes.size(); ++i) {
        const policy::Route& route = config.routes[i];
        const auto is_slip = [&](const Finding& one) {
            return one.severity == Severity::error && one.remedy.starts_with(kSlip) &&
                   one.line >= route.line && one.line < ends[i + 1];
        };
        if (std::ranges::none_of(reading.findings, is_slip)) continue;
        std::erase_if(reading.findings, [&](const Finding& one) {
            return !is_slip(one) && one.line == route.line && one.column == route.column;
        });
    }
}

void judge_environment(Reading& reading) {
    for (const auto& [name, value] : reading.environment) {
        const auto meant = yaml::nearest(name, reading.variables);
        reading.findings.push_back({Severity::warning, 0, 0,
                                    fmt::format("the variable {} overrides nothing", name),
                                    meant ? fmt::format("did you mean {}?", *meant) : "unset it"});
    }
}

void read_and_judge(Reading& reading, const YamlNode& root, const std::string& folder,
                    Config& config) {
    Section top(reading, &root, "", true);
    read_top(reading, top, folder, config);
    if (!top.has("flows") && !top.has("routes") && !config.default_upstream)
        use_built_in_flows(config);
    for (policy::Route& route : config.routes) {
        if (!route.cors) route.cors = config.cors;
        if (!route.tenant) route.tenant = config.tenant_rule;
    }
    spread_trust(reading, config);
    const bool read_well = !policy::has_errors(reading.findings);
    judge_routes(reading, config);
    drop_what_follows_from_slips(reading, config);
    if (read_well) judge_together(reading, root, config);
    if (read_well) judge_callers(reading, config);
    if (read_well) judge_flows(reading, root, config);
    if (read_well) judge_stations(reading, root, config);
    if (read_well) judge_callbacks(reading, config);
    if (read_well) judge_sinks(reading, root, config);
    judge_environment(reading);
}

}  // namespace

std::expected<Loaded, std::vector<Finding>> load_config(std::string_view text,
                                                        const Environment& environment,
                                                        const std::string& folder) {
    Reading reading;
    reading.environment = environment;
    reading.given = environment;
    const std::optional<YamlNode> root = yaml::parse_yaml(text, reading.findings);
    Loaded loaded;
    if (root && (root->kind == YamlNode::Kind::scalar || root->kind == YamlNode::Kind::list))
        reading.findings.push_back({Severity::error, root->line, root->column,
                                    fmt::format("the file is {}", name_of(root->kind)),
                                    "write `name: value` lines, `routes:` among them"});
    else if (root)
        read_and_judge(reading, *root, folder, loaded.config);
    std::ranges::sort(reading.findings, {}, [](const Finding& one) {
        return std::tuple(one.line, one.column, one.what);
    });
    const bool broken = policy::has_errors(reading.findings);
    if (const std::size_t all = reading.findings.size(); all > kFindingsMax) {
        reading.findings.resize(kFindingsMax);
        reading.findings.push_back({broken ? Severity::error : Severity::warning, 0, 0,
                                    fmt::format("{} more are not shown", all - kFindingsMax),
                                    "mend these first"});
    }
    if (broken) return std::unexpected(std::move(reading.findings));
    loaded.warnings = std::move(reading.findings);
    return loaded;
}

std::expected<Loaded, std::vector<Finding>> load_config_file(const std::string& path,
                                                             const Environment& environment) {
    const auto text = yaml::read_text_file(path);
    if (!text) return std::unexpected(std::vector{text.error()});
    const auto slash = path.rfind('/');
    return load_config(*text, environment,
                       slash == std::string::npos ? std::string() : path.substr(0, slash));
}

Environment environment_of_process() {
    Environment environment;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const auto equals = text.find('=');
        if (text.starts_with("PAWL_") && equals != std::string_view::npos)
            environment.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return environment;
}

Status read_secrets(Config& config) {
    if (auto read = read_file_of(config.admin_token, "admin_token", false); !read) return read;
    if (auto read = read_encryption_files(config.store.encryption); !read) return read;
    for (auto& [name, jwt] : config.callers.jwt) {
        const bool pem = jwt.algorithm != caller::JwtRule::Algorithm::hs256;
        if (auto read = read_file_of(jwt.key, fmt::format("callers.{}.jwt.key", name), pem); !read)
            return read;
    }
    for (auto& [name, keys] : config.callers.api_keys)
        if (auto read =
                read_file_of(keys.secret, fmt::format("callers.{}.api_key.secret", name), false);
            !read)
            return read;
    for (policy::Route& route : config.routes)
        if (auto read = read_callback_secret(route); !read) return read;
    if (auto trust = read_trust_files(config); !trust) return trust;
    if (auto read = read_callback_files(config.callbacks); !read) return read;
    if (auto read = read_sink_files(config.sinks); !read) return read;
    if (auto read = read_station_files(config.stations); !read) return read;
    if (auto stations = stations_of(config.stations); !stations)
        return fail(std::move(stations.error()));
    if (auto accounts = subscriptions_of(config); !accounts)
        return fail(std::move(accounts.error()));
    if (auto callers = callers_of(config); !callers) return fail(std::move(callers.error()));
    if (auto keys = sealing_keys_of(config.store.encryption); !keys)
        return fail(std::move(keys.error()));
    return {};
}

std::string shown(std::string_view filename, const Finding& finding) {
    const std::string place = finding.line == 0
                                  ? std::string(filename)
                                  : fmt::format("{}:{}:{}", filename, finding.line, finding.column);
    return visible(fmt::format("{}: {}: {}{}{}", place,
                               finding.severity == Severity::error ? "error" : "warning",
                               finding.what, finding.remedy.empty() ? "" : "; ", finding.remedy));
}

}  // namespace pawl::config
