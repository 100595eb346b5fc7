// SPDX-License-Identifier: Apache-2.0
#include "engine/calls/call.hpp"

#include <charconv>

#include <fmt/format.h>

#include "core/policy/path.hpp"
#include "core/policy/target_template.hpp"
#include "net/http/forwarding.hpp"

namespace pawl::engine {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

// "pay" or "pay:8080"; IPv6 addresses in brackets.
Result<http::Target> target_of(std::string_view authority, bool tls, const Services& services) {
    http::Target target{{}, tls ? kHttpsPort : kHttpPort, tls};
    const auto colon = authority.ends_with(']') ? std::string_view::npos : authority.rfind(':');
    if (colon != std::string_view::npos) {
        const std::string_view port = authority.substr(colon + 1);
        const auto read = std::from_chars(port.data(), port.data() + port.size(), target.port);
        if (read.ec != std::errc{} || read.ptr != port.data() + port.size() || target.port == 0)
            return fail(Code::config_invalid, fmt::format("`{}` is not a port", port));
        authority = authority.substr(0, colon);
    }
    if (const auto service = services.find(std::string(authority)); service != services.end())
        return http::Target{service->second.host, service->second.port, service->second.tls,
                            service->second.trust};
    if (authority.starts_with('[') && authority.ends_with(']'))
        authority = authority.substr(1, authority.size() - 2);
    if (authority.empty() || authority.find_first_of("{}@") != std::string_view::npos)
        return fail(Code::config_invalid, fmt::format("`{}` is not a host", authority));
    target.host = authority;
    return target;
}

Result<std::string> filled(std::string_view written, const flow::Given& names) {
    const auto pieces = policy::cut_target(written);
    if (!pieces) return fail(pieces.error());
    std::string target;
    for (const policy::TargetPiece& piece : *pieces) {
        if (!piece.is_placeholder) {
            target += piece.text;
            continue;
        }
        const std::string_view braced = piece.text;
        const std::string_view name =
            braced.ends_with('}') ? braced.substr(1, braced.size() - 2) : std::string_view();
        const auto known = names.find(name);
        if (known == names.end() || known->second.empty())
            return fail(Code::request_invalid,
                        fmt::format("`{}` needs `{}`, which nothing has told", written, braced));
        if (known->second == "." || known->second == "..")
            return fail(Code::request_invalid,
                        fmt::format("`{}` of `{}` would lead elsewhere", known->second, written));
        target += policy::percent_encoded(known->second);
    }
    return target;
}

}  // namespace

Result<Call> make_call(std::string_view written, const flow::Given& names,
                       const Services& services) {
    const auto wrong = [&] {
        return fail(Code::config_invalid,
                    fmt::format("`{}` is not a method and an address", written));
    };
    const auto blank = written.find(' ');
    if (blank == std::string_view::npos) return wrong();
    std::string_view url = written.substr(blank + 1);
    const bool tls = url.starts_with("https://");
    if (!tls && !url.starts_with("http://")) return wrong();
    url.remove_prefix(tls ? 8 : 7);
    const auto path = std::min(url.find_first_of("/?"), url.size());
    auto target = target_of(url.substr(0, path), tls, services);
    if (!target) return fail(std::move(target.error()));
    auto asked = filled(url.substr(path), names);
    if (!asked) return fail(std::move(asked.error()));
    Call call{*std::move(target), {}};
    call.request.head.method = written.substr(0, blank);
    call.request.head.target = asked->starts_with('/') ? *asked : "/" + *asked;
    call.request.head.headers = {{"Host", http::authority_of(call.target)}};
    return call;
}

flow::Given names_of(const flow::Entity& entity) {
    flow::Given names;
    for (const auto& [name, value] : entity.fields) names.emplace(name, value.text);
    names["id"] = entity.id;
    names["flow"] = entity.flow;
    names["business_key"] = entity.business_key;
    return names;
}

}  // namespace pawl::engine
