// SPDX-License-Identifier: Apache-2.0
// An effect that is an HTTP request to an upstream. The head is rewritten, the body bytes are not touched.
// The connection is there before the claim is bought and is looked at again after it; what went out and was
// not answered is never sent again from here.
#pragma once

#include <cstddef>
#include <memory>

#include "core/policy/limits.hpp"
#include "effect/effect.hpp"
#include "net/http/message.hpp"
#include "net/http/service.hpp"
#include "net/http/upstreams.hpp"

namespace pawl::effect {

struct UpstreamRules {
    bool rerunnable = false;  // the upstream honours the derived key, so Idempotency-Key carries it
    std::string host;         // that goes up; empty: the client's
    bool keep_encodings = false;  // else Accept-Encoding: identity
    // A longer answer has body_kept false in Found, the first part of its body and the rest to be pulled.
    std::size_t answer_bytes_max = policy::kAnswerBytesMax;
};

// Found: `answer.headers` are the end-to-end lines in order, with Content-Length and Date as received; lines
// that speak about the connection are gone. no_answer also for 101 and an event stream: the upstream
// acted, but there is no whole answer to record.
class UpstreamCall final : public Effect {
  public:
    // `upstreams` outlives the call and its attempts.
    UpstreamCall(http::Upstreams& upstreams, http::Target target,
                 std::shared_ptr<const http::Request> request, http::Peer peer,
                 UpstreamRules rules);

    Task<Result<std::unique_ptr<Attempt>>> prepare(MonotonicTime deadline) override;

    struct Message;  // what every attempt sends

  private:
    http::Upstreams& upstreams_;
    std::shared_ptr<const Message> message_;  // shared with attempts, which may outlive the call
};

// One unprotected question (a probe): sent as it is, framed, over any connection. Found as above.
Task<Found> ask(http::Upstreams& upstreams, http::Target target, http::Request request,
                MonotonicTime give_up);

}  // namespace pawl::effect
