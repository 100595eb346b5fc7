// SPDX-License-Identifier: Apache-2.0
// An HTTP/1 server on one event loop. Several loops listen on the same port, each with an acceptor of its own
// (SO_REUSEPORT), and share nothing. Every wait on a client has a deadline.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "net/http/limits.hpp"
#include "net/http/service.hpp"
#include "net/http/upstreams.hpp"
#include "runtime/result/result.hpp"
#include "runtime/task/loop.hpp"

namespace pawl::http {

class BodyRoom;  // body_file.hpp

struct ServerLimits {
    std::size_t head_bytes_max = kHeadBytesMax;
    std::size_t connections_max = kConnectionsMax;
    std::chrono::milliseconds head_timeout = kHeadTimeout;
    std::chrono::milliseconds idle_timeout = kIdleTimeout;
    std::chrono::milliseconds body_timeout = kBodyTimeout;
    std::chrono::milliseconds write_timeout = kWriteTimeout;
    std::chrono::milliseconds relay_timeout = kRelayTimeout;
    std::chrono::milliseconds tunnel_idle = kTunnelIdle;
    std::string body_folder = "/tmp";       // of bodies that are too long for memory
    std::shared_ptr<BodyRoom> body_room{};  // shared by the servers of a process; none: no bound
};

// For listen(): PEM files. With `client_ca_file`, clients must show a certificate it signed.
struct TlsFiles {
    std::string certificate_chain_file;
    std::string private_key_file;
    std::string client_ca_file;
};

// Whether they can be listened with. Errors: config_invalid, with what OpenSSL says.
Status check_files(const TlsFiles& files);

class Server {
  public:
    // `service` and `upstreams` outlive the server and its sessions: drain before they go.
    Server(Loop& loop, Service& service, Upstreams& upstreams, ServerLimits limits = {});
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    // Returns the port; `port` 0 takes any free one. May be called for several addresses.
    // Errors: config_invalid (no address, unreadable certificate), unavailable (the port is taken).
    Result<std::uint16_t> listen(const std::string& address, std::uint16_t port);
    Result<std::uint16_t> listen(const std::string& address, std::uint16_t port,
                                 const TlsFiles& tls);

    // Nothing new is taken; idle connections close now, the others with the answer they owe.
    void stop_accepting();
    // After stop_accepting(). True when every connection has ended by the deadline.
    Task<bool> drain(MonotonicTime deadline);
    // Cuts every connection. What runs on behalf of one is not cancelled.
    void close();

    std::size_t connections() const;
    // Times the system had no descriptor for a connection; each is followed by a short pause.
    std::uint64_t refused_by_system() const;

  private:
    struct State;
    std::shared_ptr<State> state_;  // shared with accepting coroutines, which end after the server
};

}  // namespace pawl::http
