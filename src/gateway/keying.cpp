// SPDX-License-Identifier: Apache-2.0
#include "gateway/keying.hpp"

#include <span>

#include <fmt/format.h>

#include "core/key/identity.hpp"
#include "core/key/key_syntax.hpp"
#include "core/policy/names.hpp"
#include "core/policy/path.hpp"
#include "core/policy/profile.hpp"
#include "gateway/version.hpp"
#include "net/http/body_file.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::gateway {
namespace {

using policy::KeyPart;
using policy::KeyRule;

Error key_missing(const policy::Route& route) {
    return {Code::key_missing,
            route.key.source == KeyRule::Source::json
                ? fmt::format("Put the idempotency key into the body at {}; use one key per "
                              "operation and send the "
                              "same key with every retry.",
                              route.key.json_path)
                : fmt::format("Send the header {}; use one key per operation and the same key with "
                              "every retry.",
                              route.key.header),
            {},
            {}};
}

bool is_null(const key::JsonValue& value) {
    return value.kind == key::JsonValue::Kind::literal && value.text == "null";
}

// Numbers by their exact text: 7 and 7.0 are equal as numbers and would be two keys, so only integers are.
bool may_be_key(const key::JsonValue& value) {
    if (value.kind == key::JsonValue::Kind::string) return true;
    return value.kind == key::JsonValue::Kind::number &&
           value.text.find_first_of(".eE") == std::string::npos;
}

Status check_format(const policy::CompiledRoute& compiled, std::string_view key) {
    if (compiled.key_format.takes(key)) return {};
    return fail(Code::key_invalid,
                fmt::format("The key does not have the form that this route asks for: {}.",
                            compiled.route.key.format));
}

// The values the parts stand for. Errors: key_missing for a part that is not there.
Result<std::vector<std::string>> values_of_parts(const policy::CompiledRoute& compiled,
                                                 const http::Request& request,
                                                 std::string_view body, const std::string& caller) {
    std::vector<std::string> values;
    for (const KeyPart& part : compiled.key_parts) {
        switch (part.kind) {
            case KeyPart::Kind::caller:
                values.push_back("caller:" + caller);
                break;
            case KeyPart::Kind::method:
                values.push_back("method:" + request.head.method);
                break;
            case KeyPart::Kind::path:
                values.push_back("path:" + key::normalise_target(request.head.target));
                break;
            case KeyPart::Kind::body: {
                // Without the host: what a derived key was made of before hosts took part it is made of for ever.
                const auto fingerprint = key::fingerprint(compiled.fingerprint_without_host,
                                                          fingerprinted(request, body));
                if (!fingerprint) return fail(fingerprint.error());
                values.push_back("body:" + std::string(fingerprint->view()));
                break;
            }
            case KeyPart::Kind::header: {
                const auto lines = http::values_of(request.head.headers, part.header);
                if (lines.size() > 1)
                    return fail(
                        Code::key_invalid,
                        fmt::format("Send the header {} once; the operation is known by it.",
                                    part.header));
                const std::string_view value = lines.empty() ? std::string_view{} : lines.front();
                if (value.empty())
                    return fail(Code::key_missing,
                                fmt::format("Send the header {}; the operation is known by it.",
                                            part.header));
                values.push_back("header:" + std::string(value));
                break;
            }
            case KeyPart::Kind::json: {
                auto found = key::json_at(body, part.json);
                if (!found) return fail(std::move(found.error()));
                if (!*found)
                    return fail(Code::key_missing,
                                fmt::format("Put a value into the body at {}; the operation is "
                                            "known by it.",
                                            part.json.text));
                values.push_back(fmt::format("json:{}:", static_cast<int>((*found)->kind)) +
                                 (*found)->text);
                break;
            }
        }
    }
    return values;
}

// The path as the matcher reads it, so that another spelling of it is no other operation; as it came where it is
// deeper than a matcher looks.
std::string path_in_identity(std::string_view target) {
    const policy::PathWalk path = policy::walk_path(target);
    if (path.count > path.segments.size()) return key::normalise_target(policy::path_of(target));
    std::string plain;
    for (std::size_t i = 0; i < path.count; ++i)
        plain += "/" + policy::decode_segment(path.segments[i]);
    return plain;
}

// Where the route's name is no part of it, its host and its way of knowing callers are: one of two services
// behind this gateway, or of two callers called alike, is not answered with the other's result.
std::string operation_in_identity(const policy::Route& route, const http::RequestHead& head) {
    const policy::IdentityForm form = policy::profile_row(route.profile).identity;
    if (form == policy::IdentityForm::operation) return route.identity_name();
    const bool by_path = form == policy::IdentityForm::path;
    return fmt::format("{}\n{}\n{}\n{}", route.host, policy::name_of(route.caller.source),
                       route.caller.name, by_path ? path_in_identity(head.target) : "");
}

// "POST /carts/7 (natural key)": no stored content, and still something a person can look for.
std::string label_of(const http::Request& request, std::string_view how) {
    return fmt::format("{} {} ({})", request.head.method, request.head.target.substr(0, 200), how);
}

// What tells one anonymous client from another.
void add_client(std::vector<std::string>& values, const http::RequestHead& head,
                std::string_view client) {
    values.push_back("client:" + std::string(client));
    for (const std::string_view name : {"X-Forwarded-For", "User-Agent", "Cookie", "Authorization"})
        for (const std::string_view value : http::values_of(head.headers, name))
            values.push_back(fmt::format("{}:{}", name, value));
}

// The key that the client chose, where the route takes one and it sent one.
Result<std::optional<std::string>> key_sent(const policy::CompiledRoute& compiled,
                                            const http::RequestHead& head, std::string_view body) {
    const policy::Route& route = compiled.route;
    if (route.key.source == KeyRule::Source::header) {
        const auto lines = http::values_of(head.headers, route.key.header);
        if (lines.empty()) return std::nullopt;
        auto key = key::key_from_header(lines);
        if (!key) return fail(std::move(key.error()));
        return std::optional(std::move(*key));
    }
    if (route.key.source != KeyRule::Source::json) return std::nullopt;
    auto found = key::json_at(body, *compiled.key_path);
    if (!found) return fail(std::move(found.error()));
    if (!*found || is_null(**found)) return std::nullopt;
    if (!may_be_key(**found))
        return fail(
            Code::key_invalid,
            fmt::format("The key at {} must be a string or a whole number.", route.key.json_path));
    auto key = key::key_from_text((*found)->text);
    if (!key) return fail(std::move(key.error()));
    return std::optional(std::move(*key));
}

}  // namespace

Status check_key_in_head(const policy::Route& route, const http::RequestHead& head) {
    if (route.key.source != KeyRule::Source::header) return check_version_in_head(route, head);
    const auto lines = http::values_of(head.headers, route.key.header);
    if (lines.empty() && !route.key.required) return {};
    if (lines.empty()) return fail(key_missing(route));
    if (auto key = key::key_from_header(lines); !key) return fail(std::move(key.error()));
    return check_version_in_head(route, head);
}

key::Fingerprinted fingerprinted(const http::Request& request, std::string_view body) {
    const http::RequestHead& head = request.head;
    return {head.method, head.target, http::first_of(head.headers, "Content-Type"), body,
            http::first_of(head.headers, "Host")};
}

Result<Keyed> key_of(const policy::CompiledRoute& compiled, const http::Request& request,
                     const std::string& tenant, const std::string& caller, std::string_view client,
                     Entropy& entropy) {
    const policy::Route& route = compiled.route;
    const auto whole = http::WholeBody::of(request);
    if (!whole) return fail(whole.error());
    const std::string_view body = whole->view();
    const auto fingerprint = key::fingerprint(compiled.fingerprint, fingerprinted(request, body));
    if (!fingerprint) return fail(fingerprint.error());
    const key::Scope scope{tenant, is_planted(Plant::caller_forgotten) ? std::string() : caller,
                           operation_in_identity(route, request.head)};
    Keyed keyed;
    keyed.fingerprint = *fingerprint;
    auto stamp = version_of(compiled, request.head, body);
    if (!stamp) return fail(std::move(stamp.error()));
    keyed.stamp = *std::move(stamp);

    auto sent = key_sent(compiled, request.head, body);
    if (!sent) return fail(std::move(sent.error()));
    if (std::optional<std::string>& explicit_key = *sent) {
        if (auto fits = check_format(compiled, *explicit_key); !fits)
            return fail(std::move(fits.error()));
        if (route.key.source == KeyRule::Source::header)
            keyed.line = std::string(http::first_of(request.head.headers, route.key.header));
        keyed.identity = key::identity(scope, *explicit_key);
        keyed.label = std::move(*explicit_key);
        return keyed;
    }
    if (route.key.source == KeyRule::Source::derived && !compiled.natural_key) {
        auto values = values_of_parts(compiled, request, body, caller);
        if (!values) return fail(std::move(values.error()));
        keyed.identity = key::derived_identity(scope, *values);
        keyed.label = label_of(request, "derived key");
        return keyed;
    }
    const bool named =
        route.key.source == KeyRule::Source::header || route.key.source == KeyRule::Source::json;
    if (route.key.required && named) return fail(key_missing(route));

    const bool on_purpose = http::first_of(request.head.headers, "Pawl-Repeat") == "intended";
    if (!compiled.natural_key || on_purpose || is_planted(Plant::natural_key_dropped)) {
        std::string once(16, '\0');
        entropy.fill(std::as_writable_bytes(std::span{once}));
        keyed.identity = key::derived_identity(scope, {"once", once});
        keyed.label = label_of(request, "no key");
        return keyed;
    }
    auto values = values_of_parts(compiled, request, body, caller);
    if (!values) return fail(std::move(values.error()));
    values->insert(values->begin(), "natural");
    if (compiled.fingerprint.host)
        values->push_back("host:" + key::host_name(http::first_of(request.head.headers, "Host")));
    if (route.caller.source == policy::CallerRule::Source::open)
        add_client(*values, request.head, client);
    keyed.identity = key::derived_identity(scope, *values);
    keyed.label = label_of(request, "natural key");
    keyed.window = route.key.window;
    return keyed;
}

}  // namespace pawl::gateway
