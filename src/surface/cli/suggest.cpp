// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/suggest.hpp"

#include <algorithm>
#include <istream>
#include <optional>

#include <fmt/format.h>

#include "core/policy/compiled_route.hpp"
#include "core/policy/path.hpp"
#include "surface/config/address.hpp"
#include "surface/config/describe.hpp"

namespace pawl::cli {
namespace {

constexpr std::string_view kUnknownUpstream = "http://127.0.0.1:3000";

struct LoggedRequest {
    std::string_view method;
    std::string_view target;
};

bool is_method(std::string_view text) {
    return text.size() >= 3 && text.size() <= 20 &&
           std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

constexpr std::string_view kOwnPaths = "/_pawl/";

// Not for a route to say.
bool is_pawls_own(std::string_view method, std::string_view target) {
    return method == "CONNECT" || target.starts_with(kOwnPaths);
}

// METHOD TARGET HTTP/x, and nothing around it but fields after a request that is not quoted. What stands in the
// first quotes is the request; all later ones are the client's words.
std::optional<LoggedRequest> request_in(std::string_view line) {
    if (const auto quote = line.find('"'); quote != std::string_view::npos) {
        line.remove_prefix(quote + 1);
        const auto end = line.find('"');
        if (end == std::string_view::npos) return std::nullopt;
        line = line.substr(0, end);
    }
    const auto word = [&line] {
        const auto end = std::min(line.find(' '), line.size());
        const std::string_view found = line.substr(0, end);
        line.remove_prefix(std::min(end + 1, line.size()));
        return found;
    };
    const LoggedRequest request{word(), word()};
    if (!line.starts_with("HTTP/") || !is_method(request.method) || request.target.empty())
        return std::nullopt;
    return request;
}

// Of a longer line so much is kept that it shows.
bool read_line(std::istream& log, std::string& line) {
    line.clear();
    std::streambuf& bytes = *log.rdbuf();
    constexpr int kEnd = std::char_traits<char>::eof();
    int next = bytes.sbumpc();
    if (next == kEnd) return false;
    for (; next != kEnd && next != '\n'; next = bytes.sbumpc())
        if (line.size() <= kLogLineBytesMax) line += static_cast<char>(next);
    return true;
}

policy::Route candidate(const policy::WriteCount& write, const config::Config& config) {
    policy::Route route;
    route.method = write.method;
    route.path = write.path;
    route.name = write.method + " " + write.path;
    if (config.default_upstream) route.upstream = *config.default_upstream;
    for (const policy::Route& known : config.routes)
        if (known.name == write.route && !write.route.empty()) route.upstream = known.upstream;
    return route;
}

// Whether a route may stand beside those that there are.
bool fits_beside(std::vector<policy::Route> routes, const policy::Route& one) {
    if (std::ranges::find(routes, one.name, &policy::Route::name) != routes.end()) return false;
    routes.push_back(one);
    return policy::RouteTable::build(std::move(routes)).has_value();
}

std::string key_lines(const SeenWrites& seen, const policy::WriteCount& write) {
    if (write.with_key > 0)
        return fmt::format("    key: {{ header: Idempotency-Key, required: {} }}\n",
                           write.with_key == write.count);
    return seen.keys_were_seen
               ? "    # no Idempotency-Key was seen: without `key`, equal requests of one caller "
                 "within 3 s are one\n"
               : "    # a log does not show keys; where clients send one: key: { header: "
                 "Idempotency-Key, required: false }\n";
}

std::string suggested(const SeenWrites& seen, const policy::WriteCount& write,
                      const policy::Route& route) {
    const bool placed = !route.upstream.host.empty() || route.upstream.demo;
    std::string text = fmt::format("  # {} requests", write.count);
    if (seen.keys_were_seen) text += fmt::format(", {} with Idempotency-Key", write.with_key);
    text += fmt::format("\n  - match: \"{} {}\"\n    protect: shadow\n    upstream: {}{}\n",
                        route.method, route.path,
                        placed ? config::format_upstream(route.upstream) : kUnknownUpstream,
                        placed ? "" : "  # where it goes");
    text += key_lines(seen, write);
    return text + "    caller: public  # or who calls: docs/callers.md\n";
}

}  // namespace

double SeenWrites::share() const {
    const auto all = static_cast<double>(protected_requests + unprotected_writes);
    return all == 0 ? 1 : static_cast<double>(protected_requests) / all;
}

SeenWrites read_access_log(std::istream& log, const config::Config& config) {
    SeenWrites seen;
    seen.keys_were_seen = false;
    const auto table = policy::RouteTable::build(config.routes);
    policy::WriteCounts counts;
    for (std::string line; read_line(log, line);) {
        ++seen.lines;
        const auto request = line.size() <= kLogLineBytesMax ? request_in(line) : std::nullopt;
        if (!request) {
            ++seen.not_understood;
            continue;
        }
        if (policy::is_safe_method(request->method)) continue;
        if (is_pawls_own(request->method, request->target)) continue;
        const policy::CompiledRoute* route =
            table ? table->find(request->method, {}, request->target) : nullptr;
        if (route != nullptr && route->protects(request->method)) {
            ++seen.protected_requests;
            continue;
        }
        ++seen.unprotected_writes;
        counts.add(request->method, request->target, false,
                   route == nullptr ? std::string_view() : route->route.name);
    }
    seen.writes = counts.list();
    seen.not_listed = counts.not_listed();
    return seen;
}

bool may_be_suggested(const policy::WriteCount& write) {
    const bool plain = std::ranges::all_of(
        write.path, [](char c) { return c > ' ' && c < 0x7f && c != '"' && c != '\\'; });
    return plain && is_method(write.method) && !is_pawls_own(write.method, write.path) &&
           policy::parse_pattern(write.path).has_value();
}

std::string share_sentence(const SeenWrites& seen) {
    return fmt::format("{} of {} writes are protected ({:.1f} %)", seen.protected_requests,
                       seen.protected_requests + seen.unprotected_writes, seen.share() * 100);
}

std::string suggested_routes(const SeenWrites& seen, const config::Config& config) {
    std::string text = fmt::format("# {}\n", share_sentence(seen));
    if (seen.writes.empty()) return text + "# nothing to suggest: no unprotected write was seen\n";
    text +=
        "# paste below `routes:`, look at `pawl shadow` after a while, then write `protect: "
        "true`\n";
    std::vector<policy::Route> routes = config.routes;
    std::size_t shown = 0;
    for (const policy::WriteCount& write : seen.writes) {
        if (shown == kSuggestedMax) break;
        const policy::Route route = candidate(write, config);
        if (!fits_beside(routes, route)) {
            text += fmt::format(
                "  # {} requests {} {}: a route for them is there; write `protect: shadow` into "
                "it\n",
                write.count, write.method, write.path);
            continue;
        }
        text += suggested(seen, write, route);
        routes.push_back(route);
        ++shown;
    }
    if (shown == kSuggestedMax && seen.writes.size() > shown)
        text += fmt::format("# {} rarer kinds are not shown\n", seen.writes.size() - shown);
    if (seen.not_listed > 0)
        text += fmt::format("# {} writes more, of too many kinds or on paths no pattern can say\n",
                            seen.not_listed);
    return text;
}

}  // namespace pawl::cli
