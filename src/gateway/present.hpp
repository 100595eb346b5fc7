// SPDX-License-Identifier: Apache-2.0
// Repeats that are answered with what the operation made as it is now (`on_repeat: { current: … }`, rulings
// 3). The service is asked with the repeat's own lines, so that it judges itself who may see what; an answer
// that does not show the thing is told as Pawl's own, never as the operation's.
//
//   the reading ends with       a repeat is told
//   2xx                         it, marked as a replay, Pawl-Result-Source: current
//   401, 403                    the same status, `forbidden`
//   404, 410                    410 `result_expired`
//   anything else, nothing      503 `unavailable`: took effect, cannot be read now
#pragma once

#include <optional>
#include <string>

#include "core/policy/compiled_route.hpp"
#include "effect/effect.hpp"
#include "gateway/reply.hpp"
#include "net/http/service.hpp"

namespace pawl::gateway {

// The question that answers this repeat; nullopt: it is answered from the record. A refusal that was stored
// is repeated, because it made nothing; so is a success that did not say where its result lies. `label` is the
// operation's key.
std::optional<http::Request> reading_of(const policy::CompiledRoute& route, const Ended& ended,
                                        const http::RequestHead& asked, const http::Peer& peer,
                                        const policy::PathParameters& parameters,
                                        std::string_view label);

Reply reply_with_present(const Ended& ended, const Asked& asked, effect::Found found);

}  // namespace pawl::gateway
