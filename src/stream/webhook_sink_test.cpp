// SPDX-License-Identifier: Apache-2.0
// What goes to a receiver, and what its answer means.
#include <gtest/gtest.h>

#include "core/callback/callback.hpp"
#include "runtime/codec/text.hpp"
#include "stream/outbox_fixture.hpp"
#include "stream/webhook_sink.hpp"

namespace pawl::stream {
namespace {

using namespace std::chrono_literals;
using Kind = Delivered::Kind;

effect::Found answered(int status, http::Headers headers = {}) {
    effect::Found found;
    found.kind = effect::Kind::answered;
    found.answer.status = status;
    for (auto& [name, value] : headers) found.answer.headers.emplace_back(name, value);
    return found;
}

class OneAnswer final : public gateway::Asker {
  public:
    Task<effect::Found> ask(http::Target target_, http::Request request_,
                            MonotonicTime give_up_) override {
        target = std::move(target_);
        request = std::move(request_);
        give_up = give_up_;
        co_return answer;
    }
    effect::Found answer = answered(204);
    http::Target target;
    http::Request request;
    MonotonicTime give_up{};
};

TEST(WebhookSink, AReceiverThatKnowsTheSecretBelievesIt) {
    HandLoop hand;
    hand.clock.wall_at_start_ms = 1'764'000'000'000;
    OneAnswer asker;
    const std::string former(24, 'f');
    const std::string present(24, 'p');
    WebhookSink sink(hand.loop, asker,
                     {{"shop.example", 8443, true}, "/hooks?a=1", {present, former}});
    store::OutboxRow row = row_of(1, "7301", 3);
    row.history.trace_context = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const Event event = event_of(row);
    const auto words = hand.run(sink.deliver({event}));
    EXPECT_EQ(words.front().kind, Kind::sent);
    EXPECT_EQ(asker.target.host, "shop.example");
    EXPECT_EQ(asker.give_up, hand.loop.now() + 10s);
    const http::Request& sent = asker.request;
    EXPECT_EQ(sent.head.method, "POST");
    EXPECT_EQ(sent.head.target, "/hooks?a=1");
    EXPECT_EQ(http::first_of(sent.head.headers, "Host"), "shop.example:8443");
    EXPECT_EQ(http::first_of(sent.head.headers, "Content-Type"), "application/cloudevents+json");
    EXPECT_EQ(http::first_of(sent.head.headers, "webhook-id"), event.id);
    EXPECT_EQ(http::first_of(sent.head.headers, "traceparent"), row.history.trace_context);
    EXPECT_EQ(sent.body, event.body);

    for (const std::string& secret : {present, former, std::string(24, 'x')}) {
        callback::StandardWebhooksAccount account;
        account.secrets = {secret};
        account.mapping.type = *key::parse_json_path("$.type");
        callback::Notification notification;
        notification.body = sent.body;
        for (const auto& [name, value] : sent.head.headers)
            notification.headers.push_back({name, value});
        const auto read = callback::verify_and_read({"receiver", account}, notification,
                                                    hand.clock.wall_at_start_ms);
        EXPECT_EQ(read.has_value(), secret[0] != 'x') << secret;
    }
}

TEST(WebhookSink, EveryAnswerHasItsMeaning) {
    const WallTime now = wall_time(0);
    const std::map<Kind, std::vector<int>> table{
        {Kind::sent, {200, 201, 202, 204, 299}},
        {Kind::refused, {400, 402, 406, 409, 411, 413, 415, 418, 422, 451, 499}},
        {Kind::failed,
         {100, 301, 302, 307, 308, 401, 403, 404, 405, 407, 408, 421, 425, 500, 502, 503, 504, 599,
          600}},
        {Kind::away, {429}},
        {Kind::gone, {410}}};
    for (const auto& [kind, statuses] : table)
        for (const int status : statuses)
            EXPECT_EQ(judged(answered(status), now).kind, kind) << status;
    effect::Found none;
    EXPECT_EQ(judged(none, now).kind, Kind::failed);
    none.kind = effect::Kind::not_sent;
    EXPECT_EQ(judged(none, now).kind, Kind::away);
}

TEST(WebhookSink, RetryAfterIsPassedOn) {
    const auto word = judged(answered(503, {{"Retry-After", "7"}}), wall_time(0));
    EXPECT_EQ(word.kind, Kind::away);
    EXPECT_EQ(word.retry_after, 7s);
    EXPECT_EQ(word.said, "the receiver answered 503");
    EXPECT_EQ(judged(answered(429, {{"Retry-After", "86400"}}), wall_time(0)).retry_after, 1h);
}

}  // namespace
}  // namespace pawl::stream
