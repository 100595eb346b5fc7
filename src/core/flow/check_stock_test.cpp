// SPDX-License-Identifier: Apache-2.0
// Stock and slots.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

Definition slotted() {
    Definition flow = whole_order();
    flow.fields.push_back({"room", FieldType::text});
    flow.fields.push_back({"start", FieldType::time});
    flow.fields.push_back({"end", FieldType::time});
    first(flow, "reserve").exclusive = ExclusiveRule{"room", "start", "end", {"reserved", "paid"}};
    return flow;
}

std::vector<Row> stock_rows() {
    return {
        {"no_items", [](Definition& f) { f.items = false; },
         "error events.reserve.stock: the flow has no lines whose stock could move; write `items: "
         "true`"},
        {"fact_without_short", [](Definition& f) { first(f, "pay").short_of.reset(); },
         "error events.pay: `pay` reports a fact, and says not what to do when the stock is short"},
        {"short_without_stock",
         [](Definition& f) { first(f, "ship").short_of = Branch{"paid", ""}; },
         "error events.ship.short: `short` stands beside `stock: reserve`"},
        {"taken_without_slot", [](Definition& f) { first(f, "ship").taken = Branch{"paid", ""}; },
         "error events.ship.taken: `taken` stands beside `exclusive` only"},
        {"short_creation",
         [](Definition& f) {
             f.create.transitions[0].stock = stock::Action::reserve;
             f.create.transitions[0].short_of = Branch{"cancelled", ""};
         },
         "error create.short: a creation without stock is refused and leaves no entity"},
        {"taken_creation",
         [](Definition& f) { f.create.transitions[0].taken = Branch{"cancelled", ""}; },
         "error create.taken: a creation without its slot is refused"},
        {"reserved_for_ever", [](Definition& f) { first(f, "cancel").stock.reset(); },
         "warning events.cancel: `cancel` ends the entity, and what is still reserved goes back; "
         "write "
         "`stock: "
         "release`"},
        {"slot_of_a_fact",
         [](Definition& f) {
             f = slotted();
             first(f, "pay").exclusive = first(f, "reserve").exclusive;
         },
         "error events.pay: `pay` reports a fact, and says not what to do when the slot is taken"},
        {"slot_without_states",
         [](Definition& f) {
             f = slotted();
             first(f, "reserve").exclusive->while_in.clear();
         },
         "error events.reserve.exclusive: `exclusive` says not in which states"},
        {"slot_not_a_time",
         [](Definition& f) {
             f = slotted();
             first(f, "reserve").exclusive->to = "room";
         },
         "error events.reserve.exclusive.to: `room` is not a time; write `fields: { room: time }`"},
        {"slot_undeclared",
         [](Definition& f) {
             f = slotted();
             first(f, "reserve").exclusive->resource = "table";
         },
         "error events.reserve.exclusive.resource: `table` is not a field"},
    };
}

class StockRows : public testing::TestWithParam<Row> {};

TEST_P(StockRows, SaysWhereAndWhatToWriteInstead) { expect_said(whole_order(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Stock, StockRows, testing::ValuesIn(stock_rows()), kRowName);

}  // namespace
}  // namespace pawl::flow
