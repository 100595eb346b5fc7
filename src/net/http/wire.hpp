// SPDX-License-Identifier: Apache-2.0
// One TCP connection, plain or under TLS, with its buffers and its deadlines. Whoever reads or writes names
// the time by which it ends; a deadline that comes closes the connection, and the reader or writer sees that.
// One reader and one writer at a time.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/ip/tcp.hpp>

#include "net/http/deadline.hpp"
#include "net/http/incoming.hpp"
#include "runtime/result/result.hpp"
#include "runtime/task/loop.hpp"

namespace boost::asio::ssl {
class context;
}

namespace pawl::http {

using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;

class Wire {
  public:
    enum class End : std::uint8_t {
        none,     // open
        closed,   // the other side ended its half in order
        failed,   // reset, or closed here
        expired,  // a deadline came
    };

    // `stall`: how long a write may make no progress; kNoStall: as long as the deadline lets it.
    static constexpr std::chrono::nanoseconds kNoStall{0};
    Wire(Loop& loop, Socket socket, std::chrono::nanoseconds stall);
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;
    ~Wire();

    Incoming& in() { return in_; }
    // What flush() sends; whoever flushes may append before and finds it empty after.
    std::string& out() { return out_; }

    // Reads what is there into in(), up to `waiting_max` bytes waiting. Returns the number of bytes; 0: see end().
    Task<std::size_t> receive(std::size_t waiting_max, MonotonicTime by);
    // Sends out() without waiting. True: all of it is with the kernel.
    bool flush_now();
    // Sends out(), then `tail`. False: see end().
    Task<bool> flush(MonotonicTime by, std::shared_ptr<const std::string> tail = nullptr);

    // Errors: unavailable, with OpenSSL's words as cause.
    Task<Status> begin_tls_as_client(boost::asio::ssl::context& context, std::string host,
                                     MonotonicTime by);
    Task<Status> begin_tls_as_server(boost::asio::ssl::context& context, MonotonicTime by);
    // Says the end of TLS and waits for the other side's; nothing under plain TCP.
    Task<void> end_tls(MonotonicTime by);
    // Subject of the verified peer's certificate, RFC 2253; empty without one.
    std::string peer_subject() const;

    // Gives grown buffers back, between two messages.
    void slim();
    // A look without waiting: open, nothing received, no error. Right before a request's first byte.
    bool is_quiet();
    // No byte was given to the kernel since the last call to count_anew().
    bool nothing_sent() const { return sent_ == 0; }
    void count_anew() { sent_ = 0; }

    // How reading ended.
    End end() const { return end_; }
    bool is_open() const { return end_ == End::none; }
    bool may_send() const { return !sending_failed_ && (end_ == End::none || end_ == End::closed); }
    // The other side takes no more; what it sent before can still be read.
    bool sending_failed() const { return sending_failed_; }
    bool is_tls() const { return tls_ != nullptr; }
    // No more bytes from here; the other side may still send.
    void end_sending();
    // A pending receive() returns 0; the connection stays open, for whoever reads next.
    void stop_receiving();
    // At once; pending reads and writes return.
    void close(End why = End::failed);
    // As close(), and the other side sees a reset, not an end.
    void abort();

  private:
    struct Tls;

    Task<std::size_t> send_some(const char* bytes, std::size_t size, MonotonicTime by);
    Task<Status> handshake(std::unique_ptr<Tls> tls, bool as_client, MonotonicTime by);
    void end_reading(const boost::system::error_code& error);

    Loop& loop_;
    Socket socket_;
    std::unique_ptr<Tls> tls_;
    Incoming in_;
    std::string out_;
    std::size_t out_sent_ = 0;  // of out_
    std::uint64_t sent_ = 0;
    std::chrono::nanoseconds stall_;
    End end_ = End::none;
    bool sending_failed_ = false;
    bool receiving_stopped_ = false;
    Deadline reading_;
    Deadline writing_;
};

}  // namespace pawl::http
