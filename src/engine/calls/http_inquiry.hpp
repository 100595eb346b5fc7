// SPDX-License-Identifier: Apache-2.0
// The inquiry over HTTP: asks a service and believes only what it says in so many words. An order is cancelled where
// the answer is "unpaid", so everything that is not clear is "unknown":
//
//   answer                                                        | found
//   --------------------------------------------------------------+---------
//   2xx, and the member that `paid` names has the value           | paid, with the facts that are there
//   2xx, and the member has another value of the same kind        | unpaid
//   2xx without the member, or not JSON, or beyond 64 KiB         | unknown
//   any other status (404 too: that service may be behind), none  | unknown
#pragma once

#include "engine/calls/call.hpp"
#include "engine/inquiry.hpp"
#include "gateway/asker.hpp"

namespace pawl::engine {

inline constexpr std::size_t kProbeAnswerBytesMax = std::size_t{64} << 10;

class HttpInquiry final : public Inquiry {
  public:
    HttpInquiry(gateway::Asker& asker, std::shared_ptr<const Services> services)
        : asker_(asker), services_(std::move(services)) {}

    Task<Finding> ask(flow::Probe probe, flow::Entity entity, MonotonicTime give_up) override;
    void reload(std::shared_ptr<const Services> services) { services_ = std::move(services); }

  private:
    gateway::Asker& asker_;
    std::shared_ptr<const Services> services_;
};

// What a body says, by the probe's `paid` and `facts`.
Finding finding_in(std::string_view body, const flow::Probe& probe);

}  // namespace pawl::engine
