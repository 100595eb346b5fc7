// SPDX-License-Identifier: Apache-2.0
// Connections to upstreams, one pool per loop. An idle connection is closed one second before its peer would
// close it, and is looked at before it is used, so that a request is rarely lost on a dying connection. What
// was lost anyway is not repeated here: a request that may have been read is the caller's to judge.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "net/http/limits.hpp"
#include "net/http/service.hpp"
#include "runtime/result/result.hpp"
#include "runtime/task/loop.hpp"

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
    std::string ca_file;  // for https upstreams, PEM; empty: the system's
};

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
    std::size_t idle() const { return idle_.size(); }
    std::uint64_t connected() const { return connected_; }  // new connections so far
    Loop& loop() const { return loop_; }

  private:
    struct Tls;

    Task<Result<ConnectionPtr>> connect(Target target, MonotonicTime deadline);
    void sweep();

    Loop& loop_;
    UpstreamLimits limits_;
    std::unique_ptr<Tls> tls_;           // made with the first https upstream
    std::list<ConnectionPtr> idle_;      // the last used first
    AlarmId sweep_;
    std::uint64_t connected_ = 0;
};

}  // namespace pawl::http
