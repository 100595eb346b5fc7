// SPDX-License-Identifier: Apache-2.0
// An answer that is too long to be held: what is still to come of it flows from its connection to whoever
// pulls. Whoever stops pulling does not disturb the upstream, which may still be at work: the rest is then
// read and dropped.
#pragma once

#include <memory>
#include <optional>

#include "net/http/upstreams.hpp"
#include "runtime/task/byte_source.hpp"
#include "runtime/task/promise.hpp"

namespace pawl::http {

// `sending`: the rest of the request, which may still be on its way. `left`: as ByteSource::size().
std::shared_ptr<ByteSource> read_on(Upstreams& upstreams, ConnectionPtr connection,
                                    std::optional<Promise<bool>> sending,
                                    std::optional<std::uint64_t> left);

}  // namespace pawl::http
