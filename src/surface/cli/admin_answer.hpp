// SPDX-License-Identifier: Apache-2.0
// Whether an answer is one of Pawl's admin port, before anybody believes it: any HTTP server answers
// something, and Pawl's own port for requests passes what it does not know to a service.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "net/http/message.hpp"
#include "runtime/result/result.hpp"

namespace pawl::cli {

// The document of a 2xx answer that has `member`, or a problem document (it has "code").
// Errors: request_invalid, with the remedy, when `place` ("127.0.0.1:8081") is not an admin port of Pawl.
Result<boost::json::object> admin_document(const http::Response& response, std::string_view place,
                                           std::string_view member);

}  // namespace pawl::cli
