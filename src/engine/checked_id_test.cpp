// SPDX-License-Identifier: Apache-2.0
// R-CHECKCODE: the code of an entity is made of its own fields, and known again.
#include <gtest/gtest.h>

#include "engine/checked_id.hpp"

namespace pawl::engine {
namespace {

flow::Definition flow_with(flow::Names fields) {
    flow::Definition flow;
    flow.name = "order";
    flow.check_code = std::move(fields);
    return flow;
}

flow::Entity order() {
    flow::Entity entity;
    entity.id = "251376383287521322";
    entity.flow = "order";
    entity.fields = {{"shop", {flow::FieldType::text, "shop-1"}},
                     {"kind", {flow::FieldType::text, "order"}}};
    return entity;
}

TEST(CheckedIdOfAnEntity, IsMadeOfItsFieldsInTheOrderOfTheFlow) {
    EXPECT_EQ(checked_id(flow_with({"shop", "kind"}), order()), "251376383287521322-M4YPN");
    EXPECT_NE(checked_id(flow_with({"kind", "shop"}), order()), "251376383287521322-M4YPN");
}

TEST(CheckedIdOfAnEntity, IsNoneWhereTheFlowHasNoneOrTheIdIsNotOurs) {
    EXPECT_EQ(checked_id(flow_with({}), order()), "");
    flow::Entity other = order();
    other.id = "E-1";
    EXPECT_EQ(checked_id(flow_with({"shop"}), other), "");
}

TEST(CheckedIdOfAnEntity, IsKnownAgain) {
    const id::WrittenId written{251'376'383'287'521'322, "M4YPN"};
    EXPECT_TRUE(has_code(flow_with({"shop", "kind"}), order(), written));
    EXPECT_FALSE(has_code(flow_with({"shop"}), order(), written));
    EXPECT_FALSE(has_code(flow_with({}), order(), written));
    flow::Entity other = order();
    other.fields.at("shop").text = "shop-2";
    EXPECT_FALSE(has_code(flow_with({"shop", "kind"}), other, written));
}

TEST(CheckedIdOfAnEntity, AFieldThatItHasNotCountsAsEmpty) {
    flow::Entity with_empty = order();
    with_empty.fields["note"] = {flow::FieldType::text, ""};
    const flow::Definition flow = flow_with({"shop", "note"});
    EXPECT_EQ(checked_id(flow, order()), checked_id(flow, with_empty));
    EXPECT_NE(checked_id(flow, order()), checked_id(flow_with({"shop"}), order()));
}

}  // namespace
}  // namespace pawl::engine
