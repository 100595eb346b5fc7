// SPDX-License-Identifier: Apache-2.0
#include "app/upstream_effects.hpp"

#include "effect/upstream_call.hpp"

namespace pawl::app {
std::unique_ptr<effect::Effect> UpstreamEffects::make(const policy::Route& route,
                                                      std::shared_ptr<const http::Request> request,
                                                      http::Peer peer) {
    effect::UpstreamRules rules{.rerunnable = route.rerunnable(),
                                .host = route.host_rewrite,
                                .keep_encodings = route.keep_encodings,
                                .answer_bytes_max = route.answer_bytes_max};
    return std::make_unique<effect::UpstreamCall>(upstreams_, gateway::target_of(route.upstream),
                                                  std::move(request), std::move(peer),
                                                  std::move(rules));
}

Task<effect::Found> UpstreamEffects::ask(http::Target target, http::Request request,
                                         MonotonicTime give_up) {
    return effect::ask(upstreams_, std::move(target), std::move(request), give_up);
}

}  // namespace pawl::app
