// SPDX-License-Identifier: Apache-2.0
// POST /_pawl/v1/operations/{ref}/outcome on the data port: an upstream, or its provider, reports what became of
// one attempt. Signed with the route's secret over the bytes as they came (caller/report_signature.hpp); a route
// without that setting takes no report. A report that is sent again gets the same answer.
//
//   {"fence": "7", "outcome": "applied", "status": 201, "headers": {...}, "body": "..."}
//   {"fence": "7", "outcome": "not-applied", "closed": true}
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "gateway/callbacks.hpp"
#include "gateway/routes.hpp"
#include "net/http/service.hpp"

namespace pawl::api {

// Errors: request_invalid.
Result<gateway::CallbackReport> parse_report(std::string_view body);

// The operation that a target reports about; nullopt: it is another target.
std::optional<Digest> reported_in(std::string_view path);

class CallbackPort {
  public:
    // All of this loop but `homes`, which are in the order of their seats; all outlive it.
    CallbackPort(Loop& loop, store::Records& records, std::vector<gateway::Home*> homes,
                 std::shared_ptr<const gateway::Routes> routes, gateway::CallbackFigures& figures);

    void reload(std::shared_ptr<const gateway::Routes> routes) { routes_ = std::move(routes); }
    // Errors, as an answer: forbidden, caller_unknown.
    http::Plan plan(const http::RequestHead& head) const;
    // Errors, as an answer, in this order: not_found, forbidden, caller_unknown, request_invalid, then what
    // gateway::Heard says.
    Task<http::Response> take(Digest identity, http::Request request);

  private:
    struct Outcome {
        gateway::CallbackReport report;
        gateway::HeardReport heard;
    };
    Task<Result<Outcome>> hear(Digest identity, http::Request request);

    Loop& loop_;
    store::Records& records_;
    std::shared_ptr<const gateway::Routes> routes_;
    gateway::Callbacks callbacks_;
};

}  // namespace pawl::api
