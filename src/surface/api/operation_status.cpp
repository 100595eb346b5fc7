// SPDX-License-Identifier: Apache-2.0
#include "surface/api/operation_status.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "core/policy/path.hpp"
#include "net/http/problem.hpp"
#include "runtime/codec/text.hpp"
#include "surface/api/callback_port.hpp"

namespace pawl::api {
namespace {

constexpr std::string_view kReserved = "/_pawl/";

std::string_view status_word(record::State state) {
    using record::State;
    switch (state) {
        case State::in_progress:
            return "running";
        case State::open:
        case State::uncertain:
            return "uncertain";
        case State::completed:
        case State::tombstone:
            return "done";
        case State::absent:
        case State::freed:
            break;
    }
    return "failed";
}

}  // namespace

http::Response operation_status(const record::Row& row) {
    boost::json::object document{{"operation_ref", record::reference_of(row.identity)},
                                 {"status", status_word(row.state)},
                                 {"first_seen_at", to_rfc3339(wall_time(row.created_ms))},
                                 {"changed_at", to_rfc3339(wall_time(row.changed_ms))}};
    if (row.settled && row.settled->status != 0) document["http_status"] = row.settled->status;
    http::Response response;
    response.headers.emplace_back("Content-Type", "application/json");
    response.headers.emplace_back("Cache-Control", "no-store");
    response.body = boost::json::serialize(document) + "\n";
    return response;
}

http::Plan DataService::plan(const http::RequestHead& head, const http::Peer& peer) {
    const std::string_view path = policy::path_of(head.target);
    if (!path.starts_with(kReserved)) return rest_.plan(head, peer);
    if (path.starts_with(kOperationsPrefix) && (head.method == "GET" || head.method == "HEAD"))
        return {http::Whole{}};
    if (head.method == "POST" && reported_in(path)) return callbacks_.plan(head);
    return {refuse(404, "not_found",
                   "Under /_pawl/ there is GET /_pawl/v1/operations/{ref}, and POST "
                   "/_pawl/v1/operations/{ref}/outcome.")};
}

http::Serving DataService::serve(http::Request request, const http::Peer& peer) {
    const std::string_view path = policy::path_of(request.head.target);
    if (!path.starts_with(kReserved)) return rest_.serve(std::move(request), peer);
    if (const auto reported = reported_in(path); reported && request.head.method == "POST")
        return callbacks_.take(*reported, std::move(request));
    const auto identity =
        record::identity_from(path.substr(std::min(path.size(), kOperationsPrefix.size())));
    if (!identity) return refuse(404, "not_found", "This is no operation reference.");
    return status_of(*identity);
}

Task<http::Response> DataService::status_of(Digest identity) {
    const auto stored = co_await records_.read(identity);
    if (!stored) co_return http::to_response(stored.error());
    if (!*stored) co_return refuse(404, "not_found", "Nothing is recorded under this reference.");
    co_return operation_status((*stored)->row);
}

http::Response DataService::refuse(int status, std::string_view code, std::string_view detail) {
    return rest_.refuse(status, code, detail);
}

}  // namespace pawl::api
