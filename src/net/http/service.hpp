// SPDX-License-Identifier: Apache-2.0
// What a server serves. It is asked twice: with the head alone, before a byte of the body is taken, and,
// when the plan says so, with the whole request.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
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

// Read the body, then call serve().
struct Whole {
    std::size_t body_bytes_max = 0;  // beyond it: 413
    // Of a longer body Request::body_file is set. By default there is none.
    std::size_t body_in_memory_max = std::numeric_limits<std::size_t>::max();
    Admission admission = {};  // comes back in the request
};

// Stream both ways, unprotected.
struct Onward {
    Target target;
    // What goes up; nullopt: the client's own, without the lines that only Pawl says.
    std::optional<RequestHead> head = {};
    std::string host = {};                    // the Host that goes up; empty: the client's
    std::vector<std::string> head_only = {};  // names that no trailer of the request may have
    std::unique_ptr<RelayWatcher> watcher = nullptr;  // looks on; none: nobody does
};

struct Plan {
    // A response is the answer at once, without the body; a task comes back with one of the others, and borrows
    // nothing of the request.
    std::variant<Response, Whole, Onward, Task<Plan>> step;
    // Of whatever the request is answered with, whatever a task comes back with.
    AnswerEdit edit = {};
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
