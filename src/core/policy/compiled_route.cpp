// SPDX-License-Identifier: Apache-2.0
// Parsing only; whether the parsed rules make sense together is judged by check.cpp.
#include "core/policy/compiled_route.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/policy/profile.hpp"
#include "core/policy/replay_headers.hpp"

namespace pawl::policy {
namespace {

Result<std::vector<key::JsonPath>> parse_paths(const std::vector<std::string>& texts) {
    std::vector<key::JsonPath> paths;
    for (const std::string& text : texts) {
        auto path = key::parse_json_path(text);
        if (!path) return fail(path.error());
        paths.push_back(*std::move(path));
    }
    return paths;
}

key::BodyForm form_of(FingerprintRule::Mode mode) {
    switch (mode) {
        case FingerprintRule::Mode::raw:
            return key::BodyForm::raw;
        case FingerprintRule::Mode::canonical:
            return key::BodyForm::canonical;
        case FingerprintRule::Mode::automatic:
            break;
    }
    return key::BodyForm::automatic;
}

Status compile_key(CompiledRoute& made) {
    const KeyRule& rule = made.route.key;
    if (rule.source == KeyRule::Source::json) {
        auto path = key::parse_json_path(rule.json_path);
        if (!path) return fail(path.error());
        made.key_path = *std::move(path);
    }
    const bool may_lack_key = rule.source == KeyRule::Source::none || !rule.required;
    made.runs_without_key = profile_row(made.route.profile).runs_without_key &&
                            rule.source == KeyRule::Source::header && !rule.required;
    made.natural_key = !made.runs_without_key && rule.window.count() > 0 &&
                       (may_lack_key || rule.source == KeyRule::Source::derived);
    for (const std::string& text : rule.derive) {
        auto part = parse_key_part(text);
        if (!part) return fail(part.error());
        made.key_parts.push_back(*std::move(part));
    }
    if (made.natural_key && made.key_parts.empty())
        made.key_parts = {
            KeyPart{KeyPart::Kind::caller, {}, {}}, KeyPart{KeyPart::Kind::method, {}, {}},
            KeyPart{KeyPart::Kind::path, {}, {}}, KeyPart{KeyPart::Kind::body, {}, {}}};
    auto format = KeyFormat::parse(rule.format);
    if (!format) return fail(format.error());
    made.key_format = *std::move(format);
    return {};
}

Status compile_version(CompiledRoute& made) {
    if (made.route.version.source != VersionRule::Source::json) return {};
    auto path = key::parse_json_path(made.route.version.json_path);
    if (!path) return fail(path.error());
    made.version_path = *std::move(path);
    return {};
}

Status compile_fingerprint(CompiledRoute& made) {
    auto include = parse_paths(made.route.fingerprint.include);
    if (!include) return fail(include.error());
    auto exclude = parse_paths(made.route.fingerprint.exclude);
    if (!exclude) return fail(exclude.error());
    // A shadow sees bytes pass and keeps none, so that it cannot read them as JSON.
    made.fingerprint.form =
        made.route.shadow ? key::BodyForm::raw : form_of(made.route.fingerprint.mode);
    made.fingerprint.json.include = *std::move(include);
    made.fingerprint.json.exclude = *std::move(exclude);
    made.fingerprint_without_host = made.fingerprint;
    made.fingerprint.host = made.route.host.empty() && made.route.host_rewrite.empty();
    made.fingerprint_digest = key::digest_of(made.fingerprint);
    return {};
}

Status compile_settling(CompiledRoute& made) {
    for (const auto& [text, target] : {std::pair{&made.route.uncertain.probe, &made.probe},
                                       std::pair{&made.route.uncertain.close, &made.close}}) {
        if (text->empty()) continue;
        auto request = SettleRequest::parse(*text);
        if (!request) return fail(request.error());
        *target = *std::move(request);
    }
    return {};
}

Status compile_repeats(CompiledRoute& made) {
    if (made.route.on_repeat != OnRepeat::current) return {};
    auto request = ReadRequest::parse(made.route.read, made.route.path);
    if (!request) return fail(request.error());
    made.read = *std::move(request);
    return {};
}

}  // namespace

std::optional<key::FingerprintRule> CompiledRoute::rule_named(const Digest& digest) const {
    key::FingerprintRule rule = fingerprint;
    for (int i = 0; i < 2; ++i) {
        if (key::digest_of(rule) == digest) return rule;
        rule.host = !rule.host;
    }
    return std::nullopt;
}

Result<KeyPart> parse_key_part(std::string_view text) {
    if (text == "caller") return KeyPart{KeyPart::Kind::caller, {}, {}};
    if (text == "body") return KeyPart{KeyPart::Kind::body, {}, {}};
    if (text == "method") return KeyPart{KeyPart::Kind::method, {}, {}};
    if (text == "path") return KeyPart{KeyPart::Kind::path, {}, {}};
    if (text.starts_with('$')) {
        auto path = key::parse_json_path(text);
        if (!path) return fail(path.error());
        return KeyPart{KeyPart::Kind::json, *std::move(path), {}};
    }
    constexpr std::string_view kHeader = "header:";
    if (text.starts_with(kHeader) && is_field_name(text.substr(kHeader.size())))
        return KeyPart{KeyPart::Kind::header, {}, std::string(text.substr(kHeader.size()))};
    return fail(
        Code::config_invalid,
        fmt::format(
            "`{}` is not a part of a key; write caller, body, method, path, a JSON path as in "
            "`$.cart_id`, or `header:NAME`",
            text));
}

Result<CompiledRoute> compile(Route route) {
    CompiledRoute made;
    made.route = std::move(route);
    if (auto done = compile_key(made); !done) return fail(done.error());
    if (auto done = compile_version(made); !done) return fail(done.error());
    if (auto done = compile_fingerprint(made); !done) return fail(done.error());
    if (auto done = compile_settling(made); !done) return fail(done.error());
    if (auto done = compile_repeats(made); !done) return fail(done.error());
    return made;
}

Result<RouteTable> RouteTable::build(std::vector<Route> routes) {
    RouteTable table;
    for (Route& route : routes) {
        auto added =
            table.matcher_.add({route.method, route.path, route.host}, table.routes_.size());
        if (!added) return fail(added.error());
        auto made = compile(std::move(route));
        if (!made) return fail(made.error());
        table.routes_.push_back(*std::move(made));
    }
    if (!table.matcher_.twins().empty())
        return fail(Code::config_invalid,
                    fmt::format("the routes `{}` and `{}` answer to the same requests",
                                table.routes_[table.matcher_.twins().front().first].route.name,
                                table.routes_[table.matcher_.twins().front().second].route.name));
    return table;
}

const CompiledRoute* RouteTable::find(std::string_view method, std::string_view host,
                                      std::string_view target, PathParameters* parameters) const {
    const auto found = matcher_.find(method, host, target, parameters);
    return found ? &routes_[*found] : nullptr;
}

}  // namespace pawl::policy
