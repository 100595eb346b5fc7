// SPDX-License-Identifier: Apache-2.0
#include "effect/upstream_call.hpp"

#include "effect/upstream_head.hpp"
#include "net/http/body_file.hpp"
#include "net/http/exchange.hpp"
#include "net/http/upstream_connection.hpp"

namespace pawl::effect {

struct UpstreamCall::Message {
    http::Target target;
    http::RequestHead head;
    std::shared_ptr<const std::string>
        body;  // of the request, shared with the sender of an attempt
    std::shared_ptr<const http::BodyFile> body_file;
    UpstreamRules rules;
};

namespace {

Found found_in(http::Exchanged exchanged, std::size_t answer_bytes_max) {
    Found found;
    if (exchanged.kind != http::Exchanged::Kind::answered) {
        found.kind =
            exchanged.kind == http::Exchanged::Kind::not_sent ? Kind::not_sent : Kind::no_answer;
        found.error = std::move(exchanged.error);
        return found;
    }
    http::Response& response = exchanged.response;
    found.kind = Kind::answered;
    found.declared = declared_in(response.headers);
    found.answer.status = response.status;
    found.answer.headers = std::move(response.headers);
    found.answer.body_kept = !response.rest && response.body.size() <= answer_bytes_max;
    found.answer.body = std::move(response.body);
    found.rest = std::move(response.rest);
    return found;
}

class UpstreamAttempt final : public Attempt {
  public:
    UpstreamAttempt(http::Upstreams& upstreams, http::ConnectionPtr connection,
                    std::shared_ptr<const UpstreamCall::Message> message)
        : upstreams_(upstreams), connection_(std::move(connection)), message_(std::move(message)) {}
    // Not run: the connection carried nothing and serves another.
    ~UpstreamAttempt() override {
        if (connection_) upstreams_.give_back(std::move(connection_));
    }

    bool ready() override { return connection_ && connection_->wire.is_quiet(); }

    Task<Found> run(Dispatch dispatch, MonotonicTime give_up) override {
        const std::shared_ptr<const UpstreamCall::Message> message = message_;
        http::OutgoingRequest request{message->head, message->body, message->body_file, true};
        add_dispatch(request.head, message->rules, dispatch);
        under_way_ = connection_.get();
        http::Exchanged exchanged =
            co_await http::exchange(upstreams_, std::move(connection_), std::move(request),
                                    message->rules.answer_bytes_max, give_up);
        under_way_ = nullptr;
        co_return found_in(std::move(exchanged), message->rules.answer_bytes_max);
    }

    void cut() override {
        if (under_way_ != nullptr) under_way_->wire.close(http::Wire::End::expired);
    }

  private:
    http::Upstreams& upstreams_;
    http::ConnectionPtr connection_;
    http::UpstreamConnection* under_way_ =
        nullptr;  // the exchange's, which ends in the same step as run() goes on
    std::shared_ptr<const UpstreamCall::Message>
        message_;  // the call may be gone before its attempt
};

}  // namespace

UpstreamCall::UpstreamCall(http::Upstreams& upstreams, http::Target target,
                           std::shared_ptr<const http::Request> request, http::Peer peer,
                           UpstreamRules rules)
    : upstreams_(upstreams) {
    auto message = std::make_shared<Message>();
    message->head = upstream_head(request->head, target, peer, rules, http::body_size(*request));
    message->body = std::shared_ptr<const std::string>(request, &request->body);
    message->body_file = request->body_file;
    message->target = std::move(target);
    message->rules = rules;
    message_ = std::move(message);
}

Task<Result<std::unique_ptr<Attempt>>> UpstreamCall::prepare(MonotonicTime deadline) {
    http::Upstreams& upstreams = upstreams_;
    const std::shared_ptr<const Message> message = message_;
    auto connection = co_await upstreams.acquire(message->target, deadline);
    if (!connection) co_return fail(std::move(connection.error()));
    co_return std::make_unique<UpstreamAttempt>(upstreams, *std::move(connection), message);
}

Task<Found> ask(http::Upstreams& upstreams, http::Target target, http::Request request,
                MonotonicTime give_up) {
    auto connection = co_await upstreams.acquire(target, give_up);
    if (!connection)
        co_return Found{Kind::not_sent, {}, std::nullopt, std::move(connection.error())};
    http::OutgoingRequest outgoing{
        upstream_question(std::move(request.head), target, request.body.size()),
        std::make_shared<const std::string>(std::move(request.body))};
    co_return found_in(
        co_await http::exchange(upstreams, *std::move(connection), std::move(outgoing),
                                policy::kAnswerBytesLimit, give_up),
        policy::kAnswerBytesLimit);
}

}  // namespace pawl::effect
