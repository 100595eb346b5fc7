// SPDX-License-Identifier: Apache-2.0
#include "net/http/framing.hpp"

#include <algorithm>

#include "net/http/list.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::http {
namespace {

constexpr bool is_alnum(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

constexpr Flaw kTarget{400, "The request target is malformed."};

Flaw mend_target(RequestHead& head) {
    if (head.method == "CONNECT") return {501, "Tunnels are not made here."};
    if (head.target.find('#') != std::string::npos) return kTarget;
    if (head.target.starts_with('/')) return {};
    if (head.target == "*") return head.method == "OPTIONS" ? Flaw{} : kTarget;
    // absolute-form: its authority stands for Host, whatever Host says (RFC 9112, 3.2.2)
    const std::size_t scheme = head.target.find("://");
    if (scheme == std::string::npos || scheme == 0) return kTarget;
    const std::string_view name = std::string_view(head.target).substr(0, scheme);
    if (!equal_ignoring_case(name, "http") && !equal_ignoring_case(name, "https")) return kTarget;
    const std::size_t path = head.target.find_first_of("/?", scheme + 3);
    const std::string authority =
        head.target.substr(scheme + 3, path == std::string::npos ? path : path - scheme - 3);
    if (authority.empty() || !is_valid_host(authority)) return kTarget;
    head.target = path == std::string::npos ? "/" : head.target.substr(path);
    if (head.target.starts_with('?')) head.target.insert(0, 1, '/');
    remove_all(head.headers, "host");
    head.headers.emplace(head.headers.begin(), "Host", authority);
    return {};
}

Flaw flaw_in_lengths(const FramingLines& lines) {
    if (lines.content_lengths > 0 && lines.transfer_encodings > 0)
        return {400, "Content-Length and Transfer-Encoding contradict each other."};
    if (lines.content_lengths > 1 || !lines.length_valid)
        return {400, "Content-Length must be one number."};
    if (lines.transfer_encodings > 1) return {400, "Transfer-Encoding must come once."};
    return {};
}

}  // namespace

Flaw flaw_in(RequestHead& head, const FramingLines& lines) {
    if (const Flaw flaw = flaw_in_lengths(lines); flaw.status != 0) return flaw;
    if (lines.transfer_encodings > 0 && head.minor_version == 0)
        return {400, "HTTP/1.0 knows no Transfer-Encoding."};
    if (!lines.only_chunked) return {501, "The only transfer coding understood here is chunked."};
    if (lines.hosts > 1 || (lines.hosts == 0 && head.minor_version > 0))
        return {400, "Host must come exactly once."};
    if (!lines.host_valid) return {400, "Host is malformed."};
    return mend_target(head);
}

Flaw flaw_in(const ResponseHead& head, const FramingLines& lines) {
    if (const Flaw flaw = flaw_in_lengths(lines); flaw.status != 0) return flaw;
    if (lines.transfer_encodings > 0 && (head.minor_version == 0 || !lines.only_chunked))
        return {502, "The answer's Transfer-Encoding is not understood."};
    if (head.status < 100) return {502, "The answer's status is no status."};
    return {};
}

bool is_token_char(char c) {
    return is_alnum(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_valid_host(std::string_view value) {
    const bool literal = value.starts_with('[');
    const std::size_t end = literal ? value.find(']') : std::min(value.find(':'), value.size());
    if (end == std::string_view::npos) return false;
    const std::string_view host = value.substr(literal ? 1 : 0, end - (literal ? 1 : 0));
    const std::string_view rest = value.substr(literal ? end + 1 : end);
    const bool has_port = rest.starts_with(':');
    const auto is_part = [literal](char c) {
        return is_alnum(c) || (literal && c == ':') ||
               std::string_view("-._~%!$&'()*+;=").find(c) != std::string_view::npos;
    };
    return (has_port || rest.empty()) && (!host.empty() || value.empty()) &&
           std::ranges::all_of(host, is_part) && (rest.size() < 2 || is_number(rest.substr(1)));
}

bool is_number(std::string_view value) {
    return !value.empty() &&
           std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_chunked(std::string_view value) { return equal_ignoring_case(value, "chunked"); }

bool is_continue(std::string_view value) {
    bool found = false;
    for_each_member(value, [&found](std::string_view member) {
        found |= equal_ignoring_case(member, "100-continue");
    });
    return found;
}

}  // namespace pawl::http
