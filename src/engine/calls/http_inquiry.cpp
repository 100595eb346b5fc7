// SPDX-License-Identifier: Apache-2.0
#include "engine/calls/http_inquiry.hpp"

#include "core/key/json.hpp"

namespace pawl::engine {
namespace {

using key::JsonValue;

constexpr std::string_view kEquals = " == ";

// As it is written behind `==`: JSON, or a bare word for a text.
JsonValue wanted(std::string_view written) {
    const auto path = key::parse_json_path("$");
    if (const auto value = key::json_at(written, *path); value && *value) return **value;
    const bool quoted = written.size() >= 2 && written.front() == '\'' && written.back() == '\'';
    if (quoted) written = written.substr(1, written.size() - 2);
    return {JsonValue::Kind::string, std::string(written)};
}

bool is_same(const JsonValue& a, const JsonValue& b) {
    if (a.kind != b.kind) return false;
    if (a.kind != JsonValue::Kind::number) return a.text == b.text;
    const auto one = key::canonical_json(a.text);
    const auto other = key::canonical_json(b.text);
    return one && other && *one == *other;
}

std::optional<JsonValue> value_at(std::string_view body, std::string_view path) {
    const auto parsed = key::parse_json_path(path);
    if (!parsed) return std::nullopt;
    auto value = key::json_at(body, *parsed);
    return value ? std::move(*value) : std::nullopt;
}

std::string_view without_blanks_around(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const auto first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

Finding finding_in(std::string_view body, const flow::Probe& probe) {
    const auto sign = probe.paid.find(kEquals);
    if (sign == std::string::npos) return {};
    const auto found = value_at(body, std::string_view(probe.paid).substr(0, sign));
    const JsonValue paid = wanted(std::string_view(probe.paid).substr(sign + kEquals.size()));
    if (!found) return {};
    if (!is_same(*found, paid)) {
        const bool comparable = found->kind == paid.kind && found->text != "null";
        return {comparable ? flow::Probed::unpaid : flow::Probed::unknown, {}};
    }
    Finding finding{flow::Probed::paid, {}};
    for (const auto& [name, path] : probe.facts) {
        const auto value = value_at(body, path);
        if (!value ||
            (value->kind != JsonValue::Kind::string && value->kind != JsonValue::Kind::number))
            continue;
        // "" is how some say that they do not know; as a transaction it would be everybody's.
        if (const std::string_view text = without_blanks_around(value->text); !text.empty())
            finding.facts.emplace(name, text);
    }
    return finding;
}

Task<Finding> HttpInquiry::ask(flow::Probe probe, flow::Entity entity, MonotonicTime give_up) {
    const std::shared_ptr<const Services> services = services_;
    auto call = make_call(probe.call, names_of(entity), *services);
    if (!call) co_return Finding{};
    call->request.head.headers.emplace_back("Accept", "application/json");
    const effect::Found found =
        co_await asker_.ask(std::move(call->target), std::move(call->request), give_up);
    const record::Answer& answer = found.answer;
    const bool readable = found.kind == effect::Kind::answered && answer.status >= 200 &&
                          answer.status < 300 && answer.body_kept && found.rest == nullptr &&
                          answer.body.size() <= kProbeAnswerBytesMax;
    co_return readable ? finding_in(answer.body, probe) : Finding{};
}

}  // namespace pawl::engine
