// SPDX-License-Identifier: Apache-2.0
// An attempt that is being carried out on this loop, as those see it who wait for it.
#pragma once

#include <memory>
#include <unordered_map>
#include <utility>

#include "gateway/operation.hpp"
#include "runtime/task/promise.hpp"

namespace pawl::gateway {

//   phase      the record                                     a waiter whose patience ends is told
//   claiming   not known to be ours                           in_progress
//   running    in_progress under our fence                    in_progress
//   settling   the effect has ended, the store has not heard  uncertain
enum class Phase : std::uint8_t { claiming, running, settling };

struct Running {
    Running(Loop& loop, Operation operation_, std::unique_ptr<effect::Effect> effect_)
        : operation(std::move(operation_)), effect(std::move(effect_)), ended(loop) {}

    Operation operation;
    std::unique_ptr<effect::Effect> effect;
    Phase phase = Phase::claiming;
    record::ClaimId claim;
    record::Fence fence;
    std::int64_t first_seen_ms = 0;
    MonotonicTime started{};
    std::uint64_t words = 0;      // of the home, when it began
    MonotonicTime lease_until{};  // by our clock: counted from before the claim was sent
    AlarmId renewal;
    AlarmId hold_end;
    effect::Attempt* under_way = nullptr;  // while it runs; whoever runs it owns it
    bool crowded = false;                  // too much of its caller or tenant runs already
    bool supersedes = false;  // its claim was given over the result of an older version
    std::optional<Promise<bool>>
        acquired;          // of those who ask for another version; made by the first
    bool overdue = false;  // everyone was answered at the maximum hold; it still listens
    bool over = false;     // the effect has ended: nothing more to renew
    std::size_t waiting = 0;
    Promise<EndedPair> ended;
};

using RunningPtr = std::shared_ptr<Running>;  // shared by the attempt and those who wait for it
using RunningByIdentity = std::unordered_map<Digest, RunningPtr, DigestHash>;

}  // namespace pawl::gateway
