// SPDX-License-Identifier: Apache-2.0
#include "core/caller/jwt.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "core/caller/caller_name.hpp"
#include "core/caller/jwt_names.hpp"
#include "core/key/json.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::caller {
namespace {

using key::JsonValue;
using Kind = JsonValue::Kind;

constexpr std::array<std::string_view, 3> kAlgorithms{"HS256", "RS256", "ES256"};

Error refused(std::string_view why) {
    return {Code::caller_unknown, fmt::format("The token {}.", why), {}, {}};
}

struct Parts {
    std::string_view signed_bytes;  // header and payload as they came
    std::string header;
    std::string payload;
    std::string signature;
};

Result<Parts> take_apart(std::string_view token) {
    const auto first = token.find('.');
    const auto second = first == std::string_view::npos ? first : token.find('.', first + 1);
    if (token.size() > kTokenBytesMax || second == std::string_view::npos)
        return fail(refused("is not a signed JSON Web Token"));
    auto header = from_base64url(token.substr(0, first));
    auto payload = from_base64url(token.substr(first + 1, second - first - 1));
    auto signature = from_base64url(token.substr(second + 1));
    if (!header || !payload || !signature) return fail(refused("is not a signed JSON Web Token"));
    return Parts{token.substr(0, second), std::move(*header), std::move(*payload),
                 std::move(*signature)};
}

// nullopt: not there.
Result<std::optional<JsonValue>> member(std::string_view object, const std::string& name) {
    auto found = key::json_at(object, key::JsonPath{{{name, std::nullopt}}, name});
    if (!found) return fail(refused("does not hold the JSON it should"));
    return found;
}

// Seconds since 1970, which may have decimals, in milliseconds. nullopt for what is no such number.
std::optional<std::int64_t> numeric_date(const JsonValue& value) {
    if (value.kind != Kind::number) return std::nullopt;
    const std::string_view text = std::string_view(value.text).substr(0, value.text.find('.'));
    std::int64_t seconds = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
    constexpr std::int64_t kSecondsMax = 253'402'300'799;  // the year 9999
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    if (seconds < 0 || seconds > kSecondsMax) return std::nullopt;
    return seconds * 1000;
}

bool is_signed(const Parts& parts, const JwtRule& rule) {
    if (rule.algorithm == JwtRule::Algorithm::hs256)
        return equal_in_constant_time(hmac_sha256(rule.secret, parts.signed_bytes).view(),
                                      parts.signature);
    return rule.key && rule.key->verifies(parts.signed_bytes, parts.signature);
}

Status check_times(const std::string& payload, const JwtRule& rule, std::int64_t now_ms) {
    const auto expires = member(payload, "exp");
    if (!expires) return fail(expires.error());
    const auto until = *expires ? numeric_date(**expires) : std::nullopt;
    if (!until) return fail(refused("does not say until when it is good (`exp`)"));
    if (now_ms >= *until + rule.skew.count()) return fail(refused("has expired"));
    const auto begins = member(payload, "nbf");
    if (!begins) return fail(begins.error());
    if (!*begins) return {};
    const auto from = numeric_date(**begins);
    if (!from || now_ms + rule.skew.count() < *from)
        return fail(refused("is not good yet (`nbf`)"));
    return {};
}

// The value at one place of a member that is a list.
Result<std::optional<JsonValue>> element(const std::string& payload, const std::string& member,
                                         std::size_t at) {
    auto found = key::json_at(payload, key::JsonPath{{{member, std::nullopt}, {"", at}}, member});
    if (!found) return fail(refused("does not hold the JSON it should"));
    return found;
}

Result<bool> is_meant_for(const std::string& payload, const std::string& audience) {
    const auto said = member(payload, "aud");
    if (!said) return fail(said.error());
    if (!*said) return false;
    if ((*said)->kind == Kind::string) return (*said)->text == audience;
    for (std::size_t i = 0; i < kAudiencesMax; ++i) {
        const auto one = element(payload, "aud", i);
        if (!one || !*one) return false;
        if ((*one)->kind == Kind::string && (*one)->text == audience) return true;
    }
    return false;
}

// The payload of a token that this rule believes.
Result<std::string> believed(std::string_view token, const JwtRule& rule, std::int64_t now_ms) {
    auto parts = take_apart(token);
    if (!parts) return fail(parts.error());
    const auto algorithm = member(parts->header, "alg");
    if (!algorithm) return fail(algorithm.error());
    if (!*algorithm || (*algorithm)->kind != Kind::string ||
        (*algorithm)->text != name_of(rule.algorithm))
        return fail(refused(fmt::format("is not signed with {}", name_of(rule.algorithm))));
    const auto critical = member(parts->header, "crit");
    if (!critical) return fail(critical.error());
    if (*critical) return fail(refused("asks for extensions (`crit`) that are not known here"));
    if (!is_signed(*parts, rule)) return fail(refused("is not signed by whom this route trusts"));

    if (auto in_time = check_times(parts->payload, rule, now_ms); !in_time)
        return fail(std::move(in_time.error()));
    if (!rule.issuer.empty()) {
        const auto issuer = member(parts->payload, "iss");
        if (!issuer) return fail(issuer.error());
        if (!*issuer || (*issuer)->kind != Kind::string || (*issuer)->text != rule.issuer)
            return fail(refused("comes from another issuer (`iss`)"));
    }
    if (!rule.audience.empty()) {
        const auto meant = is_meant_for(parts->payload, rule.audience);
        if (!meant) return fail(meant.error());
        if (!*meant) return fail(refused("is meant for someone else (`aud`)"));
    }
    return std::move(parts->payload);
}

}  // namespace

std::string_view name_of(JwtRule::Algorithm algorithm) {
    return kAlgorithms[static_cast<std::size_t>(algorithm)];
}

Result<std::string> caller_in_jwt(std::string_view token, const JwtRule& rule,
                                  std::int64_t now_ms) {
    return name_in_jwt(token, rule, rule.claim, now_ms);
}

Result<std::string> name_in_jwt(std::string_view token, const JwtRule& rule,
                                const std::string& claim, std::int64_t now_ms) {
    const auto payload = believed(token, rule, now_ms);
    if (!payload) return fail(payload.error());
    auto name = member(*payload, claim);
    if (!name) return fail(name.error());
    // No number is a name: 7, 7.0 and "7" may be three to the issuer, and must not become one here.
    if (!*name || (*name)->kind != Kind::string || !is_caller_name((*name)->text))
        return fail(refused(fmt::format("does not hold a name, as a text, in `{}`", claim)));
    return std::move((*name)->text);
}

Result<std::vector<std::string>> names_in_jwt(std::string_view token, const JwtRule& rule,
                                              const std::string& claim, std::int64_t now_ms) {
    const auto payload = believed(token, rule, now_ms);
    if (!payload) return fail(payload.error());
    auto said = member(*payload, claim);
    if (!said) return fail(said.error());
    std::vector<std::string> names;
    if (*said && (*said)->kind == Kind::string) names.push_back(std::move((*said)->text));
    if (!*said || (*said)->kind != Kind::composite) return names;
    for (std::size_t i = 0; i < kNamesMax; ++i) {
        auto one = element(*payload, claim, i);
        if (!one) return fail(one.error());
        if (!*one) break;
        if ((*one)->kind == Kind::string) names.push_back(std::move((*one)->text));
    }
    return names;
}

}  // namespace pawl::caller
