// SPDX-License-Identifier: Apache-2.0
// A provider's fact reaches a flow under the names that flows know.
#include <gtest/gtest.h>

#include "core/callback/fact.hpp"
#include "core/flow/definition.hpp"

namespace pawl::callback {
namespace {

using Values = std::map<std::string, std::string, std::less<>>;

TEST(NamedValues, AreAllThatAFlowKnowsOfAFact) {
    const Fact fact{
        FactKind::refunded, "o", "t", "r", Amount::in_decimal("12.50", "eur"), false, "m", "a"};
    const Values values = named_values(Provider::wechat, "shop", fact);
    EXPECT_EQ(values, (Values{{"provider", "wechat"},
                              {"account", "shop"},
                              {"out_trade_no", "o"},
                              {"transaction_id", "t"},
                              {"kind", "refunded"},
                              {"refund_number", "r"},
                              {"amount", "12.50"},
                              {"currency", "EUR"},
                              {"merchant", "m"},
                              {"app", "a"}}));
    for (const std::string_view name : flow::kFacts) EXPECT_TRUE(values.contains(name)) << name;
}

TEST(NamedValues, LeaveOutWhatIsNotSaid) {
    const Fact closed{FactKind::closed, "o", "t", {}, {}, false, {}, {}};
    EXPECT_EQ(named_values(Provider::stripe, "shop", closed), (Values{{"provider", "stripe"},
                                                                      {"account", "shop"},
                                                                      {"out_trade_no", "o"},
                                                                      {"transaction_id", "t"},
                                                                      {"kind", "closed"}}));
}

// Alipay's refunds: a guard on `amount` does not take a sum for the refund's own.
TEST(NamedValues, ASumIsNoAmount) {
    const Fact sum{FactKind::refunded, "o", "t", "r", Amount::in_decimal("1", "CNY"), true, {}, {}};
    const Values values = named_values(Provider::alipay, "shop", sum);
    EXPECT_FALSE(values.contains("amount"));
    EXPECT_EQ(values.at("amount_so_far"), "1.00");
}

}  // namespace
}  // namespace pawl::callback
