// SPDX-License-Identifier: Apache-2.0
#include "http_loopback.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace pawl::http {
namespace {

constexpr int kTimeoutSeconds = 20;

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

int bound_socket(std::uint16_t& port) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (::bind(descriptor, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        throw std::runtime_error("no free port on the loopback");
    port = ntohs(address.sin_port);
    return descriptor;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    return out;
}

}  // namespace

Talk::Talk(int descriptor) : descriptor_(descriptor) {
    const timeval limit{kTimeoutSeconds, 0};
    const int on = 1;
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

Talk::~Talk() { close(); }

void Talk::close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void Talk::end_sending() { ::shutdown(descriptor_, SHUT_WR); }

void Talk::reset() {
    const linger now{1, 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
}

bool Talk::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool Talk::more() {
    char buffer[65536];
    const ssize_t size = ::recv(descriptor_, buffer, sizeof buffer, 0);
    if (size > 0) read_.append(buffer, static_cast<std::size_t>(size));
    if (size < 0 && errno == ECONNRESET) reset_ = true;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) timed_out_ = true;
    return size > 0;
}

std::string Talk::read_to_end() {
    while (more()) {
    }
    if (timed_out_) return "<timed out>";
    return std::exchange(read_, {});
}

std::string Talk::read_bytes(std::size_t size) {
    while (read_.size() < size && more()) {
    }
    std::string bytes = read_.substr(0, size);
    read_.erase(0, bytes.size());
    return bytes;
}

// With its line end; without one when the other side ended first.
std::string Talk::line() {
    std::size_t end = 0;
    while ((end = read_.find("\r\n")) == std::string::npos && more()) {
    }
    return read_bytes(end == std::string::npos ? read_.size() : end + 2);
}

Talk::Message Talk::read(bool to_head) {
    Message message;
    for (std::string next = line(); next != "\r\n"; next = line()) {
        if (!next.ends_with("\r\n")) return message;
        message.head += next;
    }
    const int status = message.status();
    const bool bodiless =
        to_head || status == 204 || status == 304 || (status >= 100 && status < 200);
    if (bodiless) {
        message.whole = true;
    } else if (lower(message["transfer-encoding"]) == "chunked") {
        for (;;) {
            const std::string size_line = line();
            const auto size = std::strtoul(size_line.c_str(), nullptr, 16);
            if (size_line.empty()) return message;
            if (size == 0) break;
            message.body += read_bytes(size);
            if (read_bytes(2) != "\r\n") return message;
        }
        std::string next = line();
        for (; next != "\r\n" && !next.empty(); next = line()) message.trailers += next;
        message.whole = next == "\r\n";
    } else if (const std::string length = message["content-length"]; !length.empty()) {
        const auto size = std::strtoul(length.c_str(), nullptr, 10);
        message.body = read_bytes(size);
        message.whole = message.body.size() == size;
    } else if (status > 0) {
        message.body = read_to_end();
        message.whole = !reset_;
    } else {
        message.whole = true;
    }
    return message;
}

int Talk::Message::status() const {
    return head.starts_with("HTTP/1.") && head.size() > 12 ? std::atoi(head.c_str() + 9) : 0;
}

std::string Talk::Message::operator[](std::string_view name) const {
    std::string found;
    for (std::size_t at = head.find("\r\n"); at != std::string::npos && at + 2 < head.size();) {
        const std::size_t end = head.find("\r\n", at + 2);
        const std::string text = head.substr(at + 2, end - at - 2);
        const std::size_t colon = text.find(':');
        if (colon != std::string::npos && lower(text.substr(0, colon)) == lower(name)) {
            if (!found.empty()) found += " | ";
            found += text.substr(std::min(text.size(), colon + 2));
        }
        at = end;
    }
    return found;
}

Talk call(std::uint16_t port) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        throw std::runtime_error("the server under test takes no connection");
    return Talk(descriptor);
}

ScriptedUpstream::ScriptedUpstream(Script script) {
    listener_ = bound_socket(port_);
    ::listen(listener_, 128);
    accepting_ = std::thread([this, script = std::move(script)] {
        for (;;) {
            const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (descriptor < 0) return;
            ++connections_;
            const std::lock_guard lock(mutex_);
            threads_.emplace_back([script, descriptor] {
                Talk talk(descriptor);
                script(talk);
            });
        }
    });
}

ScriptedUpstream::~ScriptedUpstream() {
    ::shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    ::close(listener_);
    for (std::thread& thread : threads_) thread.join();
}

std::uint16_t refused_port() {
    std::uint16_t port = 0;
    ::close(bound_socket(port));
    return port;
}

std::string answer_of(std::string_view body, std::string_view lines) {
    return "HTTP/1.1 200 OK\r\n" + std::string(lines) +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

}  // namespace pawl::http
