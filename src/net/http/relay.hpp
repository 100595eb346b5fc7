// SPDX-License-Identifier: Apache-2.0
// An unprotected request: its body streams up, the answer streams down, each in one buffer, whatever their
// size. Lines are passed as they came, apart from those that speak about one connection. An answer that the
// upstream did not finish is cut, never completed; a request that may have been read is never sent again.
#pragma once

#include "net/http/client_connection.hpp"

namespace pawl::http {

// `client` has read the head of a request and is the caller's until this ends. `head` goes up, apart from what is not
// the upstream's to see; `onward` says where to.
// True: the client's connection may carry another request.
Task<bool> relay(ClientConnection& client, RequestHead head, Onward onward);

}  // namespace pawl::http
