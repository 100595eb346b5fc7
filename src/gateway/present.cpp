// SPDX-License-Identifier: Apache-2.0
#include "gateway/present.hpp"

#include <array>

#include <fmt/format.h>

#include "effect/upstream_head.hpp"
#include "gateway/dialect.hpp"
#include "gateway/routes.hpp"
#include "net/http/forwarding.hpp"
#include "net/http/problem.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::gateway {
namespace {

using namespace std::chrono_literals;

// What took effect and was not refused has something to show.
bool made_something(const Ended& ended) {
    const bool known = ended.verdict == Verdict::replayed || ended.verdict == Verdict::expired;
    if (!known) return false;
    const int status =
        ended.answer ? ended.answer->status : (ended.settled ? ended.settled->status : 0);
    return status < 400;
}

// Lines that speak of the body, of an earlier state of the thing, or of this operation.
bool is_left_out(std::string_view name, std::string_view key_header) {
    const auto begins = [name](std::string_view prefix) {
        return name.size() >= prefix.size() &&
               equal_ignoring_case(name.substr(0, prefix.size()), prefix);
    };
    return begins("content-") || begins("if-") || equal_ignoring_case(name, "range") ||
           equal_ignoring_case(name, key_header) || equal_ignoring_case(name, "idempotency-key");
}

Reply problem(const Ended& ended, const Asked& asked, http::Problem document) {
    document.operation_ref = record::reference_of(asked.identity);
    if (ended.first_seen_ms > 0) document.first_seen_at = wall_time(ended.first_seen_ms);
    document.safe_new_key = false;
    Reply reply;
    reply.problem = true;
    reply.code = document.code;
    reply.seen = document.code == Code::unavailable ? Seen::error : Seen::expired;
    reply.response = in_dialect(policy::profile_row(asked.route->profile).dialect, document);
    return reply;
}

Reply not_shown(const Ended& ended, const Asked& asked, const effect::Found& found) {
    const int status = found.kind == effect::Kind::answered ? found.answer.status : 0;
    http::Problem document;
    if (status == 401 || status == 403) {
        document.code = Code::forbidden;
        document.status = status;
        document.detail = fmt::format(
            "The operation took effect before; the service does not show its result to this "
            "request ({}). Send the same request again with the right to read it.",
            status);
    } else if (status == 404 || status == 410) {
        document.code = Code::result_expired;
        document.detail = fmt::format(
            "The operation took effect before; the service does not show any more what it made "
            "({}). Do not send the operation again under a new key.",
            status);
    } else {
        document.code = Code::unavailable;
        document.retry_after = 1s;
        document.detail =
            "The operation took effect before, and what it made cannot be read now. Send the same "
            "request again; it is not run a second time.";
    }
    return problem(ended, asked, std::move(document));
}

}  // namespace

std::optional<http::Request> reading_of(const policy::CompiledRoute& compiled, const Ended& ended,
                                        const http::RequestHead& asked, const http::Peer& peer,
                                        const policy::PathParameters& parameters,
                                        std::string_view label) {
    if (!compiled.read || !made_something(ended)) return std::nullopt;
    const policy::Route& route = compiled.route;
    const http::Target upstream = target_of(route.upstream);
    const std::string host(route.host_rewrite.empty() ? http::first_of(asked.headers, "Host")
                                                      : std::string_view(route.host_rewrite));
    policy::ReadNames names{
        parameters, std::string(label), {}, {http::authority_of(upstream), host}};
    if (ended.answer) names.location = http::first_of(ended.answer->headers, "Location");
    std::optional<std::string> target = compiled.read->target(names);
    if (!target) return std::nullopt;
    http::RequestHead head = asked;
    head.method = "GET";
    head.target = *std::move(target);
    std::erase_if(head.headers,
                  [&route](const auto& line) { return is_left_out(line.first, route.key.header); });
    const effect::UpstreamRules rules{.rerunnable = route.rerunnable(),
                                      .host = route.host_rewrite,
                                      .keep_encodings = route.keep_encodings};
    http::Request request;
    request.head = effect::upstream_head(std::move(head), upstream, peer, rules, 0);
    return request;
}

Reply reply_with_present(const Ended& ended, const Asked& asked, effect::Found found) {
    const bool shown = found.kind == effect::Kind::answered && found.answer.status / 100 == 2;
    if (!shown) return not_shown(ended, asked, found);
    Reply reply;
    reply.seen = ended.waited ? Seen::waited : Seen::replay;
    reply.response.status = found.answer.status;
    reply.response.headers = std::move(found.answer.headers);
    http::remove_hop_by_hop(reply.response.headers);
    http::remove_all(reply.response.headers, "Content-Length");
    std::erase_if(reply.response.headers, [&asked](const auto& line) {
        return http::is_pawl_header(line.first) ||
               equal_ignoring_case(line.first, asked.route->replay_header);
    });
    reply.response.body = std::move(found.answer.body);
    reply.response.rest = std::move(found.rest);
    reply.response.headers.emplace_back(asked.route->replay_header, "true");
    reply.response.headers.emplace_back("Pawl-Result-Source", "current");
    if (!asked.key_line.empty())
        reply.response.headers.emplace_back(asked.key_header, asked.key_line);
    return reply;
}

}  // namespace pawl::gateway
