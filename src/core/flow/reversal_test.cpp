// SPDX-License-Identifier: Apache-2.0
// A refund that a provider reports takes back one payment: the entity's own leads it on, any other changes nothing.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check.hpp"
#include "core/flow/world_fixture.hpp"

namespace pawl::flow {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<Guard> kTheSame{{"amount", Guard::Kind::same, {}},
                                  {"currency", Guard::Kind::same, {}}};

// A payment that may be refunded, the refund being reported.
Definition payment_flow() {
    Definition flow;
    flow.name = "payment";
    flow.initial = "open";
    flow.fields = {{"amount", FieldType::money}, {"currency", FieldType::text}};
    flow.correlate = Correlate{"out_trade_no", "business_key"};
    flow.states = {{"open", false, {}, {}},
                   {"paid", false, {}, {compensated("pay")}},
                   {"refunded", true, {}, {compensated("pay"), ignored("refunded")}}};
    EventRule pay = event("pay", {"open"}, "paid");
    pay.external = true;
    pay.unique = {{{"provider", "transaction_id"}, {}}};
    pay.transitions[0].require = kTheSame;
    EventRule refunded = event("refunded", {"paid"}, "refunded");
    refunded.external = true;
    refunded.early = Early::park;
    refunded.reverses = "pay";
    refunded.unique = {{{"provider", "transaction_id", "refund_number"}, {}}};
    refunded.transitions[0].require = kTheSame;
    flow.events = {pay, refunded};
    flow.sagas = {{"refund", "POST http://pay/refunds", {"provider", "transaction_id"}, {}}};
    flow.create.transitions[0].to = flow.initial;
    return flow;
}

const Event kAsked{.values = {{"amount", "12.50"}, {"currency", "EUR"}}, .caller = "ann"};

World open_payment() {
    World world(payment_flow());
    world.create(kAsked);
    return world;
}

Event paid_with(std::string transaction, std::string amount = "12.50") {
    Event event = payment(std::move(transaction), std::move(amount));
    event.values["currency"] = "EUR";
    return event;
}

Event refund_of(std::string transaction, std::string amount = "12.50") {
    Event event = paid_with(std::move(transaction), std::move(amount));
    event.name = "refunded";
    event.values["refund_number"] = "R" + event.values["transaction_id"];
    return event;
}

TEST(Reversal, OfItsOwnPaymentLeadsOn) {
    World world = open_payment();
    world.send(paid_with("T1"));
    EXPECT_EQ(world.send(refund_of("T1")), "applied refunded");
    EXPECT_EQ(world.send(refund_of("T1")), "repeat 3");
    EXPECT_THAT(world.attention, IsEmpty());
}

// T2 came late and was refunded; T1's money is still there.
TEST(Reversal, OfASecondPaymentThatWasCompensatedIsIgnored) {
    World world = open_payment();
    world.send(paid_with("T1"));
    EXPECT_EQ(world.send(paid_with("T2")), "compensated paid");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(world.send(refund_of("T2")), "ignored");
    EXPECT_EQ(world.entity().state, "paid");
    EXPECT_THAT(world.attention, IsEmpty());
    EXPECT_EQ(world.send(refund_of("T1")), "applied refunded");
}

TEST(Reversal, OfMoneyThatNobodyToldOfIsForAPerson) {
    World world = open_payment();
    world.send(paid_with("T1"));
    EXPECT_EQ(world.send(refund_of("T7")), "attention");
    EXPECT_EQ(world.entity().state, "paid");
    ASSERT_EQ(world.attention.size(), 1U);
    EXPECT_THAT(world.attention[0].reason, HasSubstr("T7"));
}

TEST(Reversal, OfAnotherEntitysPaymentIsForAPersonAndNamesIt) {
    World world = open_payment();
    world.create(kAsked, "2");
    world.send(paid_with("T1"));
    world.send(paid_with("T2"), "2");
    EXPECT_EQ(world.send(refund_of("T2")), "attention");
    EXPECT_EQ(world.entity("1").state, "paid");
    EXPECT_EQ(world.entity("2").state, "paid");
    ASSERT_EQ(world.attention.size(), 1U);
    EXPECT_THAT(world.attention[0].reason, HasSubstr("of 2"));
}

TEST(Reversal, ThatWaitedForThePaymentIsComparedWithTheOneThatCame) {
    World own = open_payment();
    EXPECT_EQ(own.send(refund_of("T1")), "parked");
    own.send(paid_with("T1"));
    EXPECT_EQ(own.entity().state, "refunded");
    World other = open_payment();
    EXPECT_EQ(other.send(refund_of("T2")), "parked");
    other.send(paid_with("T1"));
    EXPECT_EQ(other.entity().state, "paid");
    EXPECT_EQ(other.attention.size(), 1U);
    EXPECT_THAT(other.waiting, IsEmpty());
}

TEST(Reversal, ThatSaysNotOfWhichPaymentIsNotOfItsOwn) {
    World world = open_payment();
    world.send(paid_with("T1"));
    Event nameless = refund_of("T1");
    nameless.values.erase("transaction_id");
    EXPECT_EQ(world.send(nameless), "attention");
    EXPECT_EQ(world.entity().state, "paid");
}

// Judged before the second payment came, committed after it.
TEST(Reversal, IsJudgedByWhatIsThereWhenItIsCommitted) {
    World world = open_payment();
    world.send(paid_with("T1"));
    world.before_commit = [&] { world.send(paid_with("T2")); };
    EXPECT_EQ(world.send(refund_of("T2")), "ignored");
    EXPECT_THAT(world.attention, IsEmpty());
}

TEST(Reversal, OfAPartIsForAPerson) {
    World world = open_payment();
    world.send(paid_with("T1"));
    EXPECT_EQ(world.send(refund_of("T1", "5")), "attention");
    EXPECT_EQ(world.entity().state, "paid");
}

std::vector<std::string> found(const Definition& flow) {
    std::vector<std::string> texts;
    for (const Finding& one : check(flow)) texts.push_back(one.path + ": " + one.what);
    return texts;
}

TEST(Reversal, OfWhatCannotBeToldApartIsRefusedAtLoad) {
    EXPECT_THAT(found(payment_flow()), IsEmpty());
    Definition flow = payment_flow();
    named(flow.events, "refunded").reverses = "paid";
    EXPECT_THAT(found(flow), ElementsAre(HasSubstr("`paid` is not another event")));
    flow = payment_flow();
    named(flow.events, "pay").unique.clear();
    EXPECT_THAT(found(flow), ElementsAre(HasSubstr("nothing tells one `pay` from another")));
    flow = payment_flow();
    named(flow.events, "pay").fields = {{"try", FieldType::text}};
    named(flow.events, "pay").unique[0].fields.emplace_back("try");
    EXPECT_THAT(found(flow), ElementsAre(HasSubstr("carries no `try`")));
    flow = payment_flow();
    flow.events.push_back(event("again", {"paid"}, "open"));
    EXPECT_THAT(found(flow), ElementsAre(HasSubstr("can take effect more than once")));
}

TEST(Reversal, MoneyThatAProbeMayFindIsTakenOrGivenBackThere) {
    Definition flow = payment_flow();
    flow.probes = {{.name = "look",
                    .call = "GET http://pay/orders/{business_key}",
                    .paid = "$.paid == true",
                    .facts = {{"provider", "$.provider"}, {"transaction_id", "$.transaction_id"}}}};
    flow.states.push_back({"gone", true, {}, {compensated("pay"), ignored("refunded")}});
    EventRule drop = event("drop", {"open", "paid"}, "gone");
    drop.transitions[0].before = "look";
    flow.events.push_back(drop);
    EXPECT_THAT(found(flow), IsEmpty());
    named(flow.states, "paid").late = {ignored("pay")};
    EXPECT_THAT(found(flow), Contains(HasSubstr("`look` may find `pay` in `paid`")));
}

TEST(Reversal, AnEventThatNamesAPaymentAndTakesNothingBackIsWarnedOf) {
    Definition flow = payment_flow();
    named(flow.events, "refunded").reverses.clear();
    EXPECT_THAT(found(flow), ElementsAre(HasSubstr("may be about another `pay`")));
}

}  // namespace
}  // namespace pawl::flow
