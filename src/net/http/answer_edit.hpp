// SPDX-License-Identifier: Apache-2.0
// What is changed in whatever a request is answered with: a service's answer, a refusal of the connection's own, or
// what an upstream says through a relay. Used for what depends on who asks, and is therefore never stored.
#pragma once

#include "net/http/message.hpp"

namespace pawl::http {

struct AnswerEdit {
    // The answer's own lines of the CORS protocol (Access-Control-*) are dropped.
    bool drops_cors = false;
    Headers added;  // a Vary line that says no more than the answer's own is left out
};

void amend(const AnswerEdit& edit, Headers& headers);

}  // namespace pawl::http
