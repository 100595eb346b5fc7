// SPDX-License-Identifier: Apache-2.0
// Connections to upstreams, one pool per loop. An idle connection is closed one second before its peer would
// close it, and is looked at before it is used, so that a request is rarely lost on a dying connection. What
// was lost anyway is not repeated here: a request that may have been read is the caller's to judge.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "net/http/limits.hpp"
#include "net/http/service.hpp"
#include "runtime/result/result.hpp"
#include "runtime/task/group.hpp"

namespace pawl::http {

class UpstreamConnection;  // upstream_connection.hpp

// unique_ptr's deleter of a type that most users need not know.
struct CloseConnection {
    void operator()(UpstreamConnection* connection) const;
};
using ConnectionPtr = std::unique_ptr<UpstreamConnection, CloseConnection>;

struct UpstreamLimits {
    std::chrono::milliseconds connect_timeout = kConnectTimeout;
    std::chrono::milliseconds idle = kUpstreamIdle;
    std::chrono::milliseconds keep_alive_margin = kKeepAliveMargin;
    std::size_t idle_per_target_max = kIdlePerTargetMax;
};

// Whether connections can be made with these certificates. Errors: config_invalid, with what OpenSSL says.
Status check_trust(const policy::UpstreamTrust& trust);

// Outlives every attempt and server that uses it; is destroyed before its loop.
class Upstreams {
  public:
    explicit Upstreams(Loop& loop, UpstreamLimits limits = {});
    Upstreams(const Upstreams&) = delete;
    Upstreams& operator=(const Upstreams&) = delete;
    ~Upstreams();

    // An idle connection that passes the look, else a new one.
    // Errors: unavailable (unknown name, refused, TLS failed, no connection by the deadline). Nothing left.
    Task<Result<ConnectionPtr>> acquire(Target target, MonotonicTime deadline);
    // For reuse. Closed instead when it is not fit: mid-message, or its peer asked for it.
    void give_back(ConnectionPtr connection);
    void close_idle();
    std::size_t idle() const;
    std::uint64_t connected() const { return connected_; }  // new connections so far
    Loop& loop() const { return loop_; }
    TaskGroup& group() { return group_; }

  private:
    struct Tls;  // of one trust
    struct Pool {
        Target target;
        std::vector<ConnectionPtr> idle;  // the last used at the back, and taken first
    };

    Pool& pool_of(const Target& target);
    Task<Result<ConnectionPtr>> connect(Target target, MonotonicTime deadline);
    // `connection` is the caller's until this ends.
    Task<Status> secure(UpstreamConnection& connection, MonotonicTime deadline);
    Tls& tls_of(const Target& target);
    void sweep();

    Loop& loop_;
    UpstreamLimits limits_;
    std::vector<std::unique_ptr<Tls>> tls_;  // each made with the first connection that needs it
    std::vector<Pool> pools_;                // few: one per upstream
    AlarmId sweep_;
    std::uint64_t connected_ = 0;
    TaskGroup group_;  // senders and name look-ups that outlast their waiter
};

}  // namespace pawl::http
