// SPDX-License-Identifier: Apache-2.0
// What is said of a flow that could keep money, or give back the wrong one. Each row: one change to a flow that has no
// finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// With a way back for what was paid.
Definition shop() {
    Definition flow = whole_order();
    EventRule refund = event("refund", {"paid", "shipped"}, "cancelled");
    refund.transitions[0].stock = stock::Action::return_sold;
    refund.transitions[0].saga = "refund";
    flow.events.push_back(refund);
    return flow;
}

// Reports that money went back.
EventRule refunded(Definition& flow) {
    EventRule one = event("refunded", {"shipped"}, "same");
    one.external = true;
    one.early = Early::ignore;
    one.unique = {{{"provider", "transaction_id", "refund_number"}, {}}};
    for (const char* state : {"delivered", "cancelled"})
        named(flow.states, state).late.push_back(ignored("refunded"));
    return one;
}

std::vector<Row> kept_rows() {
    return {
        {"short_keeps_it", [](Definition& f) { first(f, "pay").short_of->saga.clear(); },
         "error events.pay.short: `pay` brings money, and ends in `cancelled` with it: nothing "
         "gives it back; write `short: { to: cancelled, saga: SAGA }`"},
        {"short_waits_for_nothing",
         [](Definition& f) {
             std::erase_if(f.events, [](const EventRule& one) { return one.name == "refund"; });
             first(f, "pay").short_of = Branch{"shipped", ""};
         },
         "warning events.pay.short: `pay` brings money, and nothing that follows `shipped` gives "
         "it back; write `short: { to: shipped, saga: SAGA }`"},
        {"taken_keeps_it",
         [](Definition& f) {
             f.fields.push_back({"room", FieldType::text});
             f.fields.push_back({"start", FieldType::time});
             f.fields.push_back({"end", FieldType::time});
             first(f, "pay").exclusive = ExclusiveRule{"room", "start", "end", {"paid"}};
             first(f, "pay").taken = Branch{"cancelled", ""};
         },
         "error events.pay.taken: `pay` brings money, and ends in `cancelled` with it"},
        {"late_and_ignored",
         [](Definition& f) { named(f.states, "cancelled").late[0] = ignored("pay"); },
         "error states.cancelled.late.pay: `pay` brings money, and ignored it is kept without "
         "anybody knowing; write `late: { pay: SAGA }`, a saga that gives it back"},
        {"early_and_ignored", [](Definition& f) { named(f.events, "pay").early = Early::ignore; },
         "error events.pay.early: `pay` brings money, and ignored it is kept"},
        {"returned_without_it", [](Definition& f) { first(f, "refund").saga.clear(); },
         "warning events.refund: `refund` takes the goods back, and nothing gives the money back; "
         "write `saga: SAGA`"},
    };
}

std::vector<Row> identity_rows() {
    return {
        {"repeats_look_new", [](Definition& f) { named(f.events, "pay").unique.clear(); },
         "error events.pay: `pay` brings money, and nothing tells a payment that is reported twice "
         "from a second one; write `unique: { fields: [provider, account, transaction_id] }`"},
        {"repeats_look_new_later",
         [](Definition& f) { named(f.events, "pay").unique[0].while_in = {"paid"}; },
         "error events.pay: `pay` brings money, and nothing tells"},
        {"second_passes_for_the_first",
         [](Definition& f) { named(f.events, "pay").unique[0].fields = {"provider"}; },
         "error events.pay.unique: two payments of `pay` can have the same `provider`: the second "
         "passes for the first, and is kept; add `transaction_id`"},
        {"second_of_the_order_passes_for_the_first",
         [](Definition& f) {
             named(f.events, "pay").unique[0].fields = {"provider", "amount", "currency"};
         },
         "error events.pay.unique: two payments of `pay` can have the same `provider`, `amount`, "
         "`currency`"},
        {"second_rule_is_too_wide",
         [](Definition& f) { named(f.events, "pay").unique.push_back({{"provider"}, {}}); },
         "error events.pay.unique: two payments of `pay` can have the same `provider`"},
        {"too_wide_for_a_while",
         [](Definition& f) { named(f.events, "pay").unique.push_back({{"account"}, {"paid"}}); },
         "error events.pay.unique: two payments of `pay` can have the same `account`"},
        {"number_that_may_be_missing",
         [](Definition& f) {
             f.probes[0].facts.emplace_back("receipt", "$.receipt");
             named(f.events, "pay").fields = {{"receipt", FieldType::text, false}};
             named(f.events, "pay").unique[0].fields = {"provider", "receipt"};
         },
         "error events.pay.unique: two payments of `pay` can have the same `provider`, `receipt`"},
        {"number_of_the_entity",
         [](Definition& f) {
             f.fields.push_back({"receipt", FieldType::text});
             named(f.events, "pay").unique[0].fields = {"provider", "receipt"};
         },
         "error events.pay.unique: two payments of `pay` can have the same `provider`, `receipt`"},
        {"number_of_any_provider",
         [](Definition& f) { named(f.events, "pay").unique[0].fields = {"transaction_id"}; },
         "warning events.pay.unique: two providers can give payments of `pay` the same number; "
         "write `unique: { fields: [provider, account, transaction_id] }`"},
        {"given_back_without_an_amount",
         [](Definition& f) {
             first(f, "pay").require.clear();
             named(f.events, "pay").unique[0].fields = {"provider"};
         },
         "error events.pay.unique: two payments of `pay` can have the same `provider`"},
    };
}

std::vector<Row> key_rows() {
    return {
        {"saga_of_all",
         [](Definition& f) {
             f.sagas.push_back({"tell", "POST http://till/told", {"currency", "amount"}, {}});
         },
         "error sagas.tell.key: `tell` runs once for all that have the same `currency`, `amount`: "
         "the others get nothing; add `transaction_id`"},
        {"refund_of_all", [](Definition& f) { f.sagas[0].key = {"provider"}; },
         "error sagas.refund.key: `refund` runs once for all that have the same `provider`"},
        {"keyed_by_the_order", [](Definition& f) { f.sagas[0].key = {"business_key"}; },
         "error sagas.refund.key: two payments of `pay` can have the same key of `refund`: the "
         "second is not given back; write `key: [provider, transaction_id]`"},
        {"keyed_by_less", [](Definition& f) { f.sagas[0].key = {"transaction_id"}; },
         "error sagas.refund.key: two payments of `pay` can have the same key"},
        {"keyed_by_what_no_payment_says",
         [](Definition& f) { f.sagas[0].key.push_back("refund_number"); },
         "error sagas.refund.key: `pay` starts `refund` and need not say `refund_number`; name "
         "what"},
        {"keyed_by_what_it_may_leave_out",
         [](Definition& f) {
             f.fields.push_back({"note", FieldType::text, false});
             f.sagas[0].key.push_back("note");
         },
         "error sagas.refund.key: `pay` starts `refund` and need not say `note`"},
        {"request_keyed_by_nothing_told",
         [](Definition& f) {
             f.sagas.push_back({"recall", "POST http://courier/recall", {"refund_number"}, {}});
             first(f, "ship").saga = "recall";
         },
         "error sagas.recall.key: `ship` starts `recall` and need not say `refund_number`"},
    };
}

std::vector<Row> amount_rows() {
    return {
        {"any_amount", [](Definition& f) { first(f, "pay").require.clear(); },
         "warning events.pay: `pay` takes any amount; write `require: { amount: same, currency: "
         "same }`"},
        {"any_currency", [](Definition& f) { first(f, "pay").require.pop_back(); },
         "warning events.pay: `pay` takes the amount in any currency; write `require:"},
        {"no_currency",
         [](Definition& f) {
             first(f, "pay").require.pop_back();
             f.fields.pop_back();
         },
         "warning fields: `pay` compares amounts, and has no `currency`: providers report `12.50 "
         "EUR` then, which is not the same as `12.50`; declare `currency: text`"},
    };
}

class PaymentRows : public testing::TestWithParam<Row> {};

TEST_P(PaymentRows, SaysWhereAndWhatToWriteInstead) { expect_said(shop(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Kept, PaymentRows, testing::ValuesIn(kept_rows()), kRowName);
INSTANTIATE_TEST_SUITE_P(Identity, PaymentRows, testing::ValuesIn(identity_rows()), kRowName);
INSTANTIATE_TEST_SUITE_P(Keys, PaymentRows, testing::ValuesIn(key_rows()), kRowName);
INSTANTIATE_TEST_SUITE_P(Amount, PaymentRows, testing::ValuesIn(amount_rows()), kRowName);

TEST(CheckPayments, TheShopHasNoFinding) { EXPECT_THAT(said(shop()), IsEmpty()); }

TEST(CheckPayments, ShortIsNoLossWhereAnEventCanStillGiveItBack) {
    Definition flow = shop();
    flow.states.push_back({"backorder", false, {}, {compensated("pay")}});
    first(flow, "pay").short_of = Branch{"backorder", ""};
    flow.deadlines[0].until.emplace_back("backorder");
    first(flow, "refund").from.push_back("backorder");
    EventRule restock = event("restock", {"backorder"}, "paid");
    restock.transitions[0].stock = stock::Action::confirm;
    flow.events.push_back(restock);
    EXPECT_THAT(said(flow), IsEmpty());
}

TEST(CheckPayments, ANumberThatTheEventCannotBeWithoutTellsPaymentsApart) {
    Definition flow = shop();
    named(flow.events, "pay").fields = {{"receipt", FieldType::integer}};
    named(flow.events, "pay").unique[0].fields = {"provider", "receipt"};
    flow.sagas[0].key = {"provider", "receipt"};
    flow.probes[0].facts.emplace_back("receipt", "$.receipt");
    EXPECT_THAT(said(flow), IsEmpty());
    // Also where the entity keeps it.
    flow.fields.push_back({"receipt", FieldType::integer, false});
    named(flow.events, "pay").set = {"receipt"};
    EXPECT_THAT(said(flow), IsEmpty());
}

TEST(CheckPayments, AReportOfARefundBringsNone) {
    Definition flow = shop();
    flow.events.push_back(refunded(flow));
    EXPECT_THAT(said(flow), Not(Contains(HasSubstr("brings money")))) << "it has a number";
    flow.events.back().reverses = "pay";
    EXPECT_THAT(said(flow), IsEmpty());
}

TEST(CheckPayments, AFactWithoutAnAmountAndATransactionBringsNone) {
    Definition flow = shop();
    named(flow.events, "deliver").unique = {{{"provider", "kind"}, {}}};
    EXPECT_THAT(said(flow), IsEmpty()) << "`deliver` is ignored where it comes late";
}

TEST(CheckPayments, WhatNamesTheEntityTellsNoPaymentsApart) {
    Definition flow = shop();
    named(flow.events, "pay").unique[0].fields = {"provider", "out_trade_no", "transaction_id"};
    flow.probes[0].facts.emplace_back("out_trade_no", "$.out_trade_no");
    EXPECT_THAT(said(flow), IsEmpty()) << "the refund is keyed without `out_trade_no`";
}

TEST(CheckPayments, ARequestMayStartASagaByWhatAnEarlierFactTold) {
    Definition flow = shop();
    flow.sagas.push_back({"recall", "POST http://courier/recall", {"transaction_id"}, {}});
    first(flow, "ship").saga = "recall";
    EXPECT_THAT(said(flow), IsEmpty());
}

TEST(CheckPayments, AFlowThatTakesNoMoneyIsLeftAlone) {
    Definition flow;
    flow.name = "coupon";
    flow.initial = "issued";
    flow.fields = {{"worth", FieldType::money}};
    flow.states = {{"issued", false, {}, {}}, {"redeemed", true, {}, {}}};
    EventRule redeem = event("redeem", {"issued"}, "redeemed");
    redeem.fields = {{"total", FieldType::money}};
    redeem.transitions[0].require = {{"total", Guard::Kind::at_least, {"10.00"}}};
    flow.events = {redeem};
    flow.create.transitions[0].to = "issued";
    EXPECT_THAT(said(flow), IsEmpty());
}

}  // namespace
}  // namespace pawl::flow
