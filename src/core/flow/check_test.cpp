// SPDX-License-Identifier: Apache-2.0
// The flow without a finding, names, and how large a flow may be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

std::vector<Row> name_rows() {
    return {
        {"flow_name", [](Definition& f) { f.name = "my order"; },
         "error flow: `my order` is not a name"},
        {"long_name", [](Definition& f) { f.name = std::string(kNameBytesMax + 1, 'n'); },
         "error flow: `nnn"},
        {"same_state", [](Definition& f) { named(f.states, "paid").name = "same"; },
         "error states.same: `same` means the state that an event comes from"},
        {"state_twice", [](Definition& f) { f.states.push_back(f.states.back()); },
         "error states.cancelled: `cancelled` stands twice"},
        {"create_event",
         [](Definition& f) { f.events.push_back(event("create", {"paid"}, "same")); },
         "error events.create: `create` is how every entity begins"},
        {"own_field", [](Definition& f) { f.fields.push_back({"state", FieldType::text}); },
         "error fields.state: every entity has a `state` of its own"},
        {"no_states", [](Definition& f) { f.states.clear(); },
         "error states: the flow has no states"},
        {"no_transition", [](Definition& f) { named(f.events, "ship").transitions.clear(); },
         "error events.ship: `ship` has 0 transitions"},
        {"allow", [](Definition& f) { named(f.events, "ship").allow = {"warehouse"}; },
         "error events.ship.allow: `warehouse` is nobody; write `callback`, `anyone` or `role "
         "NAME`"},
        {"allow_notifications", [](Definition& f) { named(f.events, "ship").allow = {"callback"}; },
         "error events.ship.allow: `ship` is a request, which no notification sends; write "
         "`anyone` or `role NAME`, or `external: true`"},
        {"create_by_notifications", [](Definition& f) { f.create.allow = {"anyone", "callback"}; },
         "error create.allow: `create` is a request, which no notification sends; write `anyone` "
         "or `role NAME`"},
        {"renewed_by_nobody",
         [](Definition& f) { named(f.states, "created").renewed_by = {"callback"}; },
         "error states.created.deadline.allow: `callback` renews nothing; write `anyone` or `role "
         "NAME`"},
    };
}

class NameRows : public testing::TestWithParam<Row> {};

TEST_P(NameRows, SaysWhereAndWhatToWriteInstead) { expect_said(whole_order(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Words, NameRows, testing::ValuesIn(name_rows()), kRowName);

TEST(CheckFlow, TheOrderOfTheDocumentationHasNoFinding) {
    EXPECT_THAT(said(whole_order()), testing::IsEmpty());
}

TEST(CheckFlow, LimitsHoldAtTheLimitAndNotBeyond) {
    Definition flow = whole_order();
    while (flow.fields.size() < kFieldsMax)
        flow.fields.push_back({"f" + std::to_string(flow.fields.size()), FieldType::text});
    EXPECT_THAT(said(flow), testing::IsEmpty());
    flow.fields.push_back({"f", FieldType::text});
    EXPECT_THAT(said(flow), testing::Contains(testing::HasSubstr("101 of fields, at most 100")));
}

TEST(CheckFlow, TheSmallestFlowHasNoFinding) {
    Definition flow;
    flow.name = "job";
    flow.initial = "open";
    flow.states = {{"open", false, {}, {}}, {"done", true, {}, {}}};
    flow.events = {event("finish", {"open"}, "done")};
    flow.create.transitions[0].to = "open";
    EXPECT_THAT(said(flow), testing::IsEmpty());
}

}  // namespace
}  // namespace pawl::flow
