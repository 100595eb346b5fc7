// SPDX-License-Identifier: Apache-2.0
// One connection to an upstream in the hands of one request at a time. Whoever reads the last byte of an
// answer says whether the connection is fit for another.
#pragma once

#include "net/http/reader.hpp"
#include "net/http/service.hpp"
#include "net/http/wire.hpp"

namespace pawl::http {

class UpstreamConnection {
  public:
    UpstreamConnection(Loop& loop, Socket socket, Target target_)
        : wire(loop, std::move(socket), Wire::kNoStall),
          reader(MessageReader::Side::response, kHeadBytesMax),
          target(std::move(target_)) {}

    Wire wire;
    MessageReader reader;
    const Target target;
    bool reused = false;                               // carried a request before
    bool reusable = true;                              // between two messages
    std::optional<std::chrono::nanoseconds> idle_max;  // by the peer's Keep-Alive
    MonotonicTime idle_until{};
};

// "Keep-Alive: timeout=5, max=100" -> 5 s.
std::optional<std::chrono::seconds> keep_alive_timeout(const Headers& headers);

}  // namespace pawl::http
