// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_callers.hpp"

#include <array>

#include <fmt/format.h>

#include "core/caller/caller_name.hpp"
#include "core/policy/names.hpp"
#include "core/policy/replay_headers.hpp"
#include "core/policy/units.hpp"
#include "net/http/forwarding.hpp"
#include "runtime/codec/text.hpp"
#include "surface/config/read_secret.hpp"
#include "surface/yaml/nearest.hpp"

namespace pawl::config {
namespace {

using Algorithm = caller::JwtRule::Algorithm;
using policy::CallerRule;
using policy::Finding;
using policy::Severity;

constexpr std::array<std::string_view, 3> kAlgorithms{"HS256", "RS256", "ES256"};
constexpr std::size_t kHashLength = 64;

void read_header(Section& section, std::string& header, bool authorization) {
    if (!section.text("header", header)) return;
    const bool good =
        policy::is_field_name(header) && !http::is_hop_by_hop(header) &&
        !http::is_pawl_header(header) && !equal_ignoring_case(header, "content-length") &&
        !equal_ignoring_case(header, "host") && !equal_ignoring_case(header, "idempotency-key") &&
        (authorization || !equal_ignoring_case(header, "authorization"));
    if (!good)
        section.error(*section.take("header"), fmt::format("`{}` cannot say who calls", header),
                      authorization ? "write `Authorization`" : "write `X-Api-Key`");
}

void read_jwt(Reading& reading, Section& set, JwtSetting& jwt) {
    Section section = set.section("jwt");
    if (!section.has("algorithm"))
        section.error("`algorithm` is missing",
                      "write the one that the issuer's key is for: RS256, ES256 or HS256");
    section.choice("algorithm", kAlgorithms, [&](std::string_view name) -> Status {
        jwt.algorithm =
            static_cast<Algorithm>(std::ranges::find(kAlgorithms, name) - kAlgorithms.begin());
        return {};
    });
    read_secret(reading, section, "key", jwt.key);
    section.text("issuer", jwt.issuer);
    section.text("audience", jwt.audience);
    section.text("claim", jwt.claim);
    read_header(section, jwt.header, true);
    if (section.duration("skew", jwt.skew) && jwt.skew > caller::kSkewMax)
        section.error(*section.take("skew"),
                      fmt::format("tokens would be good for {} after they have expired",
                                  policy::format_duration(jwt.skew)),
                      fmt::format("write at most {}", policy::format_duration(caller::kSkewMax)));
    section.finish();
}

void read_api_keys(Reading& reading, Section& set, ApiKeySetting& setting) {
    Section section = set.section("api_key");
    read_header(section, setting.header, false);
    read_secret(reading, section, "secret", setting.secret);
    const YamlNode* keys = section.take("keys");
    section.finish();
    if (keys == nullptr || keys->kind != YamlNode::Kind::list) {
        section.error("`keys` lists no keys",
                      "write `keys: [{ caller: acme, hash: … }]`; `pawl api-key` makes one");
        return;
    }
    for (const YamlNode& node : keys->items) {
        Section entry(reading, node.kind == YamlNode::Kind::map ? &node : nullptr, "keys", false);
        ApiKeyEntry key;
        entry.text("caller", key.caller);
        entry.text("hash", key.hash);
        entry.finish();
        if (!caller::is_caller_name(key.caller))
            section.error(node, "a key names no caller", "write `{ caller: acme, hash: … }`");
        if (key.hash.size() != kHashLength || !from_hex(key.hash))
            section.error(node, "the hash of a key has 64 hexadecimal digits",
                          "let `pawl api-key` make it");
        for (const ApiKeyEntry& other : setting.keys)
            if (other.hash == key.hash)
                section.error(node, fmt::format("this key is {}'s already", other.caller),
                              "remove one of them");
        setting.keys.push_back(std::move(key));
    }
}

// The names that routes may refer to, for one way of knowing callers.
std::vector<std::string> names_of(const Config& config, CallerRule::Source source) {
    std::vector<std::string> names;
    if (source == CallerRule::Source::jwt)
        for (const auto& [name, setting] : config.callers.jwt) names.push_back(name);
    if (source == CallerRule::Source::api_key)
        for (const auto& [name, setting] : config.callers.api_keys) names.push_back(name);
    return names;
}

Finding at_field(const policy::Route& route, std::string_view field, std::string what,
                 std::string remedy) {
    Finding finding{Severity::error, route.line, route.column, std::move(what), std::move(remedy)};
    for (const policy::FieldPlace& place : route.places)
        if (place.field == field)
            std::tie(finding.line, finding.column) = std::pair(place.line, place.column);
    return finding;
}

// Whether a set that is named is there.
std::optional<Finding> missing_set(const Config& config, CallerRule::Source source,
                                   const std::string& name) {
    const std::vector<std::string> names = names_of(config, source);
    if (std::ranges::find(names, name) != names.end()) return std::nullopt;
    const auto meant = yaml::nearest(name, names);
    return Finding{
        Severity::error, 0, 0,
        fmt::format("`callers` has no `{}` with `{}`", name, policy::name_of(source)),
        meant ? fmt::format("did you mean `{}`?", *meant)
              : fmt::format("add `callers: {{ {}: {{ {}: … }} }}`", name, policy::name_of(source))};
}

Result<caller::JwtIssuer> issuer_of(const std::string& name, const JwtSetting& setting) {
    const auto broken = [&](std::string_view what) {
        return fail(Code::config_invalid,
                    fmt::format("the key of `callers.{}.jwt`: {}", name, what));
    };
    caller::JwtIssuer issuer{setting.header, {}};
    issuer.rule.algorithm = setting.algorithm;
    issuer.rule.issuer = setting.issuer;
    issuer.rule.audience = setting.audience;
    issuer.rule.claim = setting.claim;
    issuer.rule.skew = setting.skew;
    if (setting.algorithm == Algorithm::hs256) {
        if (setting.key.value.size() < caller::kHs256SecretBytesMin)
            return broken("an HS256 secret has at least 32 bytes");
        issuer.rule.secret = setting.key.value;
        return issuer;
    }
    auto key = PublicKey::parse(setting.key.value);
    if (!key) return broken(key.error().text);
    const bool rsa = setting.algorithm == Algorithm::rs256;
    if ((key->kind() == PublicKey::Kind::rsa) != rsa)
        return broken(rsa ? "RS256 needs an RSA key" : "ES256 needs a key of the curve P-256");
    issuer.rule.key = std::move(*key);
    return issuer;
}

}  // namespace

void read_caller(Section& parent, CallerRule& caller) {
    const YamlNode* node = parent.take("caller");
    if (node == nullptr) return;
    constexpr std::string_view kForms = "write `caller: public` or `caller: { header: X-User }`";
    if (node->kind == YamlNode::Kind::scalar) {
        if (node->text != "public")
            parent.error(*node, fmt::format("`caller`: `{}` is not known", node->text),
                         std::string(kForms));
        return;
    }
    if (node->kind != YamlNode::Kind::map) {
        parent.error(*node, "`caller` is a list", std::string(kForms));
        return;
    }
    Section section = parent.section("caller");
    int given = 0;
    for (const auto source : {CallerRule::Source::header, CallerRule::Source::api_key,
                              CallerRule::Source::jwt, CallerRule::Source::mtls}) {
        if (!section.text(policy::name_of(source), caller.name)) continue;
        caller.source = source;
        ++given;
    }
    section.finish();
    if (given > 1) section.error("`caller` is named in several ways", "keep one of them");
    if (given == 0 && node->members.empty())
        section.error("`caller` names nothing", std::string(kForms));
}

void read_callers(Reading& reading, Section& top, Config& config) {
    const YamlNode* node = top.take("callers");
    if (node == nullptr) return;
    if (node->kind != YamlNode::Kind::map) {
        top.error(*node, fmt::format("`callers` is {}", name_of(node->kind)),
                  "write `callers: { main: { jwt: … } }`");
        return;
    }
    for (const YamlNode::Member& member : node->members) {
        if (member.value.kind != YamlNode::Kind::map) {
            top.error(member.value,
                      fmt::format("`{}` is {}", member.name, name_of(member.value.kind)),
                      "write `jwt:` or `api_key:` below it");
            continue;
        }
        Section set(reading, &member.value, "callers." + member.name, false);
        const bool jwt = set.has("jwt");
        const bool api_key = set.has("api_key");
        if (jwt) read_jwt(reading, set, config.callers.jwt[member.name]);
        if (api_key) read_api_keys(reading, set, config.callers.api_keys[member.name]);
        set.finish();
        if (jwt == api_key && member.value.members.size() != 1)
            set.error(fmt::format("`{}` needs one way of knowing its callers", member.name),
                      "write `jwt:` or `api_key:` below it");
    }
}

std::optional<Finding> unknown_caller_rule(const Config& config, const CallerRule& caller) {
    using Source = CallerRule::Source;
    if (caller.source == Source::mtls && config.tls.client_ca.empty())
        return Finding{Severity::error, 0, 0, "clients are not asked for certificates",
                       "write `tls: { certificate: …, key: …, client_ca: … }`"};
    if (caller.source == Source::jwt || caller.source == Source::api_key)
        return missing_set(config, caller.source, caller.name);
    return std::nullopt;
}

void judge_callers(Reading& reading, const Config& config) {
    const auto add = [&](const policy::Route& route, std::string_view field,
                         std::optional<Finding> found) {
        if (found)
            reading.findings.push_back(
                at_field(route, field, std::move(found->what), std::move(found->remedy)));
    };
    for (const policy::Route& route : config.routes) {
        if (!route.protect && !route.shadow) continue;
        add(route, "caller", unknown_caller_rule(config, route.caller));
        if (route.tenant && route.tenant->source == policy::TenantRule::Source::jwt)
            add(route, "tenant", missing_set(config, CallerRule::Source::jwt, route.tenant->name));
    }
}

Result<caller::Callers> callers_of(const Config& config) {
    caller::Callers callers;
    for (const auto& [name, setting] : config.callers.jwt) {
        auto issuer = issuer_of(name, setting);
        if (!issuer) return fail(std::move(issuer.error()));
        callers.issuers.emplace(name, std::move(*issuer));
    }
    for (const auto& [name, setting] : config.callers.api_keys) {
        if (setting.secret.value.size() < caller::kApiKeySecretBytesMin)
            return fail(Code::config_invalid,
                        fmt::format("the secret of `callers.{}.api_key` has fewer than {} bytes",
                                    name, caller::kApiKeySecretBytesMin));
        caller::ApiKeys keys(setting.secret.value);
        for (const ApiKeyEntry& entry : setting.keys)
            keys.add(digest_from(*from_hex(entry.hash)), entry.caller);
        callers.api_keys.emplace(name, caller::ApiKeySet{setting.header, std::move(keys)});
    }
    return callers;
}

}  // namespace pawl::config
