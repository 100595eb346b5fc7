// SPDX-License-Identifier: Apache-2.0
// From how an operation ended to the HTTP answer: the table "HTTP mapping" of the protocol, for
// `strict-money`. Every refusal is a problem document with its remedy; none shows stored content.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/policy/route.hpp"
#include "gateway/observer.hpp"
#include "gateway/operation.hpp"
#include "net/http/message.hpp"

namespace pawl::gateway {

// What of the request the answer needs; good as long as the request and its route.
struct Asked {
    std::string_view key_header;  // the key's header, empty when the key came another way
    std::string_view key_line;    // its value as received, echoed on replays
    Digest identity;
    const policy::Route* route = nullptr;
    bool has_closing_probe = false;
};

struct Reply {
    http::Response response;
    Seen seen = Seen::error;
    Code code = Code::internal;  // meaningful when `problem`
    bool problem = false;
};

Reply reply_to(const Ended& ended, const Asked& asked);

// Refusals before any record was looked at. `challenges`: lines of WWW-Authenticate.
Reply refuse(const Error& error, const policy::Route& route,
             const std::vector<std::string>& challenges = {});

}  // namespace pawl::gateway
