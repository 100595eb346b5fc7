// SPDX-License-Identifier: Apache-2.0
#include "core/flow/scan_token.hpp"

#include <charconv>

#include <fmt/format.h>

#include "core/flow/deeds.hpp"
#include "core/policy/units.hpp"
#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::flow {
namespace {

Objection invalid(std::string text) { return {Reason::token_invalid, std::move(text), {}}; }

// What was scanned: the event's values, and the entity's where it says nothing. nullopt: one is missing.
std::optional<std::vector<std::string>> scanned(const Case& one) {
    std::vector<std::string> texts;
    for (const std::string& name : one.rule.token->over) {
        const Value* value = find_value(one.values, name);
        if (value == nullptr) value = find_value(one.entity.fields, name);
        if (value == nullptr) return std::nullopt;
        texts.push_back(value->text);
    }
    return texts;
}

// Where no station is known, nobody signs: one secret that is none.
std::expected<std::vector<std::string>, Objection> secrets_of(const Case& one) {
    const Stations& stations = one.machine.stations();
    const std::string& field = one.rule.token->station;
    if (field.empty() || stations.empty()) return std::vector<std::string>{""};
    const Value* name = find_value(one.values, field);
    if (name == nullptr || name->text.empty())
        return std::unexpected(
            invalid(fmt::format("`{}` does not say which station it is", field)));
    const auto station = stations.find(name->text);
    if (station == stations.end())
        return std::unexpected(
            invalid(fmt::format("`{}` is no station that is known here", field)));
    return station->second;
}

std::optional<std::int64_t> token_time(const Case& one) {
    const Value* value = find_value(one.values, one.rule.token->time);
    std::int64_t ms = 0;
    if (value == nullptr) return std::nullopt;
    const char* end = value->text.data() + value->text.size();
    const auto read = std::from_chars(value->text.data(), end, ms);
    if (read.ec != std::errc{} || read.ptr != end || ms < 0) return std::nullopt;
    return ms;
}

}  // namespace

std::string scan_token(const Scan& scan, std::string_view secret) {
    DigestStream stream;
    for (const std::string_view part : {std::string_view("pawl.scan.2"), scan.flow, scan.event})
        stream.add_part(part);
    for (const std::string& value : scan.values) stream.add_part(value);
    const Digest seen = stream.finish();
    return to_hex(secret.empty() ? seen.view() : hmac_sha256(secret, seen.view()).view());
}

Objected check_token(const Case& one) {
    if (!one.rule.token) return std::nullopt;
    const auto values = scanned(one);
    const auto secrets = secrets_of(one);
    if (!secrets) return secrets.error();
    // As it is written by scan_token and not otherwise: one scan in another case would be a second fact.
    const Value* token = find_value(one.values, one.rule.token->field);
    bool is_right = false;
    if (values && token != nullptr)
        for (const std::string& secret : *secrets)
            is_right |= equal_in_constant_time(
                token->text, scan_token({one.entity.flow, one.rule.name, *values}, secret));
    if (!is_right)
        return invalid(secrets->front().empty()
                           ? "the token does not fit what it came with"
                           : "the token does not fit what it came with, or its station did not "
                             "sign it");
    const auto made = token_time(one);
    if (!made) return invalid("the token does not say when it was made");
    if (*made > timer::after_ms(one.event.now_ms, one.rule.token->skew))
        return invalid(
            fmt::format("the token is of a time that comes in {} ms; set the clock of "
                        "its station",
                        *made - one.event.now_ms));
    return std::nullopt;
}

Objected check_token_age(const Case& one) {
    if (!one.rule.token) return std::nullopt;
    const std::int64_t until = timer::after_ms(token_time(one).value_or(0), one.rule.token->valid);
    if (one.event.now_ms <= until) return std::nullopt;
    return Objection{Reason::token_expired,
                     fmt::format("the token was valid for {} only",
                                 policy::format_duration(one.rule.token->valid)),
                     {}};
}

}  // namespace pawl::flow
