// SPDX-License-Identifier: Apache-2.0
#include "runtime/plant/planted.hpp"

#include <atomic>

namespace pawl {
namespace {

constexpr std::array<std::string_view, kPlantCount> kNames{"none",
                                                           "age_frees",
                                                           "sweep_frees",
                                                           "start_frees",
                                                           "any_fence_completes",
                                                           "any_fence_settles",
                                                           "fence_given_twice",
                                                           "takeover_released",
                                                           "not_found_frees",
                                                           "mismatch_claims",
                                                           "stale_replaces",
                                                           "newer_takes_over",
                                                           "restored_result_lost",
                                                           "claim_renamed",
                                                           "claim_forgotten",
                                                           "completion_dropped",
                                                           "answered_before_stored",
                                                           "loser_keeps_its_answer",
                                                           "doubt_released",
                                                           "doubt_is_unavailable",
                                                           "sent_again_after_reset",
                                                           "listener_is_gone",
                                                           "cached_mismatch",
                                                           "cached_stamp",
                                                           "stamp_not_in_key",
                                                           "running_mismatch",
                                                           "caller_forgotten",
                                                           "natural_key_dropped",
                                                           "replay_unmarked",
                                                           "replay_cut",
                                                           "kept_as_a_refusal",
                                                           "waiter_is_first",
                                                           "doubt_unmarked",
                                                           "probe_closes",
                                                           "callback_of_any_fence",
                                                           "permission_kept",
                                                           "permission_shared",
                                                           "deadline_without_version",
                                                           "deadline_not_due",
                                                           "renewal_shortens",
                                                           "found_paid_forgotten",
                                                           "expiry_keeps_stock",
                                                           "released_twice",
                                                           "sold_without_stock",
                                                           "slot_given_twice",
                                                           "parked_fact_dropped",
                                                           "seen_without_effect",
                                                           "late_before_unique",
                                                           "fact_taken_twice",
                                                           "late_payment_applied",
                                                           "second_payment_ignored",
                                                           "refund_per_order",
                                                           "attention_dropped",
                                                           "settled_fact_is_free",
                                                           "taken_fact_stays_open",
                                                           "history_without_version",
                                                           "if_match_ignored",
                                                           "told_to_stranger",
                                                           "unknown_is_unpaid",
                                                           "acknowledged_before_commit",
                                                           "loser_told_applied",
                                                           "woken_waits_on",
                                                           "waits_for_ever",
                                                           "sweep_stops",
                                                           "answer_of_the_moment",
                                                           "refusal_is_delivered",
                                                           "silence_is_delivered",
                                                           "absence_is_delivered",
                                                           "told_before_delivered",
                                                           "parked_at_once",
                                                           "silence_is_refunded",
                                                           "failed_refund_is_done",
                                                           "refund_key_per_try",
                                                           "refund_forgotten",
                                                           "forged_is_believed",
                                                           "late_is_acknowledged",
                                                           "unreadable_is_dropped",
                                                           "ids_of_all_accounts",
                                                           "for_people_is_refused",
                                                           "retired_too_early",
                                                           "retired_while_refunding"};

#ifdef PAWL_PLANTED_BUGS
std::atomic<Plant> planted_now = Plant::none;
#endif

}  // namespace

std::string_view name_of(Plant plant) { return kNames[static_cast<std::size_t>(plant)]; }

std::optional<Plant> plant_from(std::string_view name) {
    for (int i = 0; i < kPlantCount; ++i)
        if (kNames[static_cast<std::size_t>(i)] == name) return static_cast<Plant>(i);
    return std::nullopt;
}

#ifdef PAWL_PLANTED_BUGS
bool is_planted(Plant plant) { return planted_now.load(std::memory_order_relaxed) == plant; }
void plant(Plant plant) { planted_now.store(plant); }
#endif

}  // namespace pawl
