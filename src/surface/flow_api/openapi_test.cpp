// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_api/openapi.hpp"

#include <regex>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "core/id/check_code.hpp"
#include "surface/flow_file/load.hpp"

namespace pawl::flow_api {
namespace {

namespace json = boost::json;

FlowRules rules_of(const std::vector<std::string>& names, bool alias = true) {
    std::vector<flow::Machine> machines;
    for (const std::string& name : names)
        machines.push_back(*flow::Machine::compile(
            flow_file::load_flow_file(std::string(PAWL_FLOWS "/") + name + ".yaml")->definition));
    return {std::make_shared<const engine::Machines>(std::move(machines)), {}, {}, {}, alias};
}

TEST(OpenApi, HasAPathForEveryEventThatACallerMaySend) {
    const json::object document = openapi(rules_of({"order", "packing"}));
    const json::object& paths = document.at("paths").as_object();
    for (const std::string_view path :
         {"/flows/order", "/flows/order/{id}", "/flows/order/{id}/timeline", "/flows/order/states",
          "/flows/order/{id}/events/ship", "/flows/order/{id}/deadlines/{deadline}",
          "/flows/packing/{id}/events/pack", "/stock/{sku}"})
        EXPECT_TRUE(paths.contains(path)) << path;
    EXPECT_FALSE(paths.contains("/flows/order/{id}/events/pay")) << "facts come from providers";
    EXPECT_FALSE(paths.contains("/flows/order/{id}/events/expire")) << "a timer's";
    EXPECT_FALSE(paths.contains("/flows/packing/{id}/deadlines/{deadline}")) << "it has none";
}

TEST(OpenApi, CreationNamesItsFieldsAndNoOthers) {
    const json::value document = openapi(rules_of({"order"}));
    const json::object& body = document
                                   .at_pointer(
                                       "/paths/~1flows~1order/post/requestBody/content/"
                                       "application~1json/schema")
                                   .as_object();
    EXPECT_EQ(body.at("additionalProperties"), json::value(false));
    EXPECT_EQ(json::serialize(body.at("required")), R"(["amount","currency","items"])");
    EXPECT_TRUE(body.at("properties").as_object().contains("business_key"));
}

TEST(OpenApi, WhatAPaymentHasToSayTheSameOfIsOnlyWhatPaymentsCanSay) {
    const json::value document = openapi(rules_of({"order"}));
    const json::value& fields = document.at_pointer(
        "/paths/~1flows~1order/post/requestBody/content/application~1json/schema/properties");
    const std::regex amount(fields.at_pointer("/amount/anyOf/0/pattern").as_string().c_str());
    for (const std::string right :
         {"0", "12.50", "999999999.999999", "1234567890123.45", "123456789012345"})
        EXPECT_TRUE(std::regex_match(right, amount)) << right;
    for (const std::string wrong :
         {"-1", "1.2345678", "1234567890123456", "12.50 EUR", "1e3", "1."})
        EXPECT_FALSE(std::regex_match(wrong, amount)) << wrong;
    EXPECT_EQ(fields.at_pointer("/currency/pattern"), "^[A-Z]{3}$");
}

TEST(OpenApi, EveryReferenceLeadsSomewhere) {
    const json::value document = openapi(rules_of({"order", "payment", "booking", "packing"}));
    const std::string text = json::serialize(document);
    for (auto at = text.find("\"$ref\":\"#"); at != std::string::npos;
         at = text.find("\"$ref\":\"#", at + 1)) {
        const std::size_t from = at + 9;
        const std::string pointer = text.substr(from, text.find('"', from) - from);
        boost::system::error_code error;
        EXPECT_NE(document.find_pointer(pointer, error), nullptr) << pointer;
    }
}

TEST(OpenApi, IdsOfAFlowWithACheckCodeMayBeWrittenWithIt) {
    flow::Definition flow =
        flow_file::load_flow_file(PAWL_FLOWS "/packing.yaml").value().definition;
    flow.check_code = {"box"};
    std::vector machines{*flow::Machine::compile(std::move(flow))};
    const json::value document =
        openapi({std::make_shared<const engine::Machines>(std::move(machines)), {}, {}, {}, true});
    EXPECT_EQ(document.at_pointer("/paths/~1flows~1packing~1{id}/get/parameters/0/$ref"),
              "#/components/parameters/CheckedId");
    const std::regex written(
        document.at_pointer("/components/parameters/CheckedId/schema/pattern").as_string().c_str());
    const std::regex shown(
        document.at_pointer("/components/schemas/packing/properties/checked_id/pattern")
            .as_string()
            .c_str());
    const std::string made = id::to_checked_text(17, std::vector<std::string>{"X1"});
    EXPECT_TRUE(std::regex_match(made, shown)) << made;
    for (const std::string& good : {made, std::string("17"), std::string("17-oilq7")})
        EXPECT_TRUE(std::regex_match(good, written)) << good;
    for (const char* bad : {"17-", "17-7K3Q", "17-7K3QZ0", "17-UUUUU", "-7K3QZ"})
        EXPECT_FALSE(std::regex_match(bad, written)) << bad;
}

TEST(OpenApi, NamesThePathThatIsServed) {
    const auto server = [](bool alias) {
        return std::string(json::value(openapi(rules_of({"order"}, alias)))
                               .at_pointer("/servers/0/url")
                               .as_string());
    };
    EXPECT_EQ(server(true), "/v1");
    EXPECT_EQ(server(false), "/_pawl/v1");
}

TEST(FlowRules, WhatIsNotThereIsNamedBesideWhatIs) {
    const FlowRules rules = rules_of({"order", "packing"});
    EXPECT_NE(rules.find({.kind = Kind::send, .flow = "order", .name = "ship"}), nullptr);
    const FlowCall no_flow{.kind = Kind::create, .flow = "oder"};
    EXPECT_EQ(rules.find(no_flow), nullptr);
    EXPECT_NE(rules.why_not(no_flow).text.find("`order`, `packing`"), std::string::npos);
    const FlowCall no_event{.kind = Kind::send, .flow = "packing", .name = "pick"};
    EXPECT_EQ(rules.find(no_event), nullptr);
    EXPECT_NE(rules.why_not(no_event).text.find("`arrive`, `pack`"), std::string::npos);
}

}  // namespace
}  // namespace pawl::flow_api
