// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/admin_client.hpp"

#include <fmt/format.h>

#include "net/http/exchange.hpp"
#include "net/http/forwarding.hpp"
#include "surface/cli/run_here.hpp"

namespace pawl::cli {

AdminClient::AdminClient(AdminAddress address)
    : address_(std::move(address)), upstreams_(system_.loop()) {}

std::string AdminClient::place() const {
    return fmt::format("{}:{}", address_.target.host, address_.target.port);
}

Result<http::Response> AdminClient::get(std::string target) {
    return run_here(system_, ask({{"GET", std::move(target), 1, {}}, {}}));
}

Result<http::Response> AdminClient::post(std::string target, std::string body) {
    http::Request request{{"POST", std::move(target), 1, {}}, std::move(body)};
    request.head.headers.emplace_back("Content-Type", "application/json");
    request.head.headers.emplace_back("Content-Length", std::to_string(request.body.size()));
    return run_here(system_, ask(std::move(request)));
}

Task<Result<http::Response>> AdminClient::ask(http::Request request) {
    const MonotonicTime give_up = system_.loop().now() + kAnswerTimeout;
    auto connection = co_await upstreams_.acquire(address_.target, give_up);
    if (!connection)
        co_return fail(Code::unavailable, fmt::format("no server answers at {}", place()),
                       connection.error().text);
    request.head.headers.emplace_back("Host", http::authority_of(address_.target));
    if (!address_.token.empty())
        request.head.headers.emplace_back("Authorization", "Bearer " + address_.token);
    http::OutgoingRequest outgoing{std::move(request.head),
                                   std::make_shared<const std::string>(std::move(request.body))};
    auto exchanged = co_await http::exchange(upstreams_, *std::move(connection),
                                             std::move(outgoing), kAnswerBytesMax, give_up);
    if (exchanged.kind == http::Exchanged::Kind::answered) co_return std::move(exchanged.response);
    co_return fail(
        exchanged.kind == http::Exchanged::Kind::not_sent ? Code::unavailable : Code::unknown,
        fmt::format("the server at {} did not answer: {}", place(), exchanged.error.text),
        exchanged.error.cause);
}

}  // namespace pawl::cli
