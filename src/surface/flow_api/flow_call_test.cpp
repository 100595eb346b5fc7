// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_api/flow_call.hpp"

#include <gtest/gtest.h>

namespace pawl::flow_api {
namespace {

using enum Kind;

TEST(FlowCall, EveryPathOfTheTableIsReadWithItsMethod) {
    struct Row {
        std::string_view method, path;
        FlowCall call;
    };
    for (const Row& row : std::vector<Row>{
             {"POST", "/flows/order", {create, "order"}},
             {"GET", "/flows/order", {list, "order"}},
             {"GET", "/flows/order/states", {machine, "order"}},
             {"HEAD", "/flows/order/17", {read, "order", "17"}},
             {"GET", "/flows/order/17/timeline", {timeline, "order", "17"}},
             {"POST", "/flows/order/17/events/ship", {send, "order", "17", "ship"}},
             {"POST", "/flows/order/17/deadlines/paying", {renew, "order", "17", "paying"}},
             {"POST", "/stock/A%2FB%20%25", {change_stock, "", "A/B %"}},
             {"GET", "/stock/A", {read_stock, "", "A"}},
             {"POST", "/callbacks/stripe/main", {notify, "stripe", "", "main"}},
             {"GET", "/openapi.json", {describe}}}) {
        const auto call = flow_call(row.method, row.path);
        ASSERT_TRUE(call) << row.path;
        EXPECT_EQ(*call, row.call) << row.path;
    }
}

TEST(FlowCall, AnotherMethodIsToldWhichThereAre) {
    const auto put = flow_call("PUT", "/flows/order");
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().status, 405);
    EXPECT_EQ(put.error().allow, "GET, HEAD, POST");
    EXPECT_EQ(flow_call("GET", "/flows/order/17/events/ship").error().allow, "POST");
    EXPECT_EQ(flow_call("POST", "/flows/order/17").error().allow, "GET, HEAD");
}

TEST(FlowCall, AnotherPathIsToldWhichThereAre) {
    for (const std::string_view path :
         {"/flows", "/flows/", "/flows/order/", "/flows/order/17/events", "/flows/order/17/x",
          "/flows/order/17/events/ship/x", "/flows/order/17/events/ship/x/y", "/stock",
          "/stock/a/b", "/callbacks/stripe", "/callbacks/stripe/main/x"}) {
        const auto call = flow_call("POST", path);
        ASSERT_FALSE(call) << path;
        EXPECT_EQ(call.error().status, 404) << path;
    }
}

TEST(FlowCall, TheReservedPathIsAlwaysThereAndTheOtherWhereNothingElseIsServed) {
    EXPECT_EQ(below("/_pawl/v1/flows/order?limit=3", false), "/flows/order");
    EXPECT_EQ(below("/v1/flows/order", true), "/flows/order");
    EXPECT_EQ(below("/v1/flows/order", false), std::nullopt);
    EXPECT_EQ(below("/openapi.json", true), "/openapi.json");
    EXPECT_EQ(below("/openapi.json", false), std::nullopt);
    EXPECT_EQ(below("/_pawl/v1/openapi.json", false), "/openapi.json");
    for (const std::string_view other :
         {"/_pawl/v1/operations/op_x", "/_pawl/v1", "/_pawl/v1/flowsome", "/v1/orders", "/", "/v10",
          "/_pawl/v1x/flows/order"})
        EXPECT_EQ(below(other, true), std::nullopt) << other;
}

TEST(FlowCall, BothSpellingsAreOneOperation) {
    const FlowCall create{.kind = Kind::create, .flow = "order"};
    EXPECT_EQ(plain_target("/_pawl/v1/flows/order?x", create), "/v1/flows/order?x");
    EXPECT_EQ(plain_target("/v1/flows/order", create), "/v1/flows/order");
}

TEST(FlowCall, TheIdAloneAndTheIdWithItsCodeAreOneOperation) {
    const auto plain = [](std::string id, std::string_view target) {
        return plain_target(
            target, {.kind = Kind::send, .flow = "order", .id = std::move(id), .name = "ship"});
    };
    EXPECT_EQ(plain("17", "/v1/flows/order/17/events/ship"), "/v1/flows/order/17/events/ship");
    EXPECT_EQ(plain("17-7k3qz", "/_pawl/v1/flows/order/17-7k3qz/events/ship"),
              "/v1/flows/order/17/events/ship");
    EXPECT_EQ(plain("17-x", "/v1/flows/order/17-x/events/ship"),
              "/v1/flows/order/17-x/events/ship");
}

}  // namespace
}  // namespace pawl::flow_api
