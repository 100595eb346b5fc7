// SPDX-License-Identifier: Apache-2.0
#include "app/flow_change.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "surface/flow_file/load.hpp"

namespace pawl::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string box(const std::string& states, const std::string& events,
                const std::string& fields = "fields: { size: text }\n") {
    return "flow: box\ninitial: open\n" + fields + "states: { " + states + " }\nevents: { " +
           events + " }\n";
}

engine::Machines served(const std::string& text) {
    const auto loaded = flow_file::load_flow(text);
    EXPECT_TRUE(loaded) << loaded.error().front().what;
    return engine::Machines({*flow::Machine::compile(loaded->definition)});
}

const std::string kStates = "open: {}, full: {}, gone: { final: true }";
const std::string kWithStock = "items: true\nfields: { size: text }\n";
const std::string kEvents =
    "fill: { from: open, to: full, stock: reserve }, "
    "send: { from: full, to: gone, stock: confirm }, "
    "drop: { from: [open, full], to: gone, stock: release }";
const std::string kBare =
    "fill: { from: open, to: full }, send: { from: full, to: gone }, "
    "drop: { from: [open, full], to: gone }";

flow::Entity entity_in(std::string state) {
    flow::Entity entity;
    entity.state = std::move(state);
    return entity;
}

TEST(FlowChange, NothingIsLostByWhatIsNewOrTheSame) {
    const auto old = served(box(kStates, kBare));
    EXPECT_THAT(losses_between(old, old), IsEmpty());
    EXPECT_THAT(losses_between(engine::Machines(), old), IsEmpty());
    EXPECT_THAT(losses_between(old, served(box(kStates, kEvents, kWithStock))), IsEmpty());
}

TEST(FlowChange, AFlowOrAStateThatIsGoneIsLost) {
    const auto old = served(box(kStates, kBare));
    EXPECT_THAT(losses_between(old, engine::Machines()),
                ElementsAre(Loss{Loss::Kind::flow, "box"}));
    const auto without =
        served(box("open: {}, gone: { final: true }", "drop: { from: open, to: gone }"));
    const Loss loss{Loss::Kind::state, "box", "full"};
    EXPECT_THAT(losses_between(old, without), ElementsAre(loss));
    EXPECT_EQ(described(loss), "state `full` of flow `box` is not there any more");
    EXPECT_EQ(lost_by(entity_in("full"), loss), "is in `full`");
    EXPECT_EQ(lost_by(entity_in("open"), loss), "");
}

TEST(FlowChange, StockThatNothingReleasesAnyMoreIsLostWhereItIsHeld) {
    const auto old = served(box(kStates, kEvents, kWithStock));
    const auto losses = losses_between(old, served(box(kStates, kBare)));
    const Loss loss{Loss::Kind::stock, "box", "", {"open", "full"}};
    ASSERT_THAT(losses, ElementsAre(loss));
    flow::Entity entity = entity_in("full");
    EXPECT_EQ(lost_by(entity, loss), "") << "it holds nothing";
    entity.stock = {{{stock::Kind::goods, "A"}, {.held = 5, .confirmed = 2, .released = 1}}};
    EXPECT_EQ(lost_by(entity, loss), "holds 2 of `A` in `full`");
    entity.stock[0].reservation.confirmed = 4;
    EXPECT_EQ(lost_by(entity, loss), "") << "nothing of it is open";
    EXPECT_EQ(described(loss),
              "flow `box` confirms and releases nothing any more that is held in `open`, `full`");
}

TEST(FlowChange, StockThatStillCanBeReleasedIsNotLost) {
    const auto old = served(box(kStates, kEvents, kWithStock));
    const auto fewer = served(box(kStates,
                                  "fill: { from: open, to: full }, "
                                  "drop: { from: [open, full], to: gone, stock: release }",
                                  kWithStock));
    EXPECT_THAT(losses_between(old, fewer), IsEmpty());
}

TEST(FlowChange, AFieldOfAnotherTypeIsLostToThoseThatHaveItAndGoOn) {
    const auto old = served(box(kStates, kBare));
    const auto sized = served(box(kStates, kBare, "fields: { size: integer }\n"));
    const Loss loss{Loss::Kind::field, "box", "size", {"gone"}};
    ASSERT_THAT(losses_between(old, sized), ElementsAre(loss));
    flow::Entity entity = entity_in("open");
    EXPECT_EQ(lost_by(entity, loss), "") << "it has none";
    entity.fields["size"] = {flow::FieldType::text, "L"};
    EXPECT_EQ(lost_by(entity, loss), "has one and is in `open`");
    entity.state = "gone";
    EXPECT_EQ(lost_by(entity, loss), "") << "nothing is compared with it any more";
    EXPECT_EQ(described(loss), "field `size` of flow `box` is of another type");
}

}  // namespace
}  // namespace pawl::app
