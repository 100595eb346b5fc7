// SPDX-License-Identifier: Apache-2.0
#include "stream/webhook_sink.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/callback/standard_signature.hpp"
#include "net/http/forwarding.hpp"
#include "net/http/retry_after.hpp"

namespace pawl::stream {
namespace {

// They speak of the way to the receiver and of who knocks, as a rule not of the event.
constexpr std::array kAboutTheEndpoint{401, 403, 404, 405, 407, 408, 421, 425};

bool is_about_the_endpoint(int status) {
    return status < 400 || status >= 500 ||
           std::ranges::find(kAboutTheEndpoint, status) != kAboutTheEndpoint.end();
}

}  // namespace

Delivered judged(const effect::Found& found, WallTime now) {
    using Kind = Delivered::Kind;
    if (found.kind == effect::Kind::not_sent)
        return {Kind::away, "the receiver could not be reached", {}};
    if (found.kind == effect::Kind::no_answer)
        return {Kind::failed, "the receiver gave no answer", {}};
    const int status = found.answer.status;
    if (status >= 200 && status < 300) return {};
    Delivered word{Kind::refused, fmt::format("the receiver answered {}", status), {}};
    if (const auto asked = http::retry_after_in(found.answer.headers, now))
        word.retry_after = *asked;
    if (status == 410)
        word.kind = Kind::gone;
    else if (status == 429 || (status == 503 && word.retry_after.count() > 0))
        word.kind = Kind::away;
    else if (is_about_the_endpoint(status))
        word.kind = Kind::failed;
    return word;
}

WebhookSink::WebhookSink(Loop& loop, gateway::Asker& asker, WebhookSetup setup)
    : loop_(loop), asker_(asker), setup_(std::move(setup)) {}

http::Request WebhookSink::request_of(Event event) const {
    const std::int64_t at_s = milliseconds_of(loop_.clock().wall()) / 1'000;
    http::Request request;
    request.head.method = "POST";
    request.head.target = setup_.path;
    request.head.headers = {{"Host", http::authority_of(setup_.target)},
                            {"Content-Type", "application/cloudevents+json"},
                            {"webhook-id", event.id},
                            {"webhook-timestamp", std::to_string(at_s)},
                            {"webhook-signature", callback::standard_signature(
                                                      setup_.secrets, event.id, at_s, event.body)}};
    if (!event.trace_context.empty())
        request.head.headers.emplace_back("traceparent", std::move(event.trace_context));
    request.body = std::move(event.body);
    return request;
}

Task<std::vector<Delivered>> WebhookSink::deliver(std::vector<Event> events) {
    std::vector<Delivered> words;
    for (Event& event : events) {
        const effect::Found found = co_await asker_.ask(setup_.target, request_of(std::move(event)),
                                                        loop_.now() + setup_.patience);
        words.push_back(judged(found, loop_.clock().wall()));
    }
    co_return words;
}

}  // namespace pawl::stream
