// SPDX-License-Identifier: Apache-2.0
#include "app/upstream_effects.hpp"

#include "effect/upstream_call.hpp"

namespace pawl::app {
namespace {

std::shared_ptr<const http::Request> with_host(const http::Request& request,
                                               const std::string& host) {
    auto copy = std::make_shared<http::Request>(request);
    http::remove_all(copy->head.headers, "Host");
    copy->head.headers.emplace(copy->head.headers.begin(), "Host", host);
    return copy;
}

}  // namespace

std::unique_ptr<effect::Effect> UpstreamEffects::make(const policy::Route& route,
                                                      std::shared_ptr<const http::Request> request,
                                                      http::Peer peer) {
    if (!route.host_rewrite.empty()) request = with_host(*request, route.host_rewrite);
    const effect::UpstreamRules rules{route.rerunnable(), route.keep_encodings,
                                      route.answer_bytes_max};
    return std::make_unique<effect::UpstreamCall>(upstreams_, gateway::target_of(route.upstream),
                                                  std::move(request), std::move(peer), rules);
}

Task<effect::Found> UpstreamEffects::ask(http::Target target, http::Request request,
                                         MonotonicTime give_up) {
    return effect::ask(upstreams_, std::move(target), std::move(request), give_up);
}

}  // namespace pawl::app
