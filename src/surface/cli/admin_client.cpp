// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/admin_client.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "net/http/exchange.hpp"
#include "net/http/forwarding.hpp"
#include "runtime/task/run_here.hpp"

namespace pawl::cli {
namespace {

http::Request post_of(std::string target, std::string body) {
    http::Request request{{"POST", std::move(target), 1, {}}, std::move(body)};
    request.head.headers.emplace_back("Content-Type", "application/json");
    request.head.headers.emplace_back("Content-Length", std::to_string(request.body.size()));
    return request;
}

}  // namespace

AdminClient::AdminClient(AdminAddress address)
    : address_(std::move(address)), upstreams_(system_.loop()) {}

std::string AdminClient::place() const {
    return fmt::format("{}:{}", address_.target.host, address_.target.port);
}

Result<http::Response> AdminClient::get(std::string target) {
    return run_here(system_, ask({{"GET", std::move(target), 1, {}}, {}}));
}

Result<http::Response> AdminClient::post(std::string target, std::string body) {
    return run_here(system_, ask(post_of(std::move(target), std::move(body))));
}

void AdminClient::post_all(Posts posts) {
    Posting posting{std::move(posts), 0, 0, {}};
    posting.answers.resize(posting.posts.count);
    if (posting.posts.count == 0) return;
    const std::size_t bytes = std::max<std::size_t>(posting.posts.body(0).size(), 1);
    const std::size_t at_once =
        std::clamp<std::size_t>(kPostedBytesAtOnce / bytes, 1, kPostsAtOnce);
    TaskGroup group(system_.loop());
    for (std::size_t i = 0; i < std::min(at_once, posting.posts.count); ++i)
        group.spawn(post_some(posting));
    (void)run_here(system_, group.drain(kNever));
}

Task<void> AdminClient::post_some(Posting& posting) {
    while (posting.sent < posting.posts.count) {
        const std::size_t number = posting.sent++;
        posting.answers[number] =
            co_await ask(post_of(posting.posts.target, posting.posts.body(number)));
        for (; posting.told < posting.sent && posting.answers[posting.told]; ++posting.told)
            posting.posts.answered(*std::exchange(posting.answers[posting.told], std::nullopt));
    }
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
