// SPDX-License-Identifier: Apache-2.0
#include "net/http/wire.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "net/http/limits.hpp"

namespace pawl::http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr auto kTuple = asio::as_tuple(asio::deferred);

}  // namespace

struct Wire::Tls {
    Tls(Socket& socket, asio::ssl::context& context) : stream(socket, context) {}
    asio::ssl::stream<Socket&> stream;
};

Wire::Wire(Loop& loop, Socket socket, std::chrono::nanoseconds stall)
    : loop_(loop),
      socket_(std::move(socket)),
      stall_(stall),
      reading_(loop.alarms(), [this] { close(End::expired); }),
      writing_(loop.alarms(), [this] { close(End::expired); }) {
    error_code ignored;
    socket_.non_blocking(true, ignored);
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
}

Wire::~Wire() = default;

Task<std::size_t> Wire::receive(std::size_t waiting_max, MonotonicTime by) {
    const std::span<char> room = in_.room(waiting_max);
    if (room.empty() || !is_open()) co_return 0;
    reading_.move_to(by);
    const auto buffer = asio::buffer(room.data(), room.size());
    const auto [error, size] = tls_ ? co_await tls_->stream.async_read_some(buffer, kTuple)
                                    : co_await socket_.async_read_some(buffer, kTuple);
    reading_.move_to(kNever);
    if (error) end_reading(error);
    in_.commit(size);
    co_return size;
}

bool Wire::flush_now() {
    if (tls_ || !may_send()) return false;
    error_code error;
    while (out_sent_ < out_.size()) {
        const std::size_t size = socket_.write_some(
            asio::buffer(out_.data() + out_sent_, out_.size() - out_sent_), error);
        out_sent_ += size;
        sent_ += size;
        if (!error) continue;
        sending_failed_ = error != asio::error::would_block;
        return false;
    }
    out_.clear();
    out_sent_ = 0;
    return true;
}

Task<std::size_t> Wire::send_some(const char* bytes, std::size_t size, MonotonicTime by) {
    writing_.move_to(stall_ == kNoStall ? by : std::min(by, loop_.now() + stall_));
    const auto buffer = asio::buffer(bytes, size);
    if (tls_) ++sent_;  // a failed TLS write tells nothing about what left
    const auto [error, sent] = tls_ ? co_await tls_->stream.async_write_some(buffer, kTuple)
                                    : co_await socket_.async_write_some(buffer, kTuple);
    writing_.move_to(kNever);
    sent_ += sent;
    sending_failed_ = sending_failed_ || error;
    co_return error ? 0 : sent;
}

Task<bool> Wire::flush(MonotonicTime by, std::shared_ptr<const std::string> tail) {
    while (out_sent_ < out_.size()) {
        if (!may_send()) co_return false;
        const std::size_t sent =
            co_await send_some(out_.data() + out_sent_, out_.size() - out_sent_, by);
        if (sent == 0) co_return false;
        out_sent_ += sent;
    }
    out_.clear();
    out_sent_ = 0;
    for (std::size_t sent_of_tail = 0; tail && sent_of_tail < tail->size();) {
        if (!may_send()) co_return false;
        const std::size_t sent =
            co_await send_some(tail->data() + sent_of_tail, tail->size() - sent_of_tail, by);
        if (sent == 0) co_return false;
        sent_of_tail += sent;
    }
    co_return may_send();
}

Task<Status> Wire::begin_tls_as_client(asio::ssl::context& context, std::string host,
                                       MonotonicTime by) {
    auto tls = std::make_unique<Tls>(socket_, context);
    error_code literal;
    asio::ip::make_address(host, literal);
    if (literal) SSL_set_tlsext_host_name(tls->stream.native_handle(), host.c_str());
    tls->stream.set_verify_mode(asio::ssl::verify_peer);
    tls->stream.set_verify_callback(asio::ssl::host_name_verification(host));
    co_return co_await handshake(std::move(tls), true, by);
}

Task<Status> Wire::begin_tls_as_server(asio::ssl::context& context, MonotonicTime by) {
    co_return co_await handshake(std::make_unique<Tls>(socket_, context), false, by);
}

Task<Status> Wire::handshake(std::unique_ptr<Tls> tls, bool as_client, MonotonicTime by) {
    tls_ = std::move(tls);
    reading_.move_to(by);
    const auto role = as_client ? asio::ssl::stream_base::client : asio::ssl::stream_base::server;
    const auto [error] = co_await tls_->stream.async_handshake(role, kTuple);
    reading_.move_to(kNever);
    if (!error) co_return Status{};
    const bool expired = end_ == End::expired;
    close();
    co_return fail(Code::unavailable,
                   expired ? "The TLS handshake took too long." : "The TLS handshake failed.",
                   error.message(), "tls");
}

Task<void> Wire::end_tls(MonotonicTime by) {
    if (!tls_ || !may_send()) co_return;
    reading_.move_to(by);
    co_await tls_->stream.async_shutdown(kTuple);
    reading_.move_to(kNever);
}

std::string Wire::peer_subject() const {
    if (!tls_) return {};
    X509* certificate = SSL_get1_peer_certificate(tls_->stream.native_handle());
    if (certificate == nullptr) return {};
    BIO* text = BIO_new(BIO_s_mem());
    X509_NAME_print_ex(text, X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253);
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(text, &bytes);
    std::string subject(bytes, static_cast<std::size_t>(size));
    BIO_free(text);
    X509_free(certificate);
    return subject;
}

void Wire::slim() {
    in_.slim();
    if (out_.capacity() > kRelayBufferBytes / 2 && out_.empty()) std::string().swap(out_);
}

bool Wire::is_quiet() {
    if (!may_send() || !in_.empty()) return false;
    pollfd asked{socket_.native_handle(), POLLIN | POLLRDHUP, 0};
    if (::poll(&asked, 1, 0) < 0) return false;
    if ((asked.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0) return false;
    // Under TLS 1.3 a server may send tickets at any time: only the end of the connection tells something.
    return tls_ != nullptr || (asked.revents & POLLIN) == 0;
}

void Wire::end_sending() {
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
}

void Wire::close(End why) {
    if (end_ == End::none) end_ = why;
    error_code ignored;
    socket_.close(ignored);
}

void Wire::abort() {
    error_code ignored;
    socket_.set_option(Socket::linger(true, 0), ignored);
    close();
}

void Wire::stop_receiving() {
    receiving_stopped_ = true;
    error_code ignored;
    socket_.cancel(ignored);
}

void Wire::end_reading(const error_code& error) {
    if (end_ != End::none || std::exchange(receiving_stopped_, false)) return;
    if (error == asio::error::eof) {
        end_ = End::closed;
    } else {
        close();
    }
}

}  // namespace pawl::http
