// SPDX-License-Identifier: Apache-2.0
// An unprotected request: its body streams up, the answer streams down, each in one buffer, whatever their
// size. Lines are passed as they came, apart from those that speak about one connection. An answer that the
// upstream did not finish is cut, never completed; a request that may have been read is never sent again.
#pragma once

#include "net/http/client_connection.hpp"

namespace pawl::http {

// What goes up.
struct Upward {
    RequestHead head;
    std::string host;                    // in place of the client's; empty: that
    std::vector<std::string> head_only;  // names that no trailer may have
};

// `client` has read the head of a request and is the caller's until this ends. `watcher`: may be none.
// True: the client's connection may carry another request.
Task<bool> relay(ClientConnection& client, Target target, Upward up,
                 std::unique_ptr<RelayWatcher> watcher);

}  // namespace pawl::http
