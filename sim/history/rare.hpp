// SPDX-License-Identifier: Apache-2.0
// States that a lazy simulation never reaches. Each is counted where it is seen; over a set of seeds every
// one must have been reached, else the set proves less than it says.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace pawl::sim {

enum class Rare : std::uint8_t {
    // the claim
    claim_resent_after_unknown,  // acquired by the same claim, sent again
    claim_landed_late,           // applied after its sender was told that nobody knows
    claim_withdrawn,
    claim_refused_as_withdrawn,  // it arrived after it was given up
    took_over,
    held_elsewhere,  // another node's claim was in the way
    // the owner's words
    completion_resent,  // the same completion arrived twice
    release_resent,
    suspect_resent,
    listened_beyond_hold,
    completed_after_lapse,  // the lease was over, nobody had come between
    stored_late,
    completion_lost,
    opened,
    renewed,
    renewal_lost,
    // other people's words
    lapsed_by_sweeper,
    lapsed_by_claim,
    boot_ended_uncertain,
    boot_ended_open,
    probe_found_effect,
    probe_closed,
    probe_freed_when_quiet,
    probe_too_early,
    callback_applied,
    callback_closed,
    callback_repeated,
    callback_while_running,
    callback_of_other_fence,
    person_applied,
    person_not_applied,
    person_too_early,
    person_owner_alive,
    person_forced,
    window_over,  // a natural key was good for a new operation
    result_expired,
    refusal_expired,  // whose time is shorter
    // versions
    superseded,             // a newer one was given the record of an older one's result
    correction_taken_over,  // and the claim over a result lapsed and was taken over
    restored,               // it was not applied, and the result is back
    correction_uncertain,
    stale_version,
    versions_mixed,  // with and without a version under one key
    other_version_running,
    // the way to the upstream
    no_connection,
    connection_replaced,  // it had died while the claim was made
    lease_too_short_to_send,
    not_sent_and_sent_again,
    landed_after_give_up,  // the request landed after the gateway had given it up
    landed_after_death,    // or after its node had died
    refused_by_fence,      // or was refused because its fence was closed
    served_from_memory,    // the upstream honoured the derived key
    lied_after_effect,
    // what clients see
    replayed_from_cache,
    replayed_from_store,
    replayed_from_reading,  // without a claim
    replayed_to_waiter,
    patience_ended_running,
    patience_ended_settling,
    mismatch_running,
    mismatch_cached,
    mismatch_stored,
    limited,
    not_permitted,
    permission_unknown,  // who is asked gave no clear answer
    answer_cut,
    // crashes
    crashed_connecting,
    crashed_claiming,
    crashed_sending,
    crashed_completing,
    crashed_releasing,
    crashed_suspecting,
    crashed_withdrawing,
    frozen_past_lease,
    store_crashed,
    node_cut_off,
};
inline constexpr int kRareCount = static_cast<int>(Rare::node_cut_off) + 1;
std::string_view name_of(Rare rare);

// How often each state of one scenario was seen.
template <class State, int kCount>
class RaritiesOf {
  public:
    void count(State state, std::uint64_t times = 1) {
        counts_[static_cast<std::size_t>(state)] += times;
    }
    std::uint64_t of(State state) const { return counts_[static_cast<std::size_t>(state)]; }
    void add(const RaritiesOf& others) {
        for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += others.counts_[i];
    }

  private:
    std::array<std::uint64_t, kCount> counts_{};
};
using Rarities = RaritiesOf<Rare, kRareCount>;

}  // namespace pawl::sim
