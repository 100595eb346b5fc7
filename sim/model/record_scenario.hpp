// SPDX-License-Identifier: Apache-2.0
// What a run of the record model is about: who takes part, and how the protocol is read. Every reading but
// `repaired` is a plausible one that breaks an invariant; the tests assert that it is found out.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace pawl::model {

enum class Reading : std::uint8_t {
    repaired,
    plain_probe_frees,            // A1  a "not found" that closes nothing counts as final
    operator_by_eye,              // A2  a person's "not applied" is taken as it is
    takeover_when_nothing_left,   // A4  lease over, nothing sent yet: the next claim takes over
    settle_without_fence,         // A5  evidence does not say which attempt it is about
    late_completion_dropped,      // A6  a completion that finds its record freed is thrown away
    loser_answers_its_own_bytes,  // A7  an owner that is told `lost` answers what the upstream said
    late_completion_refused,      // A9  a completion of an uncertain record is refused
    release_empties_superseded,   // B1  a superseding claim that is released leaves nothing
    newer_supersedes_busy,        // B2  a newer stamp does not wait for the running one
    key_from_identity,            // C1  the upstream's key does not hold the stamp
    key_from_fence,               // C2  the upstream's key differs per attempt
    newer_takes_over,             // C3  a newer stamp takes over a lapsed claim
    release_after_takeover_frees,  // C4  what a later attempt releases is believed of the earlier one too
    earlier_owner_forgotten,  // C5  an ended owner counts for those it took over from
    early_look_counts,     // C6  nothing was found, then the horizon passed: taken as not applied
    lease_over_is_gone,    // C7  an owner whose lease is over counts as ended
    age_frees,             // D1  a lease that is over frees
    withdrawal_forgotten,  // D2  a claim that was given up may still be acquired
};
std::string_view name_of(Reading reading);

struct Scenario {
    std::vector<std::uint8_t> stamps;  // of each attempt; 0: unstamped
    bool rerunnable = false;
    int probes = 0;                // they close the attempt at the upstream
    int operators = 0;             // their "not applied" is held to a quiet owner and the horizon
    bool forced = false;           // operators override instead: their "not applied" may be wrong
    bool again = false;            // probes and operators can be used again
    bool unknown_commits = false;  // claims may be lost or late, answers of the store may be lost
    Reading reading = Reading::repaired;
};

// Bounds of the world's State.
inline constexpr int kAttemptsMax = 5;
inline constexpr int kWitnessesMax = 3;
inline constexpr int kStampMax = 3;

}  // namespace pawl::model
