// SPDX-License-Identifier: Apache-2.0
// States of the shop that a lazy simulation never reaches; see sim/history/rare.hpp.
#pragma once

#include "sim/history/rare.hpp"

namespace pawl::sim {

enum class ShopRare : std::uint8_t {
    // the commit
    found_its_own,     // sent again after an unknown commit, it was applied before
    version_lost,      // somebody else's bundle came first
    not_due_any_more,  // the deadline was renewed while it was being fired
    settled_before,    // somebody else had sent the waiting fact
    contended,         // lost its version again and again
    // requests
    repeated_same_key,
    key_reused,            // with another body
    repeated_fact_of_own,  // the same unique values under another key
    refused_to_stranger,   // somebody else's unique values
    business_key_taken,
    refused_out_of_stock,
    refused_slot,
    undecided,           // the probe could not say
    found_paid_instead,  // a cancellation found the money
    nothing_to_do,       // already where the event leads
    renewed,
    box_scanned_again,
    scan_too_old,
    // facts
    parked_without_order,
    parked_early,
    woken,           // applied after it had waited
    late_payment,    // refunded: the order was over
    second_payment,  // refunded: the order was paid
    short_of_stock,  // paid, and nothing to sell
    slot_gone,       // paid, and somebody else has the slot
    amount_differs,
    two_late_payments,  // of one order
    delivery_ignored,
    attention_after_horizon,
    // who looks at the list
    deadline_put_off,  // until he has looked at what the provider names
    settled_by_hand,
    settled_without_a_name,  // and the order went on
    left_to_the_flow,
    taken_before_closed,  // the flow was first
    // notifications
    notice_outlived_budget,  // told to come again, and carried out all the same
    notice_out_of_time,      // the clock was set between its signature and its arrival
    notice_not_believed,
    notice_for_people,
    // deadlines
    expired,
    expired_from_reserved,  // its stock came back
    expiry_found_paid,
    asked_again_later,
    gave_up_asking,
    escalated,
    closed_unsigned,
    fired_while_paid,  // a timer and a payment at the same version
    refunded_by_support,
    // refunds and outgoing events
    refund_refused,
    refund_asked_again,
    refund_denied_though_made,
    event_came_again,
    event_refused,
    // what is over
    retired,
    asked_of_retired,  // a request for what is gone
    paid_after_it_was_retired,
    // faults
    crashed_committing,
    crashed_asking,
    frozen,
    store_crashed,
    node_cut_off,
    clock_stepped_back,
    clock_stepped_forward,
    slept_past_horizon,  // nobody was up for longer than facts wait
};
inline constexpr int kShopRareCount = static_cast<int>(ShopRare::slept_past_horizon) + 1;
std::string_view name_of(ShopRare rare);

using ShopRarities = RaritiesOf<ShopRare, kShopRareCount>;

}  // namespace pawl::sim
