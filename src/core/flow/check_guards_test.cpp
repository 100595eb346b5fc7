// SPDX-License-Identifier: Apache-2.0
// Conditions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

std::vector<Row> guard_rows() {
    const auto guard = [](Guard one) {
        return [one](Definition& f) { first(f, "pay").require = {one}; };
    };
    using enum Guard::Kind;
    return {
        {"undeclared", guard({"tip", present, {}}),
         "error events.pay.require.tip: `tip` is not a field"},
        {"same_of_nothing", guard({"provider", same, {}}),
         "error events.pay.require.provider: entities have no `provider`"},
        {"same_with_value", guard({"amount", same, {"1"}}),
         "error events.pay.require.amount: `same` with 1 values; write `amount: same`"},
        {"equals_nothing", guard({"amount", equals, {}}),
         "error events.pay.require.amount: `equals` with 0 values; write `amount: { equals: VALUE "
         "}`"},
        {"one_of_nothing", guard({"amount", one_of, {}}),
         "error events.pay.require.amount: `one_of` with 0 values"},
        {"no_order", guard({"currency", at_most, {"EUR"}}),
         "error events.pay.require.currency: `currency` is of type text, which has no order"},
        {"no_range", guard({"amount", between, {"1"}}),
         "error events.pay.require.amount: `between` with 1 values; write `amount: { at_least: A, "
         "at_most: B }`"},
        {"no_order_to_range_over", guard({"currency", between, {"A", "Z"}}),
         "error events.pay.require.currency: `currency` is of type text, which has no order"},
        {"empty_range", guard({"amount", between, {"500", "1"}}),
         "error events.pay.require.amount: nothing is `500` at least and `1` at most; write "
         "`amount: { at_least: LESS, at_most: MORE }`"},
        {"range_of_two_currencies", guard({"amount", between, {"1 EUR", "5 USD"}}),
         "error events.pay.require.amount: nothing is `1 EUR` at least and `5 USD` at most"},
        {"wrong_value", guard({"amount", at_most, {"much"}}),
         "error events.pay.require.amount: `much`: not an amount"},
        {"owner_is_text", guard({"amount", owner, {}}),
         "error events.pay.require.amount: `amount` is of type money, a caller's name is text"},
        {"same_at_creation",
         [](Definition& f) { f.create.transitions[0].require = {{"amount", same, {}}}; },
         "error create.require.amount: at creation there is nothing to be the same as"},
    };
}

class GuardRows : public testing::TestWithParam<Row> {};

TEST_P(GuardRows, SaysWhereAndWhatToWriteInstead) { expect_said(whole_order(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Guards, GuardRows, testing::ValuesIn(guard_rows()), kRowName);

}  // namespace
}  // namespace pawl::flow
