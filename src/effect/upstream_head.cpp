// SPDX-License-Identifier: Apache-2.0
#include "effect/upstream_head.hpp"

#include "net/http/forwarding.hpp"
#include "net/http/list.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::effect {
namespace {

// RFC 9110, 8.6: a method that gives content a meaning says so even when there is none.
bool announces_content(std::string_view method) {
    return method == "POST" || method == "PUT" || method == "PATCH";
}

void add_host(http::RequestHead& head, const http::Target& target) {
    if (!http::first_of(head.headers, "host").empty()) return;
    http::remove_all(head.headers, "host");
    head.headers.emplace(head.headers.begin(), "Host", http::authority_of(target));
}

void add_length(http::RequestHead& head, std::size_t body_bytes) {
    if (body_bytes > 0 || announces_content(head.method))
        head.headers.emplace_back("Content-Length", std::to_string(body_bytes));
}

Declared word_of(std::string_view word) {
    if (equal_ignoring_case(word, "applied")) return Declared::applied;
    if (equal_ignoring_case(word, "not-applied")) return Declared::not_applied;
    return Declared::unknown;
}

}  // namespace

http::RequestHead upstream_head(http::RequestHead head, const http::Target& target,
                                const http::Peer& peer, const UpstreamRules& rules,
                                std::size_t body_bytes) {
    http::remove_hop_by_hop(head.headers);
    std::erase_if(head.headers, [&rules](const auto& line) {
        const std::string_view name = line.first;
        return http::is_pawl_header(name) || equal_ignoring_case(name, "content-length") ||
               equal_ignoring_case(name, "expect") ||
               (!rules.keep_encodings && equal_ignoring_case(name, "accept-encoding")) ||
               (rules.rerunnable && equal_ignoring_case(name, "idempotency-key"));
    });
    head.minor_version = 1;
    add_host(head, target);
    http::add_forwarded(head.headers, peer);
    if (!rules.host.empty()) http::set_host(head.headers, rules.host);
    if (!rules.keep_encodings) head.headers.emplace_back("Accept-Encoding", "identity");
    add_length(head, body_bytes);
    return head;
}

http::RequestHead upstream_question(http::RequestHead head, const http::Target& target,
                                    std::size_t body_bytes) {
    add_host(head, target);
    http::remove_all(head.headers, "content-length");
    add_length(head, body_bytes);
    return head;
}

void add_dispatch(http::RequestHead& head, const UpstreamRules& rules, const Dispatch& dispatch) {
    const std::string operation_key = to_hex(dispatch.derived_key.view());
    if (rules.rerunnable) head.headers.emplace_back("Idempotency-Key", operation_key);
    head.headers.emplace_back("Pawl-Operation-Key", operation_key);
    head.headers.emplace_back("Pawl-Fence", std::to_string(dispatch.fence.number));
    head.headers.emplace_back("Pawl-Operation-Ref", dispatch.operation_ref);
    if (!dispatch.version.empty()) head.headers.emplace_back("Pawl-Version", dispatch.version);
    if (!dispatch.traceparent.empty()) {
        http::remove_all(head.headers, "traceparent");
        head.headers.emplace_back("traceparent", dispatch.traceparent);
    }
}

std::optional<Declared> declared_in(const http::Headers& headers) {
    std::optional<Declared> found;
    for (const std::string_view value : http::values_of(headers, "pawl-outcome")) {
        const Declared word = word_of(http::trimmed(value));
        if (found && word != found) return Declared::unknown;
        found = word;
    }
    return found;
}

}  // namespace pawl::effect
