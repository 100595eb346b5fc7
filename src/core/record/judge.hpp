// SPDX-License-Identifier: Apache-2.0
// The record protocol as one function: (row, call, store time, next fence) -> (outcome, row). Pure; every
// store runs it inside its own commit, so that all stores mean the same. The table it implements is at the
// head of judge.cpp; `sim/model` explores it exhaustively and replays its traces here.
#pragma once

#include "core/record/call.hpp"

namespace pawl::record {

// What an answer does to the store of answers, which lies beside the rows and is keyed by identity and
// fence; by fence alone only where no sequence of fences can ever step back.
struct Verdict {
    Outcome outcome = Outcome::unchanged;
    Row row;                  // after the call; state absent: no row
    bool changed = false;     // the row must be written (or removed)
    bool fence_used = false;  // a fence was given out: `row.fence`
    const Answer* store =
        nullptr;                // write this answer under row.settled->fence; points into the call
    std::optional<Fence> drop;  // the answer stored under this fence is not needed any more
};

// Shape: `row` is the stored row, state absent when there is none. `now_ms` is the store's time. `next` is
// above every fence of this shard; were it not above the row's own, the row's own plus one is given out.
Verdict judge(const Row& row, const Call& call, std::int64_t now_ms, Fence next);

// When the sweeper or the cleaner has something to do with the row (Lapse or Expire); kForever: never.
std::int64_t due_ms(const Row& row);

}  // namespace pawl::record
