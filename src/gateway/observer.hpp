// SPDX-License-Identifier: Apache-2.0
// What is told of each request once it is answered, and what is counted. The gateway writes; log lines,
// metrics and the audit trail are other people's business.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <string_view>

#include "runtime/codec/digest.hpp"
#include "runtime/meter/meter.hpp"

namespace pawl::gateway {

// How a request came out, as in `idempotent_requests_total{status}`.
enum class Seen : std::uint8_t {
    first,
    replay,
    waited,    // a replay that had to wait for the first
    released,  // the upstream refused without effect; the key is free
    in_progress,
    mismatch,
    stale,
    expired,
    uncertain,
    refused,  // bad key, unknown caller, a limit
    error,    // nothing executed: store or upstream away
};
inline constexpr int kSeenCount = 11;
std::string_view name_of(Seen seen);

// Good for the call it is given to: it owns nothing.
struct RequestNote {
    std::string_view method;
    std::string_view path;
    std::string_view route;
    std::string_view key;  // as the client sent it; never logged without its owner's consent
    std::string_view caller;
    std::string_view trace_id;  // empty when nothing was begun
    Digest identity;  // of the operation; zeros when the request was refused before it had one
    Seen seen = Seen::error;
    std::string_view code;  // of a problem document, else empty
    int status = 0;
    std::uint64_t fence = 0;
    std::chrono::nanoseconds elapsed{};
};

// Of a request that takes no record. Good for the call it is given to.
struct PassedNote {
    std::string_view method;
    std::string_view path;
    bool has_upstream = true;  // false: no route matches, and nothing takes the rest
    int status = 0;
    bool here = false;  // answered by this process itself
};

class Observer {
  public:
    virtual ~Observer() = default;
    // Called on the connection's loop; must not block.
    virtual void answered(const RequestNote& note) = 0;
    virtual void passed(const PassedNote& note) = 0;
};

struct RouteFigures {
    std::array<Counter, kSeenCount> requests;
    LatencyHistogram latency;
    Counter unprotected_writes;
};

}  // namespace pawl::gateway
