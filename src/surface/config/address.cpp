// SPDX-License-Identifier: Apache-2.0
#include "surface/config/address.hpp"

#include <charconv>

#include <fmt/format.h>
#include <boost/asio/ip/address.hpp>

namespace pawl::config {
namespace {

constexpr std::string_view kDemo = "demo";

std::optional<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), port);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || text.empty())
        return std::nullopt;
    return port;
}

struct HostPort {
    std::string_view host;                 // an IPv6 address without its brackets
    std::optional<std::string_view> port;  // as written
    bool bracketed = false;
};

std::optional<HostPort> split(std::string_view text) {
    HostPort parts;
    if (text.starts_with('[')) {
        const auto close = text.find(']');
        if (close == std::string_view::npos) return std::nullopt;
        parts.host = text.substr(1, close - 1);
        parts.bracketed = true;
        text.remove_prefix(close + 1);
        if (text.empty()) return parts;
        if (text.front() != ':') return std::nullopt;
        parts.port = text.substr(1);
        return parts;
    }
    const auto colon = text.find(':');
    parts.host = text.substr(0, colon);
    if (colon != std::string_view::npos) parts.port = text.substr(colon + 1);
    return parts;
}

bool is_host_name(std::string_view host) {
    return !host.empty() && host.size() <= 253 && std::ranges::all_of(host, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '.' || c == '_';
    });
}

bool is_ip(std::string_view host, bool v6) {
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(std::string(host), error);
    return !error && address.is_v6() == v6;
}

bool names_host(const std::optional<HostPort>& parts) {
    return parts && (parts->bracketed ? is_ip(parts->host, true) : is_host_name(parts->host));
}

// The user's own host and port, where they can be made out.
std::string remedy_for(std::string_view upstream) {
    const bool tls = upstream.starts_with("https://");
    if (const auto scheme = upstream.find("://"); scheme != std::string_view::npos)
        upstream.remove_prefix(scheme + 3);
    upstream = upstream.substr(0, upstream.find_first_of("/?#"));
    upstream.remove_prefix(upstream.rfind('@') + 1);  // npos + 1 is 0
    const auto parts = split(upstream);
    const bool good = names_host(parts) && (!parts->port || parse_port(*parts->port));
    return fmt::format("write `{}://{}`", tls ? "https" : "http",
                       good ? upstream : "127.0.0.1:3000");
}

std::string bracketed(const std::string& host) {
    return host.find(':') == std::string::npos ? host : fmt::format("[{}]", host);
}

}  // namespace

Result<Address> parse_address(std::string_view text, std::uint16_t usual_port) {
    const auto parts = split(text);
    const auto port = parts && parts->port ? parse_port(*parts->port) : std::nullopt;
    if (!port)
        return fail(Code::config_invalid,
                    fmt::format("`{}` is not an address and a port; write `127.0.0.1:{}`", text,
                                usual_port));
    const std::string_view host =
        parts->host == "localhost" && !parts->bracketed ? "127.0.0.1" : parts->host;
    if (!is_ip(host, parts->bracketed))
        return fail(Code::config_invalid,
                    fmt::format("`{}` is not an IP address; write `0.0.0.0:{}` for all, "
                                "`127.0.0.1:{}` for this machine only",
                                parts->host, *port, *port));
    return Address{std::string(host), *port};
}

Result<policy::Upstream> parse_upstream(std::string_view text) {
    policy::Upstream upstream;
    if (text == kDemo) {
        upstream.demo = true;
        return upstream;
    }
    std::string_view rest = text;
    if (rest.starts_with("http://")) {
        rest.remove_prefix(7);
    } else if (rest.starts_with("https://")) {
        rest.remove_prefix(8);
        upstream.tls = true;
        upstream.port = 443;
    } else {
        return fail(Code::config_invalid,
                    fmt::format("`{}` has no `http://` or `https://`; {}", text, remedy_for(text)));
    }
    if (rest.ends_with('/')) rest.remove_suffix(1);
    if (rest.find_first_of("/?#") != std::string_view::npos)
        return fail(Code::config_invalid,
                    fmt::format("`{}` has a path, but requests keep their own; {}", text,
                                remedy_for(text)));
    if (rest.find('@') != std::string_view::npos)
        return fail(
            Code::config_invalid,
            fmt::format("`{}` holds a user name, which is not sent; {}", text, remedy_for(text)));
    const auto parts = split(rest);
    if (!names_host(parts))
        return fail(Code::config_invalid,
                    fmt::format("`{}` names no host; {}", text, remedy_for(text)));
    if (parts->port) {
        const auto port = parse_port(*parts->port);
        if (!port || *port == 0)
            return fail(Code::config_invalid,
                        fmt::format("`{}` is not a port; write one from 1 to 65535", *parts->port));
        upstream.port = *port;
    }
    upstream.host = parts->host;
    return upstream;
}

std::pair<std::string_view, std::string_view> split_endpoint(std::string_view url) {
    const auto scheme = url.find("://");
    const auto slash =
        scheme == std::string_view::npos ? scheme : url.find_first_of("/?#", scheme + 3);
    return {url.substr(0, slash), slash == std::string_view::npos ? "/" : url.substr(slash)};
}

std::string format_address(const Address& address) {
    return fmt::format("{}:{}", bracketed(address.host), address.port);
}

std::string format_upstream(const policy::Upstream& upstream) {
    if (upstream.demo) return std::string(kDemo);
    return fmt::format("{}://{}:{}", upstream.tls ? "https" : "http", bracketed(upstream.host),
                       upstream.port);
}

bool is_loopback(const Address& address) {
    boost::system::error_code error;
    const auto ip = boost::asio::ip::make_address(address.host, error);
    return !error && ip.is_loopback();
}

}  // namespace pawl::config
