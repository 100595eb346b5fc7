// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_api/request_body.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pawl::flow_api {
namespace {

using flow::FieldType;

flow::Definition shop() {
    flow::Definition flow;
    flow.name = "shop";
    flow.fields = {{"amount", FieldType::money, true},
                   {"note", FieldType::text, false},
                   {"count", FieldType::integer, false},
                   {"gift", FieldType::boolean, false},
                   {"at", FieldType::time, false}};
    flow.items = true;
    flow.events = {{.name = "tell", .fields = {{"word", FieldType::text, true}}}};
    return flow;
}

Read<Given> created(std::string_view body) {
    const flow::Definition flow = shop();
    return read_given(body, flow, flow.create);
}

std::string text_of(const BodyError& error) { return error.text; }

TEST(RequestBody, CreationIsFlatAndKeepsEveryNumberAsItWasWritten) {
    const auto given = created(
        R"({"business_key":"B1","amount":12.50,"count":9007199254740993,"gift":true,
            "at":"2026-05-01T10:00:00Z","note":"\u00e9",
            "items":[{"sku":"A","quantity":2},{"quantity":1,"kind":"voucher","sku":"V"}]})");
    ASSERT_TRUE(given) << text_of(given.error());
    EXPECT_EQ(given->business_key, "B1");
    EXPECT_EQ(given->values.at("amount"), "12.50");
    EXPECT_EQ(given->values.at("count"), "9007199254740993");
    EXPECT_EQ(given->values.at("gift"), "true");
    EXPECT_EQ(given->values.at("note"), "\u00e9");
    ASSERT_EQ(given->items.size(), 2U);
    EXPECT_EQ(given->items[1].sku, (stock::Sku{stock::Kind::voucher, "V"}));
}

TEST(RequestBody, NothingIsAnEmptyBody) {
    EXPECT_TRUE(created("")->values.empty());
    EXPECT_TRUE(created(" \n")->values.empty());
    EXPECT_TRUE(created("{}")->values.empty());
}

TEST(RequestBody, ANumberThatADoubleMayHaveRoundedIsNoName) {
    EXPECT_EQ(created(R"({"business_key":201605131024011015})")->business_key,
              "201605131024011015");
    EXPECT_EQ(created(R"({"business_key":7})")->business_key, "7");
    EXPECT_EQ(created(R"({"note":0})")->values.at("note"), "0");
    const auto rounded = created(R"({"business_key":9007199254740992})");
    ASSERT_FALSE(rounded);
    EXPECT_NE(rounded.error().text.find("\"9007199254740992\""), std::string::npos);
    EXPECT_EQ(created(R"({"business_key":"9007199254740992"})")->business_key, "9007199254740992");
    for (const std::string_view number : {"1.5", "1e3", "-7"})
        EXPECT_FALSE(created(fmt::format(R"({{"note":{}}})", number))) << number;
}

// Some clients write every number as a double.
TEST(RequestBody, AWholeNumberMayHaveZerosBehindItsPoint) {
    EXPECT_EQ(created(R"({"note":5052.0})")->values.at("note"), "5052");
    EXPECT_EQ(created(R"({"note":-0.0})")->values.at("note"), "0");
    EXPECT_EQ(created(R"({"items":[{"sku":"A","quantity":2.00}]})")->items.at(0).quantity, 2);
    EXPECT_EQ(read_stock_change(R"({"set":1.0})", "A")->quantity, 1);
    EXPECT_EQ(created(R"({"amount":12.50})")->values.at("amount"), "12.50");
    EXPECT_FALSE(created(R"({"business_key":9007199254740992.0})")) << "it may have been rounded";
}

TEST(RequestBody, WhatIsWrongIsSaidWithItsPlaceAndWhatToWrite) {
    struct Row {
        std::string_view body, says;
        bool of_field = true;
    };
    for (const Row& row : std::vector<Row>{
             {"[1]", "The body is one JSON object", false},
             {"{\"amount\":1,\"amount\":2}", "The body is one JSON object", false},
             {"{\"amount\":1", "The body is one JSON object", false},
             {"{\"amount\":\"\xff\"}", "The body is one JSON object", false},
             {R"({"amonut":1})",
              "`create` of flow `shop` takes no `amonut`; it takes `amount`, `note`, `count`, "
              "`gift`, `at`, `items`, `business_key`."},
             {R"({"amount":null})", "`amount` is null. Leave it out, or write an amount"},
             {R"({"amount":{}})", "`amount` is an object. Write an amount"},
             {R"({"note":[]})", "`note` is a list. Write a string."},
             {R"({"note":true})", "`note` is true. Write a string."},
             {R"({"gift":1})", "`gift` is a number. Write true or false."},
             {R"({"at":1777629600})", "`at` is a number. Write a time"},
             {R"({"items":{}})", "`items` is a list such as"},
             {R"({"items":[3]})", "`items[0]` is an object such as"},
             {R"({"items":[{"sku":"A"}]})", "`items[0].quantity` is missing."},
             {R"({"items":[{"sku":"A","quantity":1.5}]})", "`items[0].quantity` is a whole number"},
             {R"({"items":[{"sku":"A","quantity":"2"}]})", "`items[0].quantity` is a whole number"},
             {R"({"items":[{"sku":"A","quantity":99999999999999999999}]})",
              "`items[0].quantity` is a whole number"},
             {R"({"items":[{"sku":"A","quantity":0}]})", "the quantity is not from 1 to"},
             {R"({"items":[{"sku":"A","quantity":-2}]})", "the quantity is not from 1 to"},
             {R"({"items":[{"quantity":1}]})", "a line has no SKU"},
             {R"({"items":[{"sku":"A","quantity":1,"price":3}]})", "`items[0].price` is not known"},
             {R"({"items":[{"sku":"A","quantity":1,"kind":"x"}]})",
              "`items[0].kind` is \"goods\" or \"voucher\"."}}) {
        const auto given = created(row.body);
        ASSERT_FALSE(given) << row.body;
        EXPECT_NE(given.error().text.find(row.says), std::string::npos) << given.error().text;
        EXPECT_EQ(given.error().of_field, row.of_field) << row.body;
    }
}

TEST(RequestBody, ItemsAreCountedBeforeTheyAreRead) {
    const auto lines = [](std::size_t count) {
        std::string body = R"({"items":[)";
        for (std::size_t i = 0; i < count; ++i)
            body += fmt::format(R"({}{{"sku":"S{}","quantity":1}})", i > 0 ? "," : "", i);
        return body + "]}";
    };
    EXPECT_EQ(created(lines(stock::kLinesMax))->items.size(), stock::kLinesMax);
    EXPECT_FALSE(created(lines(stock::kLinesMax + 1)));
}

TEST(RequestBody, AnEventTakesItsOwnFieldsAndNoBusinessKey) {
    const flow::Definition flow = shop();
    EXPECT_EQ(read_given(R"({"word":"x"})", flow, flow.events[0])->values.at("word"), "x");
    EXPECT_FALSE(read_given(R"({"business_key":"x"})", flow, flow.events[0]));
}

TEST(RequestBody, StockIsSetOrAdjusted) {
    using Change = store::StockChange::Kind;
    const auto set = read_stock_change(R"({"set":0})", "A");
    ASSERT_TRUE(set);
    EXPECT_EQ(set->kind, Change::set);
    EXPECT_EQ(set->sku, (stock::Sku{stock::Kind::goods, "A"}));
    const auto less = read_stock_change(R"({"adjust":-3,"kind":"voucher"})", "A");
    ASSERT_TRUE(less);
    EXPECT_EQ(less->quantity, -3);
    EXPECT_EQ(less->sku.kind, stock::Kind::voucher);
    const std::string most = std::to_string(stock::kQuantityMax);
    const std::string beyond = std::to_string(stock::kQuantityMax + 1);
    EXPECT_TRUE(read_stock_change(R"({"set":)" + most + "}", "A"));
    for (const std::string& body :
         {std::string(), std::string("{}"), std::string(R"({"set":1,"adjust":1})"),
          std::string(R"({"set":-1})"), R"({"set":)" + beyond + "}", R"({"adjust":)" + beyond + "}",
          R"({"adjust":-)" + beyond + "}", std::string(R"({"adjust":0})"),
          std::string(R"({"set":"1"})"), std::string(R"({"set":1.5})"),
          std::string(R"({"add":1})")})
        EXPECT_FALSE(read_stock_change(body, "A")) << body;
}

}  // namespace
}  // namespace pawl::flow_api
