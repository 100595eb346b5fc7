// SPDX-License-Identifier: Apache-2.0
// What a server serves. It is asked twice: with the head alone, before a byte of the body is taken, and,
// when the plan says so, with the whole request.
#pragma once

#include <cstdint>
#include <string>

#include "net/http/message.hpp"
#include "runtime/task/task.hpp"

namespace pawl::http {

struct Target {
    std::string host;
    std::uint16_t port = 80;
    bool tls = false;
    bool operator==(const Target&) const = default;
};

struct Plan {
    enum class Kind : std::uint8_t {
        answer,  // `response` at once; the body is not read
        whole,   // read the body up to body_bytes_max (then 413), call serve()
        relay,   // stream both ways to `target`, unprotected; `head` goes up
    };
    Kind kind = Kind::answer;
    Response response;
    std::size_t body_bytes_max = 0;
    Target target;
    RequestHead head;
};

class Service {
  public:
    virtual ~Service() = default;
    virtual Plan plan(const RequestHead& head, const Peer& peer) = 0;
    // Called on the connection's loop. The client may leave meanwhile; the call is not cancelled.
    virtual Task<Response> serve(Request request, Peer peer) = 0;
    // What a body beyond the bound is answered, and what any malformed request is.
    virtual Response refuse(int status, std::string_view code, std::string_view detail) = 0;
    // Told once per relayed request.
    virtual void relayed(const RequestHead& head, int status) = 0;
};

}  // namespace pawl::http
