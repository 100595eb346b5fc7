// SPDX-License-Identifier: Apache-2.0
// Conditions of a transition: when they hold, and what a refusal says of them.
#include "core/flow/transition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/world_fixture.hpp"

namespace pawl::flow {
namespace {

struct GuardRow {
    Guard guard;
    std::string given;  // amount of the event; empty: none
    std::string said;
};

TEST(Guards, EveryConditionIsMetOrNot) {
    using enum Guard::Kind;
    const std::string ok = "applied paying";
    const std::string no = "refused guard_refused";
    const std::vector<GuardRow> rows{
        {{"amount", same, {}}, "12.5", ok},
        {{"amount", same, {}}, "12.51", "refused amount_mismatch"},
        {{"amount", same, {}}, "", "refused amount_mismatch"},
        {{"amount", equals, {"12.500"}}, "", ok},
        {{"amount", equals, {"12"}}, "", no},
        {{"amount", at_most, {"12.50"}}, "", ok},
        {{"amount", at_most, {"12.49"}}, "", no},
        {{"amount", at_least, {"12.50"}}, "", ok},
        {{"amount", at_least, {"12.51"}}, "", no},
        {{"amount", between, {"12.50", "12.5"}}, "", ok},
        {{"amount", between, {"12.51", "20"}}, "", no},
        {{"amount", between, {"1", "12.49"}}, "", no},
        {{"amount", between, {"1 EUR", "20 EUR"}}, "", no},
        {{"amount", between, {"1", "500"}}, "501", no},
        {{"amount", at_most, {"100 EUR"}}, "", no},
        {{"amount", at_most, {"100"}}, "101", no},
        {{"currency", one_of, {"USD", "EUR"}}, "", ok},
        {{"currency", one_of, {"USD"}}, "", no},
        {{"currency", present, {}}, "", ok},
        {{"note", present, {}}, "", no},
        {{"note", equals, {"x"}}, "", no},
        {{"currency", owner, {}}, "", no},
        {{"seller", owner, {}}, "", ok},
    };
    for (const GuardRow& row : rows) {
        Definition flow = order_flow();
        flow.fields.push_back({"note", FieldType::text, false});
        flow.fields.push_back({"seller", FieldType::text, false});
        named(flow.events, "begin_payment").transitions[0].require = {row.guard};
        World world(flow);
        Event created = new_order();
        created.values["seller"] = "ann";
        world.create(created);
        Event event{.name = "begin_payment", .caller = "ann"};
        if (!row.given.empty()) event.values["amount"] = row.given;
        EXPECT_EQ(world.send(event), row.said)
            << row.guard.field << " " << std::to_underlying(row.guard.kind) << " " << row.given;
    }
}

// Whoever is refused reads what was wrong with what he sent, and what would have been right.
TEST(Guards, ARefusalNamesTheBoundAndWhatWasGiven) {
    using enum Guard::Kind;
    struct Row {
        Guard guard;
        std::string given;
        std::string said;
    };
    const std::vector<Row> rows{
        {{"amount", same, {}}, "12.51", "`amount` is `12.51`, the entity's is `12.50`"},
        {{"amount", same, {}}, "", "`amount` is missing, the entity's is `12.50`"},
        {{"amount", equals, {"12"}}, "", "`amount` is `12.50`, and has to be `12`"},
        {{"amount", at_most, {"12.49"}}, "", "`amount` is `12.50`, and may be `12.49` at most"},
        {{"amount", at_least, {"20"}}, "7", "`amount` is `7`, and has to be `20` at least"},
        {{"amount", between, {"1", "500"}},
         "700",
         "`amount` is `700`, and has to be from `1` to `500`"},
        {{"currency", one_of, {"USD", "GBP"}},
         "",
         "`currency` is `EUR`, and has to be one of `USD`, `GBP`"},
        {{"note", present, {}}, "", "`note` is missing"},
        {{"note", equals, {"x"}}, "", "`note` is missing, and has to be `x`"},
        {{"currency", owner, {}}, "", "`currency` is not the caller"},
    };
    for (const Row& row : rows) {
        Definition flow = order_flow();
        flow.fields.push_back({"note", FieldType::text, false});
        named(flow.events, "begin_payment").transitions[0].require = {row.guard};
        World world(flow);
        world.create(new_order());
        Event event{.name = "begin_payment", .caller = "ann"};
        if (!row.given.empty()) event.values["amount"] = row.given;
        const Decision decision = transition(world.machine, world.entity(), event);
        EXPECT_EQ(std::get<Refusal>(decision).text, row.said);
    }
}

// It may be a secret that the caller was to know.
TEST(Guards, ARefusalTellsNobodyATextOfTheEntityThatHeDoesNotKnow) {
    Definition flow = order_flow();
    named(flow.events, "begin_payment").transitions[0].require = {
        {"currency", Guard::Kind::same, {}}};
    World world(flow);
    world.create(new_order());
    const Decision decision = transition(
        world.machine, world.entity(),
        {.name = "begin_payment", .values = {{"currency", std::string(100, 'x')}}, .caller = "a"});
    EXPECT_EQ(std::get<Refusal>(decision).text,
              "`currency` is `" + std::string(60, 'x') + "…`, which is not the entity's");
}

// A refusal that speaks about a version which has gone is judged again, as a bundle is.

}  // namespace
}  // namespace pawl::flow
