// SPDX-License-Identifier: Apache-2.0
// Unique values that come again: as the same request, with something else beside them, to another entity.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/world_fixture.hpp"

namespace pawl::flow {
namespace {

using testing::HasSubstr;
using testing::Not;

Definition coupon_flow() {
    Definition flow;
    flow.name = "coupon";
    flow.initial = "issued";
    flow.fields = {{"code", FieldType::text}, {"worth", FieldType::money}};
    flow.create.unique = {{{"code"}, {}}};
    flow.create.transitions[0].to = "issued";
    flow.states = {{"issued", false, {}, {}}, {"redeemed", false, {}, {}}, {"void", true, {}, {}}};
    EventRule redeem = event("redeem", {"issued"}, "redeemed");
    redeem.fields = {
        {"order", FieldType::text}, {"total", FieldType::money}, {"note", FieldType::text, false}};
    redeem.unique = {{{"order"}, {"redeemed"}}};
    flow.events = {redeem, event("give_back", {"redeemed"}, "issued"),
                   event("revoke", {"issued", "redeemed"}, "void")};
    return flow;
}

Event coupon(std::string code, std::string worth = "5.00", std::string caller = "ann") {
    return {.values = {{"code", std::move(code)}, {"worth", std::move(worth)}},
            .caller = std::move(caller)};
}

Event redeem(std::string order, std::string total = "12.50", std::string caller = "ann") {
    return {.name = "redeem",
            .values = {{"order", std::move(order)}, {"total", std::move(total)}},
            .caller = std::move(caller)};
}

World coupons() {
    World world(coupon_flow());
    world.create(coupon("SPRING"), "1");
    world.create(coupon("SUMMER"), "2");
    return world;
}

TEST(Repeat, OfTheSameValuesGetsTheFirstResult) {
    World world = coupons();
    ASSERT_EQ(world.send(redeem("o-1")), "applied redeemed");
    EXPECT_EQ(world.send(redeem("o-1")), "repeat 2");
    EXPECT_EQ(world.send(redeem("o-1", "12.5")), "repeat 2") << "the same amount";
    EXPECT_EQ(world.create(coupon("SPRING", "5"), "3", "B1"), "repeat 1");
}

TEST(Repeat, WithOtherValuesIsRefusedAndNamesWhatIsOther) {
    World world = coupons();
    world.send(redeem("o-1"));
    ASSERT_EQ(world.send(redeem("o-1", "99")), "refused duplicate_request");
    EXPECT_EQ(world.refused.back().text, "it took effect before, with another `total`");
    EXPECT_EQ(world.refused.back().winner, (Holder{"1", 2, {}, kStart}));
    EXPECT_EQ(world.refused.back().judged_on, 2U);
    EXPECT_EQ(world.refused.back().state, "redeemed");
    EXPECT_EQ(world.entity().version, 2U);
}

TEST(Repeat, ThatSaysMoreOrLessIsAnother) {
    World world = coupons();
    Event noted = redeem("o-1");
    noted.values["note"] = "gift";
    world.send(redeem("o-1"));
    EXPECT_EQ(world.send(noted), "refused duplicate_request");
    EXPECT_THAT(world.refused.back().text, HasSubstr("another `note`"));
    World other = coupons();
    other.send(noted);
    EXPECT_EQ(other.send(redeem("o-1")), "refused duplicate_request");
    EXPECT_EQ(other.refused.back().text, "it took effect before, with another `note`")
        << "what the first one said is not told";
}

// The order has one coupon: another one would be told of a success that was not its own.
TEST(Repeat, AtAnotherEntityIsRefusedAndNamesTheHolder) {
    World world = coupons();
    world.send(redeem("o-1"), "1");
    EXPECT_EQ(world.send(redeem("o-1"), "2"), "refused duplicate_request");
    EXPECT_EQ(world.entity("2").state, "issued");
    const Holder holder{"1", 2, "ann", kStart};
    const auto refusal = std::get<Refusal>(transition(
        world.machine, world.entity("2"), redeem("o-1"), {.fact_taken = holder, .may_read = true}));
    EXPECT_EQ(refusal.text, "its unique values belong to 1");
    EXPECT_EQ(refusal.winner, holder);
    EXPECT_EQ(refusal.judged_on, 1U);
    world.send("give_back", "1");
    EXPECT_EQ(world.send(redeem("o-1"), "2"), "applied redeemed") << "it is free again";
}

TEST(Repeat, OfSomebodyElseLearnsNotEvenWhatIsOther) {
    World world = coupons();
    world.send(redeem("o-1"));
    for (const char* total : {"12.50", "99"}) {
        const auto refusal = std::get<Refusal>(
            transition(world.machine, world.entity(), redeem("o-1", total, "bob")));
        EXPECT_EQ(refusal.text, "somebody else sent it first");
        EXPECT_EQ(world.send(redeem("o-1", total, "bob")), "refused duplicate_request");
    }
    EXPECT_EQ(world.create(coupon("SPRING", "9", "bob"), "3"), "refused duplicate_request");
    EXPECT_TRUE(world.refused.empty()) << "nothing was compared";
}

TEST(Repeat, OfACreationHasTheSameFieldsItemsAndBusinessKey) {
    Definition flow = order_flow();
    flow.fields.push_back({"cart", FieldType::text});
    flow.create.unique = {{{"cart"}, {}}};
    World world(flow);
    world.levels[sku("A")] = {10, 0, 0};
    const auto order = [](std::vector<stock::Line> items, std::string amount = "12.50") {
        Event event = new_order(std::move(items));
        event.values["cart"] = "c-1";
        event.values["amount"] = std::move(amount);
        return event;
    };
    ASSERT_EQ(world.create(order({{sku("A"), 2}, {sku("B"), 1}})), "created created");
    EXPECT_EQ(world.create(order({{sku("B"), 1}, {sku("A"), 1}, {sku("A"), 1}}), "2", "B1"),
              "repeat 1")
        << "the same lines";
    const auto other = [&](Event event, std::string key, std::string name) {
        EXPECT_EQ(world.create(std::move(event), "2", std::move(key)), "refused duplicate_request");
        ASSERT_FALSE(world.refused.empty());
        EXPECT_EQ(world.refused.back().text, "it took effect before, with another " + name);
        world.refused.clear();
    };
    other(order({{sku("A"), 3}, {sku("B"), 1}}), "B1", "`items`");
    other(order({{sku("A"), 2}}), "B1", "`items`");
    other(order({{sku("A"), 2}, {sku("B"), 1}}), "B2", "`business_key`");
    other(order({{sku("A"), 2}}, "9"), "B2", "`amount`, `items` and `business_key`");
    EXPECT_EQ(world.entities.size(), 1U);
}

TEST(Repeat, OfAnEventMovesTheSameItems) {
    Definition flow = order_flow();
    EventRule back = event("take_back", {"paid"}, "same");
    back.fields = {{"number", FieldType::text}};
    back.unique = {{{"number"}, {}}};
    back.transitions[0].stock = stock::Action::return_sold;
    flow.events.push_back(back);
    World world(flow);
    world.levels[sku("A")] = {10, 0, 0};
    world.create(new_order({{sku("A"), 3}}));
    world.send(payment("T1"));
    const auto taken_back = [&](std::vector<stock::Line> items) {
        return world.send({.name = "take_back",
                           .values = {{"number", "r-1"}},
                           .items = std::move(items),
                           .caller = "ann"});
    };
    ASSERT_EQ(taken_back({{sku("A"), 1}}), "applied paid");
    EXPECT_EQ(taken_back({{sku("A"), 1}}), "repeat 3");
    EXPECT_EQ(taken_back({{sku("A"), 2}}), "refused duplicate_request");
    EXPECT_EQ(world.refused.back().text, "it took effect before, with another `items`");
    EXPECT_EQ(world.levels[sku("A")].sold, 2);
}

// Of an event without an action they move nothing, and are not written down.
TEST(Repeat, ItemsThatNothingMovesAreNotCompared) {
    Definition flow = order_flow();
    named(flow.events, "begin_payment").fields = {{"number", FieldType::text}};
    named(flow.events, "begin_payment").unique = {{{"number"}, {}}};
    World world(flow);
    world.create(new_order());
    const Event begin{.name = "begin_payment",
                      .values = {{"number", "1"}},
                      .items = {{sku("A"), 1}},
                      .caller = "ann"};
    ASSERT_EQ(world.send(begin), "applied paying");
    EXPECT_EQ(world.send(begin), "repeat 2");
}

TEST(Repeat, OfWhatWentWithItsEntityIsToldThatItWas) {
    const World world = coupons();
    const Event again = coupon("SPRING");
    const auto refusal = refuse_unlike({world.machine, again}, {"1", 1}, nullptr);
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->reason, Reason::duplicate_request);
    EXPECT_THAT(refusal->text, HasSubstr("not kept any more"));
}

// A flow file that was changed meanwhile takes no field any more that the first one had.
TEST(Repeat, IsNotAskedForAFieldThatTheFlowHasNoMore) {
    World world = coupons();
    First first{world.history.at(0).second, {}, "B1", {}};
    first.history.values["colour"] = "red";
    const Event again = coupon("SPRING");
    EXPECT_FALSE(refuse_unlike({world.machine, again, nullptr, "B1"}, {"1", 1}, &first));
    first.history.values["worth"] = "6.00";
    const auto refusal = refuse_unlike({world.machine, again, nullptr, "B1"}, {"1", 1}, &first);
    ASSERT_TRUE(refusal);
    EXPECT_THAT(refusal->text, Not(HasSubstr("colour")));
}

TEST(Repeat, OfAFactIsOneWhateverItSaysBeside) {
    World world = order_world();
    world.send(payment("T1"));
    EXPECT_EQ(world.send(payment("T1", "99")), "repeat 2") << "its money is there";
    EXPECT_TRUE(world.refused.empty());
}

}  // namespace
}  // namespace pawl::flow
