// SPDX-License-Identifier: Apache-2.0
// What counts from creation, and is met when it has passed or has ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

using std::chrono::milliseconds;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A job that is reminded of after an hour, by its deadline alone.
Definition reminded(milliseconds cap) {
    Definition flow;
    flow.name = "job";
    flow.initial = "open";
    flow.states = {
        state("open", 1h, "remind"), state("late", 30min, "drop"), {"gone", true, {}, {}}};
    flow.states[0].deadline->cap = 1h;
    flow.states[1].deadline->cap = cap;
    flow.events = {event("remind", {"open"}, "late"), event("drop", {"late"}, "gone")};
    flow.create.transitions[0].to = flow.initial;
    return flow;
}

TEST(CheckCaps, ThatHavePassedWhenTheStateIsEnteredAreRefused) {
    EXPECT_THAT(said(reminded(61min)), IsEmpty());
    EXPECT_THAT(
        said(reminded(60min)),
        ElementsAre("error states.late.deadline.cap: `late` is entered 1h after creation at "
                    "the earliest, and `cap: 1h` has passed then: its deadline fires at "
                    "once; write a longer `cap`: it counts from creation"));
}

TEST(CheckCaps, ThatMayHavePassedAreWarnedOf) {
    Definition flow = reminded(90min);
    named(flow.events, "remind").allow = {"anyone"};
    EXPECT_THAT(said(flow), IsEmpty());
    flow.states[0].deadline->cap.reset();
    EXPECT_THAT(said(flow),
                ElementsAre("warning states.late.deadline.cap: `late` can be entered from `open` "
                            "when `cap: 90m` has passed: its deadline then fires at once; write a "
                            "`cap` of less at the deadline of `open` too"))
        << "`open` is renewed without end";
    flow.deadlines = {{{"all", "remind", timer::From::create, 90min, {}}, {"late"}}};
    EXPECT_THAT(said(flow), IsEmpty()) << "nothing is `open` for longer than that";
    flow.deadlines[0].rule.after = 91min;
    EXPECT_THAT(said(flow), Contains(HasSubstr("`late` can be entered from `open`")));
}

TEST(CheckCaps, AWayBackToWhereADeadlineHasEndedIsWarnedOf) {
    Definition flow = whole_order();
    flow.events.push_back(event("abort", {"paying"}, "created"));
    EXPECT_THAT(said(flow),
                ElementsAre("warning deadlines.unpaid.until: events lead back from `paying` to "
                            "`created`, and `unpaid` has ended for good by then; write `cap` at "
                            "the deadline of `created`, or take `paying` out of `until`"));
    named(flow.states, "created").deadline->cap = 2h;
    EXPECT_THAT(said(flow), testing::Not(Contains(HasSubstr("has ended for good"))));
}

}  // namespace
}  // namespace pawl::flow
