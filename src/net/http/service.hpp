// SPDX-License-Identifier: Apache-2.0
// What a server serves. It is asked twice: with the head alone, before a byte of the body is taken, and,
// when the plan says so, with the whole request.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/policy/upstream.hpp"
#include "net/http/answer_edit.hpp"
#include "net/http/message.hpp"
#include "net/http/relay_watcher.hpp"
#include "runtime/task/task.hpp"

namespace pawl::http {

struct Target {
    std::string host;
    std::uint16_t port = 80;
    bool tls = false;
    // Null: the system's authorities. Two targets that trust otherwise are two.
    std::shared_ptr<const policy::UpstreamTrust> trust = nullptr;
    bool operator==(const Target&) const = default;
};

struct Plan {
    enum class Kind : std::uint8_t {
        answer,  // `response` at once; the body is not read
        whole,   // read the body up to body_bytes_max (then 413), call serve()
        relay,   // stream both ways to `target`, unprotected; `head` goes up
        later,   // what `later` comes back with, which is none of this kind
    };
    Kind kind = Kind::answer;
    Response response;
    std::size_t body_bytes_max = 0;
    std::string caller;       // whole: who it is from; comes back in Request::caller
    std::string tenant;       // whole: whose it is; comes back too
    std::uint64_t rules = 0;  // whole: under which rules it was planned; comes back too
    MonotonicTime permitted_until =
        kNever;  // whole: until when its permission counts; comes back too
    // Of a longer body Request::body_file is set. By default there is none.
    std::size_t body_in_memory_max = std::numeric_limits<std::size_t>::max();
    Target target;
    RequestHead head;
    std::string host;                    // relay: the Host that goes up; empty: the client's
    std::vector<std::string> head_only;  // relay: names that no trailer of the request may have
    std::unique_ptr<RelayWatcher> watcher = nullptr;  // relay: looks on; none: nobody does
    // Of whatever the request is answered with, whatever `later` comes back with.
    AnswerEdit edit;
    std::optional<Task<Plan>> later;  // borrows nothing of the request
};

// The answer to a whole request: there already, or what a task comes back with. What needs no waiting costs
// no coroutine.
class Serving {
  public:
    Serving(Response now) : now_(std::move(now)) {}
    Serving(Task<Response> later) : later_(std::move(later)) {}

    bool is_there() const { return now_.has_value(); }
    // Once, when is_there().
    Response take() { return std::move(*now_); }
    // Once, whether there or not. Not cancelled when the client leaves.
    Task<Response> wait() && {
        if (later_) return std::move(*later_);
        return [](Response there) -> Task<Response> { co_return there; }(std::move(*now_));
    }

  private:
    std::optional<Response> now_;
    std::optional<Task<Response>> later_;
};

class Service {
  public:
    virtual ~Service() = default;
    virtual Plan plan(const RequestHead& head, const Peer& peer) = 0;
    // Called on the connection's loop.
    virtual Serving serve(Request request, const Peer& peer) = 0;
    // What a body beyond the bound is answered, and what any malformed request is.
    virtual Response refuse(int status, std::string_view code, std::string_view detail) = 0;
    // Told once per relayed request.
    virtual void relayed(const RequestHead& head, int status) = 0;
};

}  // namespace pawl::http
