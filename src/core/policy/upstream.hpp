// SPDX-License-Identifier: Apache-2.0
// Where requests go, and whom Pawl believes to be there.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace pawl::policy {

// How the other side of a TLS connection proves who it is, and Pawl to it. PEM, not file names: a file that
// changes takes effect when the configuration is loaded anew, and no request waits for a disk.
struct UpstreamTrust {
    struct Pem {
        std::string file;
        std::string text;  // once it is read
    };
    Pem ca;           // authorities; no file: the system's
    Pem certificate;  // Pawl's own chain, for upstreams that ask for one
    Pem key;
    std::string server_name;  // asked for and verified; empty: the upstream's host
};

struct Upstream {
    std::string host;
    std::uint16_t port = 80;
    bool tls = false;
    bool demo = false;  // the built-in demonstration upstream; host and port come at start
    // With `tls`; null: the system's authorities and the host's own name. Shared by all its connections.
    std::shared_ptr<const UpstreamTrust> trust = nullptr;
    bool operator==(const Upstream&) const = default;
};

}  // namespace pawl::policy
