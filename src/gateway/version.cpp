// SPDX-License-Identifier: Apache-2.0
#include "gateway/version.hpp"

#include <fmt/format.h>

#include "core/key/json.hpp"

namespace pawl::gateway {
namespace {

using policy::VersionRule;

Error at(std::string_view place, Error error) {
    error.text += fmt::format(
        " Write it at {} as a whole number of 0 or more or as an RFC 3339 time.", place);
    return error;
}

Result<std::optional<record::Stamp>> version_in_head(const policy::Route& route,
                                                     const http::RequestHead& head) {
    const std::string& name = route.version.header;
    const auto lines = http::values_of(head.headers, name);
    if (lines.empty()) return std::nullopt;
    if (lines.size() > 1)
        return fail(Code::version_invalid, fmt::format("Send the header {} once.", name));
    auto stamp = record::parse_stamp(lines.front());
    if (!stamp) return fail(at(name, std::move(stamp.error())));
    return std::optional(*std::move(stamp));
}

}  // namespace

Status check_version_in_head(const policy::Route& route, const http::RequestHead& head) {
    if (route.version.source != VersionRule::Source::header) return {};
    auto stamp = version_in_head(route, head);
    return stamp ? Status{} : fail(std::move(stamp.error()));
}

Result<std::optional<record::Stamp>> version_of(const policy::CompiledRoute& compiled,
                                                const http::RequestHead& head,
                                                std::string_view body) {
    using Kind = key::JsonValue::Kind;
    const policy::Route& route = compiled.route;
    if (route.version.source == VersionRule::Source::header) return version_in_head(route, head);
    if (!compiled.version_path) return std::nullopt;
    auto found = key::json_at(body, *compiled.version_path);
    if (!found) return fail(std::move(found.error()));
    const auto& value = *found;
    if (!value || (value->kind == Kind::literal && value->text == "null")) return std::nullopt;
    const std::string& place = route.version.json_path;
    if (value->kind != Kind::number && value->kind != Kind::string)
        return fail(
            at(place, {Code::version_invalid, "The version stamp is no single value.", {}, {}}));
    auto stamp = record::parse_stamp(value->text);
    if (!stamp) return fail(at(place, std::move(stamp.error())));
    return std::optional(*std::move(stamp));
}

void add_version_decision(http::Response& response, const Ended& ended) {
    std::string_view decision;
    if (ended.verdict == Verdict::first) decision = ended.superseded ? "2" : "1";
    if (ended.verdict == Verdict::replayed || ended.verdict == Verdict::stale ||
        ended.verdict == Verdict::expired)
        decision = "0";
    http::remove_all(response.headers, "Pawl-Version-Decision");
    if (!decision.empty()) response.headers.emplace_back("Pawl-Version-Decision", decision);
}

}  // namespace pawl::gateway
