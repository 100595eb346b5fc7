// SPDX-License-Identifier: Apache-2.0
// Two tables: what is stored without being asked for, and what is never stored even when asked for, with
// the reason that `check` shows. A name ending in '*' stands for all names that begin so.
#include "core/policy/replay_headers.hpp"

#include <algorithm>
#include <array>

#include "runtime/codec/text.hpp"

namespace pawl::policy {
namespace {

constexpr std::array<std::string_view, 6> kStored{
    "Content-Type", "Content-Encoding", "Content-Language", "Location", "ETag", "Link"};

constexpr std::string_view kHop = "it describes one connection";
constexpr std::string_view kFraming = "the server frames each answer anew";
constexpr std::string_view kCookie = "a cookie belongs to one exchange";
constexpr std::string_view kDate = "it tells when one answer was made";
constexpr std::string_view kAuthentication = "it belongs to the authentication of one exchange";
constexpr std::string_view kCors = "it is computed for the origin of each request";
constexpr std::string_view kRateLimit = "it counts one caller's requests at one moment";
constexpr std::string_view kTrace = "it names one exchange";
constexpr std::string_view kOurs = "Pawl writes it itself";

struct Never {
    std::string_view name;
    std::string_view reason;
};
constexpr std::array kNever{
    Never{"Connection", kHop},
    Never{"Keep-Alive", kHop},
    Never{"Proxy-Connection", kHop},
    Never{"TE", kHop},
    Never{"Trailer", kFraming},
    Never{"Transfer-Encoding", kFraming},
    Never{"Content-Length", kFraming},
    Never{"Upgrade", kHop},
    Never{"HTTP2-Settings", kHop},
    Never{"Alt-Svc", kHop},
    Never{"Via", kHop},
    Never{"Set-Cookie", kCookie},
    Never{"Set-Cookie2", kCookie},
    Never{"Clear-Site-Data", kCookie},
    Never{"Date", kDate},
    Never{"Age", kDate},
    Never{"Authorization", kAuthentication},
    Never{"WWW-Authenticate", kAuthentication},
    Never{"Authentication-Info", kAuthentication},
    Never{"Proxy-Authenticate", kAuthentication},
    Never{"Proxy-Authorization", kAuthentication},
    Never{"Proxy-Authentication-Info", kAuthentication},
    Never{"Access-Control-*", kCors},
    Never{"Timing-Allow-Origin", kCors},
    Never{"Cross-Origin-*", kCors},
    Never{"RateLimit", kRateLimit},
    Never{"RateLimit-*", kRateLimit},
    Never{"X-RateLimit-*", kRateLimit},
    Never{"X-Rate-Limit-*", kRateLimit},
    Never{"Retry-After", kRateLimit},
    Never{"traceparent", kTrace},
    Never{"tracestate", kTrace},
    Never{"traceresponse", kTrace},
    Never{"baggage", kTrace},
    Never{"b3", kTrace},
    Never{"X-B3-*", kTrace},
    Never{"uber-trace-id", kTrace},
    Never{"X-Request-Id", kTrace},
    Never{"Request-Id", kTrace},
    Never{"X-Correlation-Id", kTrace},
    Never{"X-Trace-Id", kTrace},
    Never{"X-Amzn-Trace-Id", kTrace},
    Never{"X-Cloud-Trace-Context", kTrace},
    Never{"Server-Timing", kTrace},
    Never{"Idempotency-Key", kOurs},
    Never{"Idempotent-Replayed", kOurs},
    Never{"Pawl-*", kOurs},
};

bool fits(std::string_view pattern, std::string_view name) {
    if (!pattern.ends_with('*')) return equal_ignoring_case(pattern, name);
    pattern.remove_suffix(1);
    return name.size() >= pattern.size() &&
           equal_ignoring_case(pattern, name.substr(0, pattern.size()));
}

bool is_token_character(char c) {
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return true;
    return std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

// Whether a `Connection` line of the answer names this field.
bool is_nominated(const HeaderLines& received, std::string_view name) {
    for (const auto& [field, value] : received) {
        if (!equal_ignoring_case(field, "Connection")) continue;
        std::string_view rest = value;
        while (!rest.empty()) {
            const auto comma = std::min(rest.find(','), rest.size());
            std::string_view option = rest.substr(0, comma);
            rest.remove_prefix(std::min(comma + 1, rest.size()));
            while (!option.empty() && (option.front() == ' ' || option.front() == '\t'))
                option.remove_prefix(1);
            while (!option.empty() && (option.back() == ' ' || option.back() == '\t'))
                option.remove_suffix(1);
            if (equal_ignoring_case(option, name)) return true;
        }
    }
    return false;
}

bool is_stored(std::string_view name, const std::vector<std::string>& added) {
    const auto is_name = [name](std::string_view other) {
        return equal_ignoring_case(name, other);
    };
    if (std::ranges::any_of(kStored, is_name)) return true;
    return std::ranges::any_of(added, is_name) && !never_stored(name);
}

}  // namespace

HeaderLines replay_headers(const HeaderLines& received, const std::vector<std::string>& added) {
    HeaderLines kept;
    for (const auto& line : received)
        if (is_stored(line.first, added) && !is_nominated(received, line.first))
            kept.push_back(line);
    return kept;
}

std::optional<std::string_view> never_stored(std::string_view name) {
    for (const Never& never : kNever)
        if (fits(never.name, name)) return never.reason;
    return std::nullopt;
}

bool is_field_name(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, is_token_character);
}

}  // namespace pawl::policy
