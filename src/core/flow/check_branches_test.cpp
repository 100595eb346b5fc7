// SPDX-License-Identifier: Apache-2.0
// What is not to be had leads to no state of what has it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

EventRule restock() {
    EventRule one = event("restock", {"backorder"}, "paid");
    one.transitions[0].stock = stock::Action::confirm;
    return one;
}

// An order that is paid and waits for its goods.
Definition backorders() {
    Definition flow = whole_order();
    flow.states.push_back({"backorder", false, {}, {compensated("pay")}});
    first(flow, "pay").short_of = Branch{"backorder", ""};
    flow.deadlines[0].until.emplace_back("backorder");
    EventRule refund = event("refund", {"paid", "backorder"}, "cancelled");
    refund.transitions[0].saga = "refund";
    refund.transitions[0].stock = stock::Action::return_sold;
    flow.events.push_back(restock());
    flow.events.push_back(refund);
    return flow;
}

// A room, which a payment takes.
Definition rooms() {
    Definition flow = whole_order();
    flow.fields.push_back({"room", FieldType::text});
    flow.fields.push_back({"start", FieldType::time});
    flow.fields.push_back({"end", FieldType::time});
    first(flow, "reserve").stock.reset();
    first(flow, "pay").stock.reset();
    first(flow, "pay").short_of.reset();
    first(flow, "pay").exclusive =
        ExclusiveRule{"room", "start", "end", {"paid", "shipped", "delivered"}};
    first(flow, "pay").taken = Branch{"cancelled", "refund"};
    return flow;
}

std::vector<Row> branch_rows() {
    return {
        {"as_if_it_had_it", [](Definition& f) { first(f, "pay").short_of->to = "paid"; },
         "error events.pay.short.to: `pay` leads to `paid` with its stock and without: nothing "
         "tells them apart there; name a state of its own for what has no stock"},
        {"stays_as_if_it_had_it",
         [](Definition& f) {
             f.events.push_back(event("hold", {"paying"}, "same"));
             first(f, "hold").stock = stock::Action::reserve;
             first(f, "hold").short_of = Branch{"paying", ""};
         },
         "error events.hold.short.to: `hold` leads to `paying` with its stock and without"},
        {"straight_to_the_customer",
         [](Definition& f) { first(f, "pay").short_of->to = "shipped"; },
         "error events.pay.short.to: `shipped` has its stock wherever it came from, and `pay` "
         "leads there without; name a state of its own"},
        {"straight_to_the_end", [](Definition& f) { first(f, "pay").short_of->to = "delivered"; },
         "error events.pay.short.to: `delivered` has its stock wherever it came from"},
        {"on_the_way_to_the_customer",
         [](Definition& f) {
             f = backorders();
             first(f, "ship").from.push_back("backorder");
         },
         "error events.pay.short.to: after a `pay` without its stock, `ship` leads from "
         "`backorder` to `shipped`, as if it had it; write `stock: confirm` at `events.ship`, or "
         "take `backorder` out of its `from`"},
        {"in_two_steps",
         [](Definition& f) {
             f = backorders();
             f.states.push_back({"packing", false, {}, {compensated("pay")}});
             f.events.push_back(event("pack", {"backorder"}, "packing"));
             first(f, "ship").from.push_back("packing");
         },
         "error events.pay.short.to: after a `pay` without its stock, `ship` leads from `packing` "
         "to `shipped`"},
        {"restocked_without_taking",
         [](Definition& f) {
             f = backorders();
             first(f, "restock").stock.reset();
         },
         "error events.pay.short.to: after a `pay` without its stock, `restock` leads from "
         "`backorder` to `paid`"},
        {"slot_as_if_it_had_it",
         [](Definition& f) {
             f = rooms();
             first(f, "pay").taken->to = "shipped";
         },
         "error events.pay.taken.to: `shipped` has its slot wherever it came from, and `pay` leads "
         "there without; name a state of its own for what has no slot"},
    };
}

class BranchRows : public testing::TestWithParam<Row> {};

TEST_P(BranchRows, SaysWhereAndWhatToWriteInstead) { expect_said(whole_order(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Branches, BranchRows, testing::ValuesIn(branch_rows()), kRowName);

TEST(CheckBranches, WhatWaitsForItsGoodsTakesThemLater) {
    EXPECT_THAT(said(backorders()), IsEmpty());
}

TEST(CheckBranches, WhatIsGivenBackIsNoneThatHasIt) {
    Definition flow = backorders();
    flow.states.push_back({"refunding", false, {}, {compensated("pay"), ignored("deliver")}});
    first(flow, "refund").from = {"paid"};
    first(flow, "refund").to = "refunding";
    flow.events.push_back(event("settled", {"refunding"}, "cancelled"));
    std::erase_if(flow.events, [](const EventRule& one) { return one.name == "restock"; });
    std::erase_if(flow.states, [](const StateRule& one) { return one.name == "backorder"; });
    first(flow, "pay").short_of = Branch{"refunding", "refund"};
    flow.deadlines[0].until.back() = "refunding";
    EXPECT_THAT(said(flow), IsEmpty());
    first(flow, "refund").stock.reset();
    EXPECT_THAT(said(flow), IsEmpty()) << "the money goes back by what undoes a payment";
}

TEST(CheckBranches, ASlotThatIsFreeAgainIsHadNoMore) {
    Definition flow = rooms();
    EXPECT_THAT(said(flow), IsEmpty());
    first(flow, "pay").taken->to = "shipped";
    flow.deadlines[0].until.emplace_back("shipped");
    first(flow, "pay").exclusive->while_in = {"paid"};
    EXPECT_THAT(said(flow), IsEmpty()) << "whoever is `shipped` holds no room";
}

}  // namespace
}  // namespace pawl::flow
