// SPDX-License-Identifier: Apache-2.0
// What names an operation: key, caller, fingerprint. A part that differs from attempt to attempt makes every
// retry a new operation and is refused.
#include <array>

#include <fmt/format.h>

#include "core/policy/check.hpp"
#include "core/policy/compiled_route.hpp"
#include "core/policy/names.hpp"
#include "core/policy/replay_headers.hpp"
#include "core/policy/route_findings.hpp"
#include "core/policy/units.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::policy {
namespace {

// Without case, `-`, `_` and a leading `X-`.
constexpr std::array<std::string_view, 36> kAttemptAttributes{"retry",
                                                              "retries",
                                                              "retrycount",
                                                              "retrynumber",
                                                              "retryno",
                                                              "retryattempt",
                                                              "attempt",
                                                              "attempts",
                                                              "attemptcount",
                                                              "attemptnumber",
                                                              "attemptno",
                                                              "tries",
                                                              "trycount",
                                                              "deliverycount",
                                                              "deliveryattempt",
                                                              "redelivered",
                                                              "redeliverycount",
                                                              "amzdate",
                                                              "timestamp",
                                                              "timestampms",
                                                              "ts",
                                                              "tsms",
                                                              "now",
                                                              "sentat",
                                                              "sendtime",
                                                              "senttime",
                                                              "requesttime",
                                                              "requesttimestamp",
                                                              "requestedat",
                                                              "requestat",
                                                              "requeststart",
                                                              "clienttime",
                                                              "clienttimestamp",
                                                              "date",
                                                              "isretry",
                                                              "currenttime"};

std::string reduced(std::string_view name) {
    std::string text;
    for (const char c : name)
        if (c != '-' && c != '_')
            text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (name.starts_with("X-") || name.starts_with("x-")) text.erase(0, 1);
    return text;
}

bool begins_with_pawl(std::string_view name) {
    return name.size() >= 5 && equal_ignoring_case(name.substr(0, 5), "pawl-");
}

// `date` as a member is a business date more often than the time of sending.
bool is_attempt_member(const key::JsonPath& path) {
    if (path.steps.empty() || path.steps.back().index) return false;
    return is_attempt_attribute(path.steps.back().member) &&
           reduced(path.steps.back().member) != "date";
}

void refuse_attempt_attribute(RouteFindings& found, std::string_view field, std::string_view name) {
    found.error(
        field,
        fmt::format("`{}` differs from attempt to attempt, so no retry would find its operation",
                    name),
        "write what all attempts of one operation share");
}

// A header that carries the key, or a part of it, or the caller.
void check_header(RouteFindings& found, std::string_view field, std::string_view name) {
    if (!is_field_name(name)) {
        found.error(field, fmt::format("`{}` is not the name of a header", name),
                    "write its name alone");
        return;
    }
    if (begins_with_pawl(name))
        found.error(field, fmt::format("`{}` is removed from clients' requests", name),
                    "write another header");
    if (is_attempt_attribute(name)) refuse_attempt_attribute(found, field, name);
    if (const std::string text = reduced(name);
        text == "requestid" || text == "correlationid" || text == "traceparent")
        found.warn(field,
                   fmt::format("`{}` is new on every attempt with most clients and proxies", name),
                   "make sure that retries repeat it, or write `Idempotency-Key`");
}

// What makes requests of one caller differ; a key of caller and method alone is the same for all of them.
bool tells_operations_apart(const KeyPart& part) {
    return part.kind != KeyPart::Kind::caller && part.kind != KeyPart::Kind::method;
}

void check_derived(RouteFindings& found) {
    const Route& route = found.route();
    bool apart = false;
    for (const std::string& text : route.key.derive) {
        const auto part = parse_key_part(text);
        if (!part) {
            found.error("key.derive", part.error().text, "");
            continue;
        }
        apart = apart || tells_operations_apart(*part);
        if (part->kind == KeyPart::Kind::header) check_header(found, "key.derive", part->header);
        if (part->kind == KeyPart::Kind::json && is_attempt_member(part->json))
            refuse_attempt_attribute(found, "key.derive", text);
    }
    if (!apart)
        found.error("key.derive", "all requests of one caller would be one operation",
                    "add `body`, `path`, or a JSON path such as `$.cart_id`");
    if (route.key.window > route.retention.result)
        found.error(
            "key.window",
            fmt::format("the window ({}) is longer than the result is kept ({})",
                        format_duration(route.key.window), format_duration(route.retention.result)),
            "write a shorter `window`, or a longer `retention.result`");
}

// Where a client's key is not read or may be missing, the natural-key guard stands in, for seconds.
void warn_of_the_guard(RouteFindings& found) {
    const KeyRule& rule = found.route().key;
    constexpr std::string_view kRemedy = "write `key: { header: Idempotency-Key, required: true }`";
    const std::string how_long = rule.window.count() == 0
                                     ? std::string("not at all")
                                     : fmt::format("for {} only", format_duration(rule.window));
    if (rule.source == KeyRule::Source::none)
        found.warn("key",
                   fmt::format("no key is read here, a client's Idempotency-Key header neither: "
                               "equal requests are "
                               "recognised as repeats {}",
                               how_long),
                   std::string(kRemedy));
    else if (rule.source != KeyRule::Source::derived && !rule.required)
        found.warn("key",
                   fmt::format("requests without a key are recognised as repeats {}", how_long),
                   std::string(kRemedy));
}

}  // namespace

bool is_attempt_attribute(std::string_view name) {
    const std::string text = reduced(name);
    return std::ranges::find(kAttemptAttributes, text) != kAttemptAttributes.end();
}

void check_key(RouteFindings& found) {
    const Route& route = found.route();
    const KeyRule& rule = route.key;
    switch (rule.source) {
        case KeyRule::Source::none:
            break;
        case KeyRule::Source::header:
            check_header(found, "key.header", rule.header);
            break;
        case KeyRule::Source::derived:
            break;
        case KeyRule::Source::json:
            if (const auto path = key::parse_json_path(rule.json_path); !path)
                found.error("key.json", path.error().text, "write a path such as `$.request_id`");
            else if (path->steps.empty())
                found.error("key.json", "`$` is the whole body",
                            "write `key: { derive: [caller, body] }`");
            else if (is_attempt_member(*path))
                refuse_attempt_attribute(found, "key.json", rule.json_path);
            break;
    }
    if (rule.source == KeyRule::Source::derived || !rule.derive.empty()) check_derived(found);
    if (const auto format = KeyFormat::parse(rule.format); !format)
        found.error("key.format", format.error().text, "write one such as `[0-9a-f-]{36}`");
    if (route.profile == Profile::strict_money) warn_of_the_guard(found);
}

void check_caller(RouteFindings& found) {
    const Route& route = found.route();
    switch (route.caller.source) {
        case CallerRule::Source::open:
            if (route.profile == Profile::strict_money)
                found.warn("caller",
                           "all callers share one space of keys: who knows a key gets its answer",
                           "write `caller: { header: X-User }`, set by what authenticates in front "
                           "of Pawl");
            break;
        case CallerRule::Source::header:
            check_header(found, "caller.header", route.caller.name);
            if (route.key.source == KeyRule::Source::header &&
                equal_ignoring_case(route.caller.name, route.key.header))
                found.error("caller.header",
                            fmt::format("`{}` carries the key already", route.caller.name),
                            "write the header that names the caller");
            break;
        case CallerRule::Source::mtls:
            if (route.caller.name != "subject")
                found.error("caller",
                            fmt::format("`{}` is nothing of a certificate that names a caller",
                                        route.caller.name),
                            "write `caller: { mtls: subject }`");
            break;
        case CallerRule::Source::
            api_key:  // whether the set is there, the configuration as a whole knows
        case CallerRule::Source::jwt:
        case CallerRule::Source::authorize:  // judged with the rest of `authorize`
            break;
    }
}

void check_fingerprint(RouteFindings& found) {
    const FingerprintRule& rule = found.route().fingerprint;
    for (const auto& [field, texts] : {std::pair{"fingerprint.include", &rule.include},
                                       std::pair{"fingerprint.exclude", &rule.exclude}}) {
        if (!texts->empty() && rule.mode == FingerprintRule::Mode::raw)
            found.error(field, "a raw fingerprint has no members to choose from",
                        "write `fingerprint: { json: canonical, … }`");
        for (const std::string& text : *texts) {
            const auto path = key::parse_json_path(text);
            if (!path)
                found.error(field, path.error().text, "write a path such as `$.sent_at`");
            else if (path->steps.empty() && texts == &rule.exclude)
                found.error(field, "`$` leaves nothing to compare",
                            "name the members that change from attempt to attempt");
        }
    }
}

}  // namespace pawl::policy
