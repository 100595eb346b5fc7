// SPDX-License-Identifier: Apache-2.0
// Orders that no payment can ever match are not created.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/callback/amount.hpp"
#include "core/flow/world_fixture.hpp"

namespace pawl::flow {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// What providers' amounts may be, and what is created for them, are one bound.
static_assert(callback::kAmountUnitsMax == 999'999'999'999'999 && kPaidDigitsMax == 15);
static_assert(callback::kAmountDecimalsMax == kPaidDecimalsMax);

Definition shop_flow() {
    Definition flow = order_flow();
    named(flow.events, "pay").transitions[0].require = {{"amount", Guard::Kind::same, {}},
                                                        {"currency", Guard::Kind::same, {}}};
    return flow;
}

std::string created(const std::string& amount, const std::string& currency = "EUR",
                    Definition flow = shop_flow()) {
    World world(std::move(flow));
    Event event = new_order();
    event.values["amount"] = amount;
    event.values["currency"] = currency;
    const std::string told = world.create(event);
    if (told != "created created") EXPECT_THAT(world.entities, IsEmpty());
    return told;
}

TEST(Usable, IsMoneyThatAPaymentCanBeTheSameAs) {
    for (const auto* amount : {"0", "0.00", "-0", "12.5", "012.50", "0.000001", "999999999999999",
                               "999999999.999999", "999999999999999.000000000"})
        EXPECT_EQ(created(amount), "created created") << amount;
    for (const auto* amount : {"-7", "-0.01", "0.0000001", "9999999999999990", "9007199254740993",
                               "1000000000.0000001", "12.50 USD", "12.50 EUR"})
        EXPECT_EQ(created(amount), "refused field_invalid") << amount;
}

TEST(Usable, IsACurrencyAsPaymentsWriteIt) {
    for (const auto* currency : {"eur", "EURO", "EU", "", "E R"})
        EXPECT_EQ(created("12.50", currency), "refused field_invalid") << currency;
    EXPECT_EQ(created("12.50", "USD"), "created created");
}

// Without a field for it, money carries its currency; and what no payment is compared with is the user's own.
TEST(Usable, BindsOnlyWhatAPaymentHasToBeTheSameAs) {
    Definition plain = order_flow();
    std::erase_if(plain.fields, [](const Field& one) { return one.name == "currency"; });
    World world(plain);
    Event event{.values = {{"amount", "12.50 EUR"}}, .items = {{sku("A"), 1}}, .caller = "ann"};
    EXPECT_EQ(world.create(event), "created created");
    Definition free = order_flow();
    named(free.events, "pay").transitions[0].require.clear();
    EXPECT_EQ(created("-12.50 USD", "whatever", free), "created created");
}

TEST(Usable, TheRefusalSaysWhatToWrite) {
    const Machine machine = Machine::compile(shop_flow()).value();
    const auto text = [&](const std::string& amount) {
        Event event = new_order();
        event.name = "create";
        event.values["amount"] = amount;
        return std::get<Refusal>(create(machine, {"1", "t", "B1"}, event)).text;
    };
    EXPECT_EQ(text("-7"), "`amount` is -7, and a payment is never below zero");
    EXPECT_EQ(text("12.50 USD"),
              "`amount` is 12.50 USD: write 12.50, and the currency in `currency`");
    EXPECT_THAT(text("0.0000001"), HasSubstr("15 digits at most, 6 of them behind the point"));
}

TEST(Usable, IsWhatAnEventSetsToo) {
    Definition flow = shop_flow();
    EventRule reprice = event("reprice", {"created"}, "same");
    reprice.set = {"amount"};
    flow.events.push_back(reprice);
    World world(flow);
    world.create(new_order());
    const auto repriced = [&](const char* amount) {
        return world.send({.name = "reprice", .values = {{"amount", amount}}, .caller = "ann"});
    };
    EXPECT_EQ(repriced("-7"), "refused field_invalid");
    EXPECT_EQ(repriced("20"), "applied created");
    EXPECT_EQ(world.entity().fields.at("amount").text, "20");
}

}  // namespace
}  // namespace pawl::flow
