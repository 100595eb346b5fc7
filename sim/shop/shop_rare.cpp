// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_rare.hpp"

namespace pawl::sim {
namespace {

// Row by row as in the enumeration.
constexpr std::array<std::string_view, kShopRareCount> kNames{
    "found_its_own",
    "version_lost",
    "not_due_any_more",
    "settled_before",
    "contended",
    "repeated_same_key",
    "key_reused",
    "repeated_fact_of_own",
    "refused_to_stranger",
    "business_key_taken",
    "refused_out_of_stock",
    "refused_slot",
    "undecided",
    "found_paid_instead",
    "nothing_to_do",
    "renewed",
    "box_scanned_again",
    "scan_too_old",
    "parked_without_order",
    "parked_early",
    "woken",
    "late_payment",
    "second_payment",
    "short_of_stock",
    "slot_gone",
    "amount_differs",
    "two_late_payments",
    "delivery_ignored",
    "attention_after_horizon",
    "deadline_put_off",
    "settled_by_hand",
    "settled_without_a_name",
    "left_to_the_flow",
    "taken_before_closed",
    "notice_outlived_budget",
    "notice_out_of_time",
    "notice_not_believed",
    "notice_for_people",
    "expired",
    "expired_from_reserved",
    "expiry_found_paid",
    "asked_again_later",
    "gave_up_asking",
    "escalated",
    "closed_unsigned",
    "fired_while_paid",
    "refunded_by_support",
    "refund_refused",
    "refund_asked_again",
    "refund_denied_though_made",
    "event_came_again",
    "event_refused",
    "retired",
    "asked_of_retired",
    "paid_after_it_was_retired",
    "crashed_committing",
    "crashed_asking",
    "frozen",
    "store_crashed",
    "node_cut_off",
    "clock_stepped_back",
    "clock_stepped_forward",
    "slept_past_horizon",
};

}  // namespace

std::string_view name_of(ShopRare rare) { return kNames[static_cast<std::size_t>(rare)]; }

}  // namespace pawl::sim
