// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/connect.hpp"

#include <fmt/format.h>

#include "surface/cli/effective_config.hpp"
#include "surface/config/address.hpp"

namespace pawl::cli {
namespace {

// Who listens on every address is reached on this machine.
std::string reachable(const std::string& host) {
    if (host == "0.0.0.0") return "127.0.0.1";
    if (host == "::") return "::1";
    return host;
}

Result<http::Target> parse_target(const std::string& text) {
    const bool has_scheme = text.find("://") != std::string::npos;
    if (!has_scheme && text.find(':') == std::string::npos)
        return fail(
            Code::config_invalid,
            fmt::format("--admin `{}` has no port; write HOST:PORT, as in 127.0.0.1:8081", text));
    auto upstream = config::parse_upstream(has_scheme ? text : "http://" + text);
    if (!upstream) return fail(std::move(upstream.error()));
    return http::Target{std::move(upstream->host), upstream->port, upstream->tls};
}

}  // namespace

Result<Places> find_places(const Common& common, const config::Environment& environment) {
    auto effective = effective_config(common, environment);
    if (!effective) return fail(std::move(effective.error()));
    Places places;
    places.store_path = effective->config.store.path;
    places.admin.token = effective->config.admin_token.value;
    places.admin.target = {reachable(effective->config.admin.host), effective->config.admin.port,
                           false};
    places.config = std::move(effective->config);
    if (common.admin.empty()) return places;
    auto target = parse_target(common.admin);
    if (!target) return fail(std::move(target.error()));
    places.admin.target = std::move(*target);
    places.may_read_store = !common.store.empty() || !common.config.empty();
    return places;
}

}  // namespace pawl::cli
