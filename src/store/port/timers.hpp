// SPDX-License-Identifier: Apache-2.0
// The port to the deadlines that a store holds. They live in the rows of their entities: what fires, renews or
// takes one is a commit of the port Flows, and this port only says where to look. What it says may be out of
// date when it is heard; the commit decides.
#pragma once

#include "store/port/flows.hpp"

namespace pawl::store {

struct DueRow {
    FlowSubject subject;  // by id
    std::uint64_t version = 0;
    std::vector<timer::Running> deadlines;  // all that run, the entity's order
};

struct DueRows {
    std::vector<DueRow> rows;  // the earliest next_ms first
    std::int64_t now_ms = 0;   // store time of the reading
};

class Timers {
  public:
    virtual ~Timers() = default;

    // Entities whose earliest next_ms is at most `until_ms`, at most `limit` of them. Unit: store time; a later
    // `until_ms` than now looks ahead. Errors: unavailable.
    virtual Task<Result<DueRows>> due(std::int64_t until_ms, std::size_t limit) = 0;
    // The earliest next_ms of all; timer::kNever when nothing runs. Errors: unavailable.
    virtual Task<Result<std::int64_t>> next_due_ms() = 0;
};

}  // namespace pawl::store
