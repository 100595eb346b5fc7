// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "stream/outbox_fixture.hpp"

namespace pawl::stream {
namespace {

namespace json = boost::json;

TEST(Event, IsADocumentThatSaysAll) {
    store::OutboxRow row = row_of(5, "7301", 3);
    row.history.values = {{"amount", "12.50"}, {"note", "a \"b\"\n\xff"}};
    row.history.hlc = 115'343'360'000'000'001;
    row.history.trace_context = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const Event event = event_of(row);
    EXPECT_EQ(event.number, 5U);
    EXPECT_EQ(event.entity, "7301");
    EXPECT_EQ(event.type, "order.paid");
    EXPECT_EQ(event.body.find('\n'), std::string::npos);
    const json::object document = json::parse(event.body).as_object();
    EXPECT_EQ(document.at("specversion"), "1.0");
    EXPECT_EQ(document.at("id").as_string(), event.id);
    EXPECT_EQ(document.at("source"), "/v1/flows/order");
    EXPECT_EQ(document.at("type"), "order.paid");
    EXPECT_EQ(document.at("subject"), "7301");
    EXPECT_EQ(document.at("time"), "2025-11-24T16:00:00.000Z");
    EXPECT_EQ(document.at("sequence"), "3");
    EXPECT_EQ(document.at("tenant"), "shop");
    EXPECT_EQ(document.at("hlc"), "115343360000000001");
    EXPECT_EQ(document.at("traceparent").as_string(), row.history.trace_context);
    const json::object data = document.at("data").as_object();
    EXPECT_EQ(data.at("version"), 3);
    EXPECT_EQ(data.at("course"), "applied");
    EXPECT_EQ(data.at("from"), "created");
    EXPECT_EQ(data.at("to"), "paid");
    EXPECT_EQ(data.at("values").at("amount"), "12.50");
    EXPECT_EQ(data.at("values").at("note"), "a \"b\"\n\xef\xbf\xbd");
}

TEST(Event, WhatIsNotKnownIsLeftOut) {
    store::OutboxRow row = row_of(5, "7301", 3);
    row.subject.tenant.clear();
    const json::object document = json::parse(event_of(row).body).as_object();
    for (const char* name : {"tenant", "hlc", "traceparent"})
        EXPECT_EQ(document.if_contains(name), nullptr) << name;
}

TEST(Event, ItsIdIsMadeOfWhatItIsAbout) {
    const store::FlowSubject subject{"shop", "order", "7301", "B1"};
    const std::string id = event_id(subject, 3);
    EXPECT_EQ(id.size(), 32U);
    EXPECT_EQ(event_id({"shop", "order", "7301", ""}, 3), id);
    EXPECT_NE(event_id(subject, 4), id);
    EXPECT_NE(event_id({"shop", "order", "73013", ""}, 3), id);
    EXPECT_NE(event_id({"shop", "orde", "r7301", ""}, 3), id);
    EXPECT_NE(event_id({"", "order", "7301", ""}, 3), id);
}

TEST(Event, TheNumberOfItsRowIsNotPartOfIt) {
    EXPECT_EQ(event_of(row_of(1, "7301", 3)).body, event_of(row_of(9, "7301", 3)).body);
}

}  // namespace
}  // namespace pawl::stream
