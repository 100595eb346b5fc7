// SPDX-License-Identifier: Apache-2.0
// Who may use the admin port. With a token, whoever shows it. Without one the port is on loopback, and what
// must be kept out is a web page in a browser of this machine: it cannot hide its Origin, cannot choose a
// Host that resolves here, and cannot send JSON without asking first.
#pragma once

#include <string>

#include "net/http/message.hpp"
#include "runtime/result/result.hpp"

namespace pawl::api {

// In every answer of the admin port, so that who asked the wrong port can tell.
inline constexpr std::string_view kAdminHeader = "Pawl-Admin";

// Shape: `token` empty: none is needed. Errors: caller_unknown, forbidden, request_invalid.
Status check_access(const std::string& token, const http::RequestHead& head);

}  // namespace pawl::api
