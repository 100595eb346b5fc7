// SPDX-License-Identifier: Apache-2.0
// The head that goes to the upstream of a protected request (protocol, "What goes upstream"): the client's
// lines without Pawl-*, hop-by-hop, framing and Expect; then ours.
#pragma once

#include "effect/effect.hpp"
#include "effect/upstream_call.hpp"

namespace pawl::effect {

// The part that is equal for all attempts. POST, PUT and PATCH say Content-Length even without bytes.
http::RequestHead upstream_head(http::RequestHead head, const http::Target& target,
                                const http::Peer& peer, const UpstreamRules& rules,
                                std::size_t body_bytes);

// The head of a question of our own: Host and framing are added, nothing is taken away.
http::RequestHead upstream_question(http::RequestHead head, const http::Target& target,
                                    std::size_t body_bytes);

// Adds what differs from attempt to attempt.
void add_dispatch(http::RequestHead& head, const UpstreamRules& rules, const Dispatch& dispatch);

// The upstream's word in an answer: nullopt when it says nothing, unknown when it contradicts itself or says
// what is not in the table.
std::optional<Declared> declared_in(const http::Headers& headers);

}  // namespace pawl::effect
