// SPDX-License-Identifier: Apache-2.0
// Every text is quoted, so that no value can be read as something else.
#include "surface/config/describe.hpp"

#include <array>

#include <fmt/format.h>

#include "core/policy/names.hpp"
#include "core/policy/units.hpp"
#include "surface/config/address.hpp"
#include "surface/config/describe_lines.hpp"

namespace pawl::config {
namespace {

using policy::format_duration;
using policy::format_size;
using policy::Route;

constexpr std::array<std::string_view, 4> kLevels{"debug", "info", "warn", "error"};

std::string shown_key(const policy::KeyRule& key) {
    using Source = policy::KeyRule::Source;
    std::vector<std::string> parts;
    if (key.source == Source::header)
        parts.push_back(fmt::format("header: {}", quoted(key.header)));
    if (key.source == Source::json) parts.push_back(fmt::format("json: {}", quoted(key.json_path)));
    const bool named = key.source == Source::header || key.source == Source::json;
    if (named) parts.push_back(fmt::format("required: {}", key.required));
    if (!key.derive.empty()) parts.push_back(fmt::format("derive: {}", listed(key.derive)));
    if (!key.format.empty()) parts.push_back(fmt::format("format: {}", quoted(key.format)));
    if (!named || !key.required)
        parts.push_back(fmt::format("window: {}", format_duration(key.window)));
    return fmt::format("{{ {} }}", fmt::join(parts, ", "));
}

std::string shown_fingerprint(const policy::FingerprintRule& rule) {
    using Mode = policy::FingerprintRule::Mode;
    if (rule.mode == Mode::raw) return "raw";
    std::vector<std::string> parts;
    if (rule.mode == Mode::canonical) parts.emplace_back("json: canonical");
    if (!rule.include.empty()) parts.push_back(fmt::format("include: {}", listed(rule.include)));
    if (!rule.exclude.empty()) parts.push_back(fmt::format("exclude: {}", listed(rule.exclude)));
    if (parts.empty()) return "automatic";
    return fmt::format("{{ {} }}", fmt::join(parts, ", "));
}

std::string shown_uncertain(const policy::UncertainRule& rule) {
    std::vector<std::string> parts;
    if (!rule.probe.empty()) parts.push_back(fmt::format("probe: {}", quoted(rule.probe)));
    if (!rule.close.empty()) parts.push_back(fmt::format("close: {}", quoted(rule.close)));
    if (rule.effect_horizon)
        parts.push_back(fmt::format("effect_horizon: {}", format_duration(*rule.effect_horizon)));
    if (rule.callback)
        parts.push_back(fmt::format("callback: {{ secret: {} }}", shown_source(*rule.callback)));
    return fmt::format("{{ {} }}", fmt::join(parts, ", "));
}

std::string shown_authorize(const policy::AuthorizeRule& rule) {
    std::string url = format_upstream(rule.upstream) + rule.path;
    return fmt::format(
        "{{ url: {}, headers: {}{}, cache: {}, timeout: {} }}", quoted(url), listed(rule.headers),
        rule.caller_header.empty() ? ""
                                   : fmt::format(", caller_header: {}", quoted(rule.caller_header)),
        format_duration(rule.cache), format_duration(rule.timeout));
}

std::string shown_tenant(const policy::TenantRule& rule) {
    using Source = policy::TenantRule::Source;
    if (rule.source == Source::header) return fmt::format("{{ header: {} }}", quoted(rule.name));
    if (rule.source == Source::host) return "{ host: true }";
    return fmt::format("{{ jwt: {}, claim: {} }}", quoted(rule.name), quoted(rule.claim));
}

std::string shown_cors(const policy::CorsRule& rule) {
    return fmt::format("{{ origins: {}, headers: {}, expose: {}, credentials: {}, max_age: {} }}",
                       listed(rule.origins), listed(rule.headers), listed(rule.expose),
                       rule.credentials, format_duration(rule.max_age));
}

void describe_protection(Lines& out, const Route& route) {
    out.add("    key: {}", shown_key(route.key));
    if (route.version.source == policy::VersionRule::Source::header)
        out.add("    version: {{ header: {} }}", quoted(route.version.header));
    if (route.version.source == policy::VersionRule::Source::json)
        out.add("    version: {{ json: {} }}", quoted(route.version.json_path));
    if (route.caller.source != policy::CallerRule::Source::authorize)
        out.add("    caller: {}", shown_caller(route.caller));
    if (route.tenant) out.add("    tenant: {}", shown_tenant(*route.tenant));
    out.add("    fingerprint: {}", shown_fingerprint(route.fingerprint));
    out.add("    profile: {}", policy::name_of(route.profile));
    out.add("    strategy: {}", policy::name_of(route.strategy));
    if (route.tier) out.add("    tier: {}", policy::name_of(*route.tier));
    if (route.on_repeat == policy::OnRepeat::current)
        out.add("    on_repeat: {{ current: {} }}", quoted(route.read));
    else
        out.add("    on_repeat: {}", policy::name_of(route.on_repeat));
    out.add("    uncertain: {}", shown_uncertain(route.uncertain));
    out.add("    retention: {{ result: {}, key: {}, refused: {} }}",
            format_duration(route.retention.result),
            route.retention.key ? format_duration(*route.retention.key) : "forever",
            format_duration(route.retention.refused.value_or(route.retention.result)));
    out.add("    wait: {}", format_duration(route.wait));
    out.add("    lease: {}", format_duration(route.lease));
    out.add("    hold_max: {}", format_duration(route.hold_max));
    if (route.upstream_remembers)
        out.add("    upstream_remembers: {}", format_duration(*route.upstream_remembers));
    out.add("    transactional: {}", route.transactional);
    out.add("    declares_outcome: {}", route.declares_outcome);
    out.add("    keep_encodings: {}", route.keep_encodings);
    out.add("    in_progress_status: {}", route.in_progress_status);
    out.add("    replay_header: {}", quoted(route.replay_header));
    out.add("    replay_headers: {}", listed(route.replay_headers));
    out.add("    body_bytes_max: {}", format_size(route.body_bytes_max));
    out.add("    answer_bytes_max: {}", format_size(route.answer_bytes_max));
}

void describe_route(Lines& out, const Route& route) {
    out.add("  - match: {}", quoted(route.method + " " + route.path));
    out.add("    name: {}", quoted(route.name));
    if (!route.was.empty()) out.add("    was: {}", quoted(route.was));
    if (!route.host.empty()) out.add("    host: {}", quoted(route.host));
    out.add("    upstream: {}", quoted(format_upstream(route.upstream)));
    if (!route.host_rewrite.empty()) out.add("    host_rewrite: {}", quoted(route.host_rewrite));
    if (route.shadow)
        out.add("    protect: shadow");
    else
        out.add("    protect: {}", route.protect);
    if (route.authorize) out.add("    authorize: {}", shown_authorize(*route.authorize));
    if (route.cors) out.add("    cors: {}", shown_cors(*route.cors));
    const policy::Upstream& by =
        route.upstream.tls || !route.authorize ? route.upstream : route.authorize->upstream;
    if (by.trust) out.add("    upstream_tls: {}", shown_trust(*by.trust));
    if (route.protect || route.shadow) describe_protection(out, route);
}

void describe_callers(Lines& out, const CallerSettings& callers) {
    if (!callers.jwt.empty() || !callers.api_keys.empty()) out.add("callers:");
    for (const auto& [name, jwt] : callers.jwt) {
        out.add("  {}:", quoted(name));
        out.add("    jwt:");
        out.add("      algorithm: {}", caller::name_of(jwt.algorithm));
        out.add("      key: {}", shown_source(jwt.key));
        if (!jwt.issuer.empty()) out.add("      issuer: {}", quoted(jwt.issuer));
        if (!jwt.audience.empty()) out.add("      audience: {}", quoted(jwt.audience));
        out.add("      claim: {}", quoted(jwt.claim));
        out.add("      header: {}", quoted(jwt.header));
        out.add("      skew: {}", format_duration(jwt.skew));
    }
    for (const auto& [name, keys] : callers.api_keys) {
        out.add("  {}:", quoted(name));
        out.add("    api_key:");
        out.add("      header: {}", quoted(keys.header));
        out.add("      secret: {}", shown_source(keys.secret));
        out.add("      keys:");
        for (const ApiKeyEntry& key : keys.keys)
            out.add("        - {{ caller: {}, hash: {} }}", quoted(key.caller), quoted(key.hash));
    }
}

void describe_store(Lines& out, const StoreChoice& store) {
    const Encryption& encryption = store.encryption;
    if (!encryption.key.given()) {
        out.add("store: {{ kind: sqlite, path: {} }}", quoted(store.path));
        return;
    }
    out.add("store:");
    out.add("  kind: sqlite");
    out.add("  path: {}", quoted(store.path));
    out.add("  encryption:");
    out.add("    key: {}", shown_source(encryption.key));
    if (encryption.previous.empty()) return;
    out.add("    previous:");
    for (const Secret& key : encryption.previous) out.add("      - {}", shown_source(key));
}

}  // namespace

std::string describe(const Config& config) {
    Lines out;
    out.add("listen: {}", quoted(format_address(config.listen)));
    out.add("admin: {}", quoted(format_address(config.admin)));
    if (config.tls.given())
        out.add("tls: {{ certificate: {}, key: {}{} }}", quoted(config.tls.certificate),
                quoted(config.tls.key),
                config.tls.client_ca.empty()
                    ? ""
                    : fmt::format(", client_ca: {}", quoted(config.tls.client_ca)));
    if (!config.admin_token.file.empty())
        out.add("admin_token: {{ file: {} }}", quoted(config.admin_token.file));
    else
        out.add("# admin_token: {}", config.admin_token.given() ? "from the environment" : "none");
    describe_store(out, config.store);
    if (!config.body_folder.empty()) out.add("body_folder: {}", quoted(config.body_folder));
    out.add("loops: {}{}", config.loops, config.loops == 0 ? "  # one per core" : "");
    if (!config.node.empty()) out.add("node: {}", quoted(config.node));
    if (config.tenant_rule)
        out.add("tenant: {}", shown_tenant(*config.tenant_rule));
    else if (!config.tenant.empty())
        out.add("tenant: {}", quoted(config.tenant));
    out.add("drain: {}", format_duration(config.drain));
    out.add("dev: {}", config.dev);
    out.add("log: {{ level: {} }}", kLevels[static_cast<std::size_t>(config.log_level)]);
    out.add("limits:");
    out.add("  connections_max: {}", config.limits.connections_max);
    out.add("  waiters_per_key_max: {}", config.limits.waiters_per_key_max);
    out.add("  cache_bytes_max: {}", format_size(config.limits.cache_bytes_max));
    out.add("  body_disk_bytes_max: {}", format_size(config.limits.body_disk_bytes_max));
    out.add("  unresolved_per_caller_max: {}", config.limits.unresolved_per_caller_max);
    out.add("  unresolved_per_tenant_max: {}", config.limits.unresolved_per_tenant_max);
    out.add("  waiters_per_tenant_max: {}", config.limits.waiters_per_tenant_max);
    out.add("  stored_bytes_per_tenant_max: {}",
            format_size(config.limits.stored_bytes_per_tenant_max));
    out.add("  websocket_idle: {}", format_duration(config.limits.websocket_idle));
    if (config.cors) out.add("cors: {}", shown_cors(*config.cors));
    if (config.upstream_tls) out.add("upstream_tls: {}", shown_trust(*config.upstream_tls));
    if (config.default_upstream)
        out.add("default_upstream: {}", quoted(format_upstream(*config.default_upstream)));
    else
        out.add("# default_upstream: none, other requests get 404");
    describe_callers(out, config.callers);
    if (!config.routes.empty()) out.add("routes:");
    for (const Route& route : config.routes) describe_route(out, route);
    describe_flows(out, config);
    describe_sinks(out, config);
    return out.take();
}

}  // namespace pawl::config
