// SPDX-License-Identifier: Apache-2.0
// The requests of one client, one after the other: read a head, ask the service for its plan, carry it out.
#pragma once

#include "net/http/client_connection.hpp"

namespace pawl::http {

class Session {
  public:
    Session(std::shared_ptr<ServerParts> parts, Socket socket, Peer peer)
        : client_(std::move(parts), std::move(socket), std::move(peer)) {}

    // Until the client leaves, a deadline comes, or an answer ends the connection. `tls`: begin with a
    // handshake; the context is the server's and lives as long as its acceptors.
    Task<void> run(std::shared_ptr<boost::asio::ssl::context> tls);

    // Waiting for a request of which nothing has come.
    bool is_idle() const { return idle_; }
    void close() { client_.wire.close(); }

  private:
    Task<bool> hear_more();
    Task<bool> take_whole(Whole whole);
    MonotonicTime body_by(MonotonicTime began, std::size_t taken) const;
    Task<bool> too_large(std::size_t body_bytes_max);

    ClientConnection client_;
    bool idle_ = false;
    MonotonicTime head_by_ = kNever;  // once its first byte has come
};

}  // namespace pawl::http
