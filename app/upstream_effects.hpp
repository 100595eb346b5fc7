// SPDX-License-Identifier: Apache-2.0
// Effects as calls to upstreams over the connections of one event loop: those of protected requests, and
// the questions of the prober.
#pragma once

#include <memory>

#include "gateway/gateway.hpp"
#include "gateway/prober.hpp"
#include "net/http/upstreams.hpp"

namespace pawl::app {

class UpstreamEffects final : public gateway::EffectSource, public gateway::Asker {
  public:
    explicit UpstreamEffects(http::Upstreams& upstreams) : upstreams_(upstreams) {}

    std::unique_ptr<effect::Effect> make(const policy::Route& route,
                                         std::shared_ptr<const http::Request> request,
                                         http::Peer peer) override;
    Task<effect::Found> ask(http::Target target, http::Request request,
                            MonotonicTime give_up) override;

  private:
    http::Upstreams& upstreams_;
};

}  // namespace pawl::app
