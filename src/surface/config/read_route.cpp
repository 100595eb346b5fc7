// SPDX-License-Identifier: Apache-2.0
// One function per setting that has several forms.
#include "surface/config/read_route.hpp"

#include <fmt/format.h>

#include "core/policy/names.hpp"
#include "core/policy/profile.hpp"
#include "surface/config/address.hpp"
#include "surface/config/read_authorize.hpp"
#include "surface/config/read_callers.hpp"
#include "surface/config/read_cors.hpp"
#include "surface/config/read_secret.hpp"
#include "surface/config/read_tenant.hpp"
#include "surface/config/read_trust.hpp"
#include "surface/yaml/nearest.hpp"

namespace pawl::config {
namespace {

using policy::FingerprintRule;
using policy::KeyRule;
using policy::Route;

// A method of nobody's makes a route that no request finds, silently; a rare one may be meant.
void warn_of_method(Section& section, const std::string& method) {
    static const std::vector<std::string> kMethods{
        "*",      "GET",    "HEAD",     "POST",      "PUT",   "PATCH", "DELETE", "OPTIONS",
        "TRACE",  "QUERY",  "PROPFIND", "PROPPATCH", "MKCOL", "COPY",  "MOVE",   "LOCK",
        "UNLOCK", "REPORT", "LINK",     "UNLINK",    "PURGE", "SEARCH"};
    const bool capitals =
        std::ranges::all_of(method, [](char c) { return (c >= 'A' && c <= 'Z') || c == '*'; });
    if (!capitals || std::ranges::find(kMethods, method) != kMethods.end()) return;
    const auto meant = yaml::nearest(method, kMethods);
    section.warn(*section.take("match"),
                 fmt::format("`{}` is a method that few clients send", method),
                 meant ? fmt::format("did you mean `{}`?", *meant) : "write one such as `POST`");
}

void read_match(Section& section, Route& route) {
    const bool given = section.scalar("match", [&](std::string_view text) -> Status {
        const auto blank = text.find(' ');
        const auto path = text.find_first_not_of(' ', blank);
        if (blank == std::string_view::npos || path == std::string_view::npos)
            return fail(Code::config_invalid,
                        fmt::format("`{}` is not a method and a path; write `POST /orders`", text));
        route.method = text.substr(0, blank);
        route.path = text.substr(path);
        return {};
    });
    if (given) warn_of_method(section, route.method);
    if (!given && !section.has("match"))
        section.error("the route has no `match`", "write `match: POST /orders`");
    section.text("host", route.host);
    section.text("host_rewrite", route.host_rewrite);
    const std::string place = route.host + route.path;
    route.name =
        route.method.empty() ? std::string("-") : fmt::format("{} {}", route.method, place);
    section.text("name", route.name);
    section.text("was", route.was);
}

// header, json and derive exclude each other, but `derive` beside a key that is not required says how the
// natural-key guard tells requests apart.
void read_key(Section& route_section, KeyRule& key) {
    const YamlNode* node = route_section.take("key");
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::map) {
        const std::string name =
            node->kind == YamlNode::Kind::scalar ? node->text : "Idempotency-Key";
        route_section.error(*node, fmt::format("`key` is {}", name_of(node->kind)),
                            fmt::format("write `key: {{ header: {} }}`", name));
        return;
    }
    Section section = route_section.section("key");
    const bool in_header = section.text("header", key.header);
    const bool in_body = section.text("json", key.json_path);
    const bool derived = section.texts("derive", key.derive);
    section.flag("required", key.required);
    section.text("format", key.format);
    const bool windowed = section.duration("window", key.window);
    section.later("token");
    section.finish();
    if (in_header && in_body)
        section.error("`key` names a header and a member of the body",
                      "keep one of `header` and `json`");
    if (in_header) key.source = KeyRule::Source::header;
    if (in_body) key.source = KeyRule::Source::json;
    if (derived && !in_header && !in_body) {
        key.source = KeyRule::Source::derived;
        if (!windowed) key.window = std::chrono::milliseconds(0);
    }
    const bool named = in_header || in_body;
    if (derived && named && key.required)
        section.error("`derive` beside a key that is required is never used",
                      "write `required: false`, or remove `derive`");
    if (windowed && named && key.required)
        section.error("`window` beside a key that is required is never used",
                      "write `required: false`, or remove `window`");
    if (section.has("required") && !named)
        section.error("`required` speaks of a key that a client sends, and none is named",
                      "add `header`, or remove `required`");
    if (!key.format.empty() && !named)
        section.error("`format` speaks of a key that a client sends, and none is named",
                      "add `header`, or remove `format`");
}

void read_version(Section& route_section, policy::VersionRule& version) {
    const YamlNode* node = route_section.take("version");
    if (node == nullptr) return;
    Section section = route_section.section("version");
    const bool in_header = section.text("header", version.header);
    const bool in_body = section.text("json", version.json_path);
    section.finish();
    if (in_header) version.source = policy::VersionRule::Source::header;
    if (in_body) version.source = policy::VersionRule::Source::json;
    if (in_header && in_body)
        section.error("`version` names a header and a member of the body",
                      "keep one of `header` and `json`");
    if (node->kind == YamlNode::Kind::map && node->members.empty())
        section.error("`version` names nothing", "write `version: { header: Pawl-Version }`");
}

void read_fingerprint(Section& route_section, FingerprintRule& rule) {
    const YamlNode* node = route_section.take("fingerprint");
    if (node == nullptr) return;
    constexpr std::string_view kForms =
        "write `raw`, `automatic`, or `{ json: canonical, exclude: [$.sent_at] }`";
    if (node->kind == YamlNode::Kind::scalar) {
        if (node->text == "raw")
            rule.mode = FingerprintRule::Mode::raw;
        else if (node->text != "automatic")
            route_section.error(*node, fmt::format("`fingerprint`: `{}` is not known", node->text),
                                std::string(kForms));
        return;
    }
    if (node->kind == YamlNode::Kind::list) {
        route_section.error(*node, "`fingerprint` is a list", std::string(kForms));
        return;
    }
    Section section = route_section.section("fingerprint");
    constexpr std::array<std::string_view, 1> kJson{"canonical"};
    section.choice("json", kJson, [&](std::string_view) -> Status {
        rule.mode = FingerprintRule::Mode::canonical;
        return {};
    });
    section.texts("include", rule.include);
    section.texts("exclude", rule.exclude);
    section.finish();
}

void read_uncertain(Reading& reading, Section& route_section, Route& route) {
    Section section = route_section.section("uncertain");
    section.text("probe", route.uncertain.probe);
    section.text("close", route.uncertain.close);
    if (const YamlNode* node = section.take("callback")) {
        if (node->kind == YamlNode::Kind::map) {
            Section callback = section.section("callback");
            read_secret(reading, callback, "secret", route.uncertain.callback.emplace());
            callback.finish();
        } else {
            section.error(*node, fmt::format("`callback` is {}", name_of(node->kind)),
                          "write `callback: { secret: { file: /run/secrets/… } }`");
        }
    }
    std::chrono::milliseconds horizon{};
    if (section.duration("effect_horizon", horizon)) route.uncertain.effect_horizon = horizon;
    section.finish();
}

// What the file does not say, its profile does.
void apply_profile(const Section& section, Route& route) {
    const policy::ProfileRow& row = policy::profile_row(route.profile);
    const auto says = [&route](std::string_view field) {
        return std::ranges::find(route.places, field, &policy::FieldPlace::field) !=
               route.places.end();
    };
    if (row.names_header && !section.has("key")) route.key.source = KeyRule::Source::header;
    if (row.runs_without_key && !says("key.required")) route.key.required = false;
    if (!section.has("fingerprint")) route.fingerprint.mode = row.fingerprint;
    route.retention = {row.result, row.key};
}

void read_retention(Section& route_section, Route& route) {
    Section section = route_section.section("retention");
    section.duration("result", route.retention.result);
    std::chrono::milliseconds key{};
    bool for_ever = false;
    if (const YamlNode* node = section.take("key"); node != nullptr && node->text == "forever")
        for_ever = true;
    else if (section.duration("key", key))
        route.retention.key = key;
    if (for_ever) route.retention.key = std::nullopt;
    std::chrono::milliseconds refused{};
    if (section.duration("refused", refused)) route.retention.refused = refused;
    section.finish();
}

void read_rerunnable(Section& section, Route& route) {
    bool rerunnable = false;
    const bool said = section.flag("rerunnable", rerunnable);
    std::chrono::milliseconds remembers{};
    const bool given = section.duration("upstream_remembers", remembers);
    if (given) route.upstream_remembers = remembers;
    if (!said) return;
    const YamlNode& at = *section.take("rerunnable");
    if (rerunnable && !given && !section.has("upstream_remembers"))
        section.error(at,
                      "`rerunnable` needs to know how long the upstream honours the operation key",
                      "write `upstream_remembers: 24h`; `rerunnable` follows from it");
    if (!rerunnable && given)
        section.error(at, "`rerunnable: false` contradicts `upstream_remembers`",
                      "remove one of them");
}

void read_protect(Section& section, Route& route) {
    constexpr std::array<std::string_view, 3> kChoices{"true", "false", "shadow"};
    section.choice("protect", kChoices, [&](std::string_view name) -> Status {
        route.protect = name == "true";
        route.shadow = name == "shadow";
        return {};
    });
}

void read_choices(Section& section, Route& route) {
    section.choice("profile", policy::profile_names(), policy::profile_from, route.profile);
    section.choice("strategy", policy::strategy_names(), policy::strategy_from, route.strategy);
    section.choice("tier", policy::tier_names(), policy::tier_from, route.tier);
}

// `replay`, `refuse`, or a map with the request that reads what was made.
void read_on_repeat(Section& section, Route& route) {
    const YamlNode* node = section.take("on_repeat");
    if (node == nullptr) return;
    constexpr std::string_view kRemedy = "write `on_repeat: { current: \"GET {location}\" }`";
    if (node->kind == YamlNode::Kind::scalar) {
        section.choice("on_repeat", policy::on_repeat_names(), policy::on_repeat_from,
                       route.on_repeat);
        if (route.on_repeat != policy::OnRepeat::current) return;
        route.on_repeat = policy::OnRepeat::replay;
        section.error(*node, "`current` needs the request that reads what was made",
                      std::string(kRemedy));
        return;
    }
    Section below = section.section("on_repeat");
    if (below.text("current", route.read))
        route.on_repeat = policy::OnRepeat::current;
    else if (node->kind == YamlNode::Kind::map && !below.has("current") && node->members.empty())
        below.error("`on_repeat` says nothing", std::string(kRemedy));
    below.finish();
}

}  // namespace

Route read_route(Reading& reading, const YamlNode& node) {
    Route route;
    route.line = node.line;
    route.column = node.column;
    if (node.kind != YamlNode::Kind::map) {
        reading.findings.push_back({policy::Severity::error, node.line, node.column,
                                    fmt::format("a route is {}", name_of(node.kind)),
                                    "write `- match: POST /orders`"});
        return route;
    }
    Section section(reading, &node, "", false);
    section.note_places(&route.places);
    read_match(section, route);
    section.scalar("upstream", [&](std::string_view text) -> Status {
        auto upstream = parse_upstream(text);
        if (!upstream) return fail(upstream.error());
        route.upstream = *std::move(upstream);
        return {};
    });
    read_protect(section, route);
    read_key(section, route.key);
    read_version(section, route.version);
    read_caller(section, route.caller);
    read_authorize(section, route);
    read_tenant(section, nullptr, route.tenant);
    read_cors(section, route.cors);
    read_trust(section, route.upstream.trust);
    read_fingerprint(section, route.fingerprint);
    read_choices(section, route);
    read_on_repeat(section, route);
    apply_profile(section, route);
    read_uncertain(reading, section, route);
    read_retention(section, route);
    section.duration("wait", route.wait);
    section.duration("lease", route.lease);
    section.duration("hold_max", route.hold_max);
    read_rerunnable(section, route);
    section.flag("transactional", route.transactional);
    section.flag("declares_outcome", route.declares_outcome);
    section.flag("keep_encodings", route.keep_encodings);
    std::size_t in_progress_status = 0;
    if (section.number("in_progress_status", in_progress_status, 400, 499))
        route.in_progress_status = static_cast<int>(in_progress_status);
    section.text("replay_header", route.replay_header);
    section.texts("replay_headers", route.replay_headers);
    section.size("body_bytes_max", route.body_bytes_max);
    section.size("answer_bytes_max", route.answer_bytes_max);
    for (const std::string_view name : {"encrypt", "fail_open", "noop"}) section.later(name);
    section.finish();
    return route;
}

}  // namespace pawl::config
