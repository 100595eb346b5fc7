// SPDX-License-Identifier: Apache-2.0
// What two ends that have switched protocols say to each other, as bytes, both ways. Nothing is understood and nothing
// piles up: a side that reads slowly slows the other one down. It ends when either side ends, when nobody has said
// anything for a time, or when the server leaves; what was received by then is still handed on.
#pragma once

#include "net/http/client_connection.hpp"
#include "net/http/upstream_connection.hpp"
#include "runtime/task/promise.hpp"

namespace pawl::http {

class Tunnel {
  public:
    // All outlive it.
    Tunnel(ClientConnection& client, UpstreamConnection& upstream, Upstreams& upstreams);
    Tunnel(const Tunnel&) = delete;
    Tunnel& operator=(const Tunnel&) = delete;
    ~Tunnel();

    // Until it has ended; then both connections are closed.
    Task<void> run();
    // Asks both directions to end. From the server that leaves.
    void leave();

  private:
    Task<void> carry(Wire& from, Wire& to);
    Task<void> carry_up(Promise<bool> done);
    void end_soon();

    ClientConnection& client_;
    UpstreamConnection& upstream_;
    Upstreams& upstreams_;
    Deadline silence_;
    bool leaving_ = false;
    bool one_ended_ = false;
};

}  // namespace pawl::http
