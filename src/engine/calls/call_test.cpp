// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/calls/call.hpp"

namespace pawl::engine {
namespace {

const Services& services() {
    static const Services kServices{{"pay", {.host = "10.0.0.9", .port = 9000, .tls = true}}};
    return kServices;
}

// "POST host:port tls? target", or what is wrong.
std::string told(std::string_view written, const flow::Given& names = {}) {
    const auto call = make_call(written, names, services());
    if (!call) return std::string(name_of(call.error().code)) + ": " + call.error().text;
    return call->request.head.method + " " + call->target.host + ":" +
           std::to_string(call->target.port) + (call->target.tls ? " tls " : " ") +
           call->request.head.target;
}

TEST(Call, AServiceIsFoundByItsNameAndAnotherHostIsItself) {
    EXPECT_EQ(told("POST http://pay/refunds"), "POST 10.0.0.9:9000 tls /refunds");
    EXPECT_EQ(told("POST http://pay:80/refunds"), "POST 10.0.0.9:9000 tls /refunds");
    EXPECT_EQ(told("GET http://shop.example"), "GET shop.example:80 /");
    EXPECT_EQ(told("GET https://shop.example?a=1"), "GET shop.example:443 tls /?a=1");
    EXPECT_EQ(told("PUT http://shop.example:8080/x"), "PUT shop.example:8080 /x");
    EXPECT_EQ(told("PUT http://[::1]:8080/x"), "PUT ::1:8080 /x");
    EXPECT_EQ(told("PUT http://[::1]/x"), "PUT ::1:80 /x");
}

TEST(Call, NamesAreFilledInEncoded) {
    EXPECT_EQ(told("GET http://pay/o/{id}?k={key}", {{"id", "a/b?c#d e"}, {"key", "1&2=%"}}),
              "GET 10.0.0.9:9000 tls /o/a%2Fb%3Fc%23d%20e?k=1%262%3D%25");
    EXPECT_EQ(told("GET http://pay/o/{id}", {{"id", "a\r\nHost: b"}}),
              "GET 10.0.0.9:9000 tls /o/a%0D%0AHost%3A%20b");
}

TEST(Call, WhatNothingHasToldIsNotSent) {
    for (const flow::Given& names : {flow::Given{}, flow::Given{{"id", ""}}})
        EXPECT_EQ(told("GET http://pay/o/{id}", names),
                  "request_invalid: `/o/{id}` needs `{id}`, which nothing has told");
    EXPECT_TRUE(told("GET http://pay/o/{id", {{"id", "1"}}).starts_with("request_invalid"));
}

TEST(Call, NoValueLeadsElsewhere) {
    for (const char* value : {".", ".."})
        EXPECT_TRUE(
            told("GET http://pay/o/{id}/x", {{"id", value}}).starts_with("request_invalid"));
    EXPECT_TRUE(told("GET http://{id}/x", {{"id", "evil"}}).starts_with("config_invalid"));
    EXPECT_TRUE(told("GET http://a@b/x").starts_with("config_invalid"));
}

TEST(Call, WhatIsNoAddressIsTold) {
    for (const char* written : {"", "GET", "GET ftp://pay/x", "GET http:///x", "GET http://pay:0/x",
                                "GET http://pay:x/y", "GET http://pay:70000/y"})
        EXPECT_TRUE(told(written).starts_with("config_invalid")) << written;
}

TEST(Call, AnEntityLendsItsFields) {
    flow::Entity entity;
    entity.id = "7301";
    entity.flow = "order";
    entity.business_key = "B1";
    entity.fields["id"] = {flow::FieldType::text, "forged"};
    entity.fields["shop"] = {flow::FieldType::text, "7"};
    EXPECT_EQ(
        names_of(entity),
        (flow::Given{{"id", "7301"}, {"flow", "order"}, {"business_key", "B1"}, {"shop", "7"}}));
}

}  // namespace
}  // namespace pawl::engine
