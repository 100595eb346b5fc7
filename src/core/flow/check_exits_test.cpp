// SPDX-License-Identifier: Apache-2.0
// Out of every state leads what somebody can send.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// `paid` is left by what the provider says alone.
Definition delivered_from_paid() {
    Definition flow = whole_order();
    std::erase_if(flow.events, [](const EventRule& one) { return one.name == "ship"; });
    std::erase_if(flow.events, [](const EventRule& one) { return one.name == "close"; });
    std::erase_if(flow.states, [](const StateRule& one) { return one.name == "shipped"; });
    first(flow, "deliver").from = {"paid"};
    return flow;
}

TEST(CheckExits, ByWhatNotificationsTellNeedThemToFindTheEntity) {
    Definition flow = delivered_from_paid();
    EXPECT_THAT(said(flow), testing::IsEmpty());
    flow.correlate.reset();
    EXPECT_THAT(said(flow),
                Contains("error states.paid: only `deliver` leaves `paid`; notifications tell it, "
                         "and none finds its entity; write `correlate: { callback: out_trade_no, "
                         "field: business_key }`, or `allow: [anyone]` at `events.deliver`"));
    named(flow.events, "deliver").allow = {"role courier"};
    EXPECT_THAT(said(flow), Not(Contains(HasSubstr("leaves `paid`"))));
}

TEST(CheckExits, ByWhatAProbeFindsNeedNoNotification) {
    Definition flow = delivered_from_paid();
    flow.correlate.reset();
    flow.probes.push_back({.name = "look",
                           .call = "GET http://courier/{id}",
                           .paid = "$.state == done",
                           .event = "deliver"});
    first(flow, "escalate").before = "look";
    EXPECT_THAT(said(flow), Not(Contains(HasSubstr("leaves `paid`"))));
}

TEST(CheckExits, OfWhichNobodyCanSendAnyAreNamed) {
    Definition flow = delivered_from_paid();
    flow.correlate.reset();
    named(flow.states, "created").deadline->event = "lose";
    flow.events.push_back(event("lose", {"created", "paid"}, "cancelled"));
    EXPECT_THAT(said(flow), Contains(HasSubstr("error states.paid: only `deliver`, `lose` leave "
                                               "`paid`, and nobody can send them: of `deliver`, "
                                               "notifications tell it")));
}

// `created` is left by a deadline of the whole order alone, which has ended when the order comes back.
TEST(CheckExits, ByADeadlineThatMayHaveEndedIsNone) {
    Definition flow = whole_order();
    for (const char* name : {"begin_payment", "pay", "cancel"})
        std::erase(first(flow, name).from, "created");
    first(flow, "begin_payment").from = {"paying"};
    first(flow, "begin_payment").to = "reserved";
    named(flow.events, "pay").early = Early::park;
    flow.events.push_back(event("lapse", {"created"}, "paying"));
    flow.deadlines[0].rule.event = "lapse";
    named(flow.states, "created").deadline.reset();
    std::erase(first(flow, "expire").from, "created");
    const auto stuck = Contains(
        HasSubstr("error states.created: only `lapse` leaves `created`; deadlines send it, and "
                  "`unpaid` may have ended before; write `created: { deadline: { after: 1h, "
                  "event: lapse } }`, or `allow: [anyone]` at `events.lapse`"));
    EXPECT_THAT(said(flow), Not(stuck));
    flow.events.push_back(event("reopen", {"paying"}, "created"));
    EXPECT_THAT(said(flow), stuck);
}

}  // namespace
}  // namespace pawl::flow
