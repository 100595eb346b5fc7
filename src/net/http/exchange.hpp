// SPDX-License-Identifier: Apache-2.0
// One request and its answer over one connection. It tells apart what the record protocol must know:
// that no byte of the request left, that it may have left and there is no whole readable answer, and that
// there is one. Nothing is ever sent a second time.
#pragma once

#include <memory>
#include <string>

#include "net/http/reader.hpp"
#include "net/http/upstreams.hpp"

namespace pawl::http {

struct OutgoingRequest {
    RequestHead head;  // framed: Content-Length says the size of the body
    std::shared_ptr<const std::string>
        body;  // shared by the attempts of one operation; may be null
    std::shared_ptr<const BodyFile> body_file = nullptr;  // instead of `body`
    bool takes_rest = false;  // an answer above the bound comes in two parts, else it is none
};

struct Exchanged {
    enum class Kind : std::uint8_t { answered, not_sent, no_answer };
    Kind kind = Kind::no_answer;
    // answered: end-to-end lines, with Content-Length and Date as received. With `rest`, `body` is the first
    // part, a little longer than the bound; `rest` may still break off.
    Response response;
    Error error;  // not_sent: unavailable, deadline; no_answer: unknown
};

// Interim answers are skipped. no_answer also for 101, an event stream and, unless the request
// takes a rest, a body above `body_bytes_max`.
// Connections fit for it go back to the pool.
Task<Exchanged> exchange(Upstreams& upstreams, ConnectionPtr connection, OutgoingRequest request,
                         std::size_t body_bytes_max, MonotonicTime give_up);

}  // namespace pawl::http
