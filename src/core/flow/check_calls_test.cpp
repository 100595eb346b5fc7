// SPDX-License-Identifier: Apache-2.0
// What probes and sagas call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

std::vector<Row> call_rows() {
    return {
        {"probe_call", [](Definition& f) { f.probes[0].call = "http://pay"; },
         "error probes.probe_payment.call: `http://pay` is not a method and an address"},
        {"probe_name", [](Definition& f) { f.probes[0].call = "GET http://pay/{order_no}"; },
         "error probes.probe_payment.call: nothing tells what `{order_no}` is"},
        {"saga_name", [](Definition& f) { f.sagas[0].call += "/{amount}/{transaction_id}/{no}"; },
         "error sagas.refund.call: nothing tells what `{no}` is"},
        {"probe_paid", [](Definition& f) { f.probes[0].paid = "paid"; },
         "error probes.probe_payment.paid: `paid` says not what a paid order looks like"},
        {"probe_fact_that_is_not_named", [](Definition& f) { f.probes[0].facts.pop_back(); },
         "error probes.probe_payment.facts: `pay` is known by its `transaction_id`, and "
         "`probe_payment` does not say where the answer has it; write `transaction_id: "
         "$.transaction_id`, where the answer names it"},
        {"probe_gives_up", [](Definition& f) { f.probes[0].give_up = 0ms; },
         "error probes.probe_payment.give_up: the probe gives up before it asks"},
        {"probe_that_changes", [](Definition& f) { f.probes[0].call = "DELETE http://pay/{id}"; },
         "error probes.probe_payment.call: `probe_payment` asks with DELETE, and what asks again "
         "and again may change nothing; write `GET http://"},
        {"probe_that_creates", [](Definition& f) { f.probes[0].call = "POST http://pay/{id}"; },
         "error probes.probe_payment.call: `probe_payment` asks with POST"},
        {"probe_without_an_answer",
         [](Definition& f) { f.probes[0].call = "HEAD http://pay/{id}"; },
         "error probes.probe_payment.call: `probe_payment` asks with HEAD, whose answer holds "
         "nothing"},
        {"probe_about_nobody", [](Definition& f) { f.probes[0].call = "GET http://pay/{flow}"; },
         "error probes.probe_payment.call: `probe_payment` asks the same of every order: nothing "
         "says which one it is; write `{business_key}`, `{id}` or a field"},
        {"probe_about_what_may_be_missing",
         [](Definition& f) {
             f.fields.push_back({"till", FieldType::text, false});
             f.probes[0].call = "GET http://pay/{till}";
         },
         "error probes.probe_payment.call: `probe_payment` asks the same of every order"},
        {"saga_call", [](Definition& f) { f.sagas[0].call = "FETCH http://pay/refunds"; },
         "error sagas.refund.call: `FETCH http://pay/refunds` is not a method and an address"},
        {"saga_nothing", [](Definition& f) { f.sagas[0].call.clear(); },
         "error sagas.refund: a saga is one call or several steps"},
        {"saga_both",
         [](Definition& f) { f.sagas[0].steps = {{"bill", "POST http://bill/new", ""}}; },
         "error sagas.refund: a saga is one call or several steps"},
        {"saga_without_key", [](Definition& f) { f.sagas[0].key.clear(); },
         "error sagas.refund.key: nothing tells one run of this saga from another"},
        {"saga_step",
         [](Definition& f) { f.sagas.push_back({"ready", "", {"id"}, {{"bill", "bill", ""}}}); },
         "error sagas.ready.steps: `bill` is not a method and an address"},
    };
}

class CallRows : public testing::TestWithParam<Row> {};

TEST_P(CallRows, SaysWhereAndWhatToWriteInstead) { expect_said(whole_order(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Calls, CallRows, testing::ValuesIn(call_rows()), kRowName);

TEST(CheckCalls, AProbeMayAskByAFieldThatEachHas) {
    Definition flow = whole_order();
    flow.fields.push_back({"till", FieldType::text});
    flow.probes[0].call = "GET http://pay/{till}";
    EXPECT_THAT(said(flow), testing::IsEmpty());
}

}  // namespace
}  // namespace pawl::flow
