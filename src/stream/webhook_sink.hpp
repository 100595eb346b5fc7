// SPDX-License-Identifier: Apache-2.0
// A receiver of events over HTTP: one POST per event, signed as Standard Webhooks says (standardwebhooks.com). The
// id of the event is the id of the message, so that a repeat is known as one. Redirects are not followed: whoever
// may move a receiver changes the configuration.
#pragma once

#include <string>
#include <vector>

#include "gateway/asker.hpp"
#include "runtime/task/loop.hpp"
#include "stream/limits.hpp"
#include "stream/sink.hpp"

namespace pawl::stream {

struct WebhookSetup {
    http::Target target;
    std::string path;                  // and query, as it is sent
    std::vector<std::string> secrets;  // bytes; the first one made is the present one
    std::size_t parallel_max = kWebhooksAtOnce;
    std::chrono::milliseconds patience = kWebhookPatience;
};

class WebhookSink final : public Sink {
  public:
    // Both outlive it.
    WebhookSink(Loop& loop, gateway::Asker& asker, WebhookSetup setup);

    std::size_t batch_max() const override { return 1; }
    std::size_t parallel_max() const override { return setup_.parallel_max; }
    Task<std::vector<Delivered>> deliver(std::vector<Event> events) override;

  private:
    http::Request request_of(Event event) const;

    Loop& loop_;
    gateway::Asker& asker_;
    WebhookSetup setup_;
};

// What an answer, or none, says of an event.
Delivered judged(const effect::Found& found, WallTime now);

}  // namespace pawl::stream
