// SPDX-License-Identifier: Apache-2.0
// The port to how far a machine may make ids: no id has a later time than what is written here, so that a process
// that comes back, or another in its place, begins above it (core/id/window.hpp).
#pragma once

#include <cstdint>

#include "core/id/layout.hpp"
#include "runtime/result/result.hpp"
#include "runtime/task/task.hpp"

namespace pawl::store {

class IdWindows {
  public:
    virtual ~IdWindows() = default;
    // Writes `until_ms` where it is later than what is there, and answers what was there before; 0: nothing. Sent
    // again after an unknown commit it answers its own, and the ids between are never made.
    // Unit: ms since 1970. Durable: when it answers. Errors: as Flows::commit.
    virtual Task<Result<std::int64_t>> extend(id::Machine machine, std::int64_t until_ms) = 0;
};

}  // namespace pawl::store
