// SPDX-License-Identifier: Apache-2.0
// Bugs planted on purpose, so that the simulation proves it would find them. Each stands at the place where
// it could have been made; at most one is switched on. Without PAWL_PLANTED_BUGS, as in what is shipped, the
// question is a constant and the bug is not compiled in.
//
// The switch is the one state of this program that belongs to nobody: it is set before a simulated world is
// made, and handing it through every class would plant the switch itself in all of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pawl {

enum class Plant : std::uint8_t {
    none,
    // the record
    age_frees,            // a lease that is over frees a key
    sweep_frees,          // the sweeper frees instead of marking uncertain
    start_frees,          // and so does the start
    any_fence_completes,  // an owner's completion is not compared with the record's fence
    any_fence_settles,    // nor is evidence
    fence_given_twice,
    takeover_released,  // a release after a takeover frees although the first request may land
    not_found_frees,    // a plain "not found" is believed at once
    mismatch_claims,    // the claim's fingerprint is not compared
    stale_replaces,     // an older stamp is taken for a newer one
    newer_takes_over,   // a newer stamp does not wait for the end of what runs
    restored_result_lost,  // a newer stamp that was not applied frees the key, and the old result with it
    // the attempt
    claim_renamed,       // after an unknown commit the claim is sent under another id
    claim_forgotten,     // a claim that is given up is not withdrawn
    completion_dropped,  // a completion that the store did not take is not sent again
    answered_before_stored,
    loser_keeps_its_answer,  // an owner whose fence was passed answers what it has in its hand
    doubt_released,          // no answer is taken for not sent
    doubt_is_unavailable,    // no answer is told as "nothing was executed"
    sent_again_after_reset,
    listener_is_gone,  // an owner that listens beyond its hold is taken for ended
    // repeats
    cached_mismatch,      // the cache does not compare fingerprints
    cached_stamp,         // nor does it look at stamps
    stamp_not_in_key,     // a correction goes upstream under the key of what it corrects
    running_mismatch,     // nor do those who wait
    caller_forgotten,     // the caller is not part of the identity
    natural_key_dropped,  // every click is an operation of its own
    replay_unmarked,
    replay_cut,         // half of the body is kept
    kept_as_a_refusal,  // a result is kept as short as a refusal
    waiter_is_first,    // who waited gets the first one's header lines
    doubt_unmarked,     // a doubtful 5xx looks like a clean one
    // the probe
    probe_closes,  // a plain probe's negative counts as a closing one's
    // the callback
    callback_of_any_fence,  // a report about an earlier attempt settles the present one
    // the permission
    permission_kept,    // what was permitted once is permitted for good
    permission_shared,  // and to every caller
    // a flow: its deadlines
    deadline_without_version,  // a timer fires on whatever version is there
    deadline_not_due,          // and whether its deadline was renewed meanwhile or not
    renewal_shortens,
    found_paid_forgotten,  // the probe found the money, and the order ends all the same
    // its stock
    expiry_keeps_stock,
    released_twice,
    sold_without_stock,  // nobody looks how much there is
    slot_given_twice,
    // its facts
    parked_fact_dropped,     // when the order comes for which it waits
    seen_without_effect,     // a notification is remembered, and not what it says
    late_before_unique,      // a repeat of the payment is taken for a late one
    fact_taken_twice,        // unique values are not compared
    late_payment_applied,    // the order is over, and is paid all the same
    second_payment_ignored,  // nobody refunds it
    refund_per_order,        // refunds are keyed by the order, not by the money
    attention_dropped,
    settled_fact_is_free,   // what a person has settled by hand the machine does again
    taken_fact_stays_open,  // what the machine has done a person does again
    // its history
    history_without_version,
    if_match_ignored,
    told_to_stranger,  // whoever sends the same unique values gets the first result
    // what the engine makes of a decision
    unknown_is_unpaid,           // a probe that could not say has said no
    acknowledged_before_commit,  // a fact whose commit is unknown is acknowledged
    loser_told_applied,          // so is a commit that somebody else's came before
    woken_waits_on,              // a fact that was sent again is not settled with it
    waits_for_ever,              // no person looks at what waited in vain
    sweep_stops,                 // after one failure nobody looks for what is due
    answer_of_the_moment,        // a repeat is shown the entity instead of the first answer
    // what the relay makes of a receiver's word
    refusal_is_delivered,
    silence_is_delivered,
    absence_is_delivered,   // a receiver that is away has taken it
    told_before_delivered,  // the store hears that a row was sent before it is
    parked_at_once,         // one refusal is as good as twelve
    // what the runner makes of a service's
    silence_is_refunded,
    failed_refund_is_done,  // and so is a 5xx
    refund_key_per_try,     // each try is another refund to its service
    refund_forgotten,       // what is to be tried again is tried never
    // its provider's notifications
    forged_is_believed,     // nobody looks at signatures
    late_is_acknowledged,   // the provider lost patience, and is told that all is well
    unreadable_is_dropped,  // acknowledged, and no person sees it
    ids_of_all_accounts,    // an id is known whoever's account it was told by
    for_people_is_refused,  // what a person has to look at is told as if nobody vouched for it
    // its end
    retired_too_early,        // nobody looks how long it has been over
    retired_while_refunding,  // nor whether its money has gone back
};
inline constexpr int kPlantCount = static_cast<int>(Plant::retired_while_refunding) + 1;
// From here on they are the shop's to find.
inline constexpr int kFirstFlowPlant = static_cast<int>(Plant::deadline_without_version);

std::string_view name_of(Plant plant);
std::optional<Plant> plant_from(std::string_view name);

#ifdef PAWL_PLANTED_BUGS
inline constexpr bool kPlantsCompiledIn = true;
bool is_planted(Plant plant);
void plant(Plant plant);
#else
inline constexpr bool kPlantsCompiledIn = false;
constexpr bool is_planted(Plant) { return false; }
#endif

}  // namespace pawl
