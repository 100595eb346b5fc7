// SPDX-License-Identifier: Apache-2.0
// What clients see: ids and money as texts, and one problem document per refusal.
#include <gtest/gtest.h>
#include <boost/json/parse.hpp>

#include "core/flow/world_fixture.hpp"
#include "core/id/check_code.hpp"
#include "engine/present.hpp"
#include "net/http/message.hpp"

namespace pawl::engine {
namespace {

namespace json = boost::json;

flow::Entity order() {
    flow::Entity entity;
    entity.id = "9007199254740993";
    entity.tenant = "acme";
    entity.flow = "order";
    entity.state = "paid";
    entity.version = 7;
    entity.created_ms = flow::kStart;
    entity.business_key = "B/1";
    entity.fields = {{"amount", {flow::FieldType::money, "12.50 EUR"}},
                     {"count", {flow::FieldType::integer, "9007199254740993"}},
                     {"gift", {flow::FieldType::boolean, "true"}}};
    entity.items = {{flow::sku("A"), 2}};
    entity.stock = {{flow::sku("A"), {2, 1, 0, 0}}};
    return entity;
}
json::object parsed(const record::Answer& answer) { return json::parse(answer.body).as_object(); }

TEST(Present, NumbersThatADoubleWouldRoundAreTexts) {
    const json::object seen = shown(order(), nullptr);
    EXPECT_EQ(seen.at("id"), "9007199254740993");
    EXPECT_EQ(seen.at("version"), 7);
    const json::object& fields = seen.at("fields").as_object();
    EXPECT_EQ(fields.at("amount"), "12.50 EUR");
    EXPECT_EQ(fields.at("count"), "9007199254740993");
    EXPECT_EQ(fields.at("gift"), true);
    EXPECT_EQ(seen.at("items"), json::parse(R"([{"sku":"A","quantity":2}])"));
    EXPECT_EQ(seen.at("stock"), json::parse(R"([{"sku":"A","reserved":1,"confirmed":1,
                                                 "released":0,"returned":0}])"));
    EXPECT_EQ(seen.at("created_at"), "2023-11-14T22:13:20.000Z");
    EXPECT_FALSE(seen.contains("deadlines"));
    EXPECT_FALSE(seen.contains("checked_id"));
}

TEST(Present, AnAnswerToACreationHasNoTimeThatOnlyTheCommitKnows) {
    const record::Answer made = answer_of_creation(order(), nullptr);
    EXPECT_EQ(made.status, 201);
    EXPECT_FALSE(parsed(made).contains("created_at"));
    EXPECT_EQ(http::first_of(made.headers, "Location"), "/v1/flows/order/9007199254740993");
    EXPECT_EQ(http::first_of(made.headers, "ETag"), "\"7\"");
    EXPECT_EQ(id_in(made), "9007199254740993");
    EXPECT_TRUE(parsed(answer_of_event(order(), nullptr)).contains("created_at"));
}

TEST(Present, AnIdWithACheckCodeStandsBesideTheIdAndInThePlace) {
    flow::Definition flow = flow::order_flow();
    flow.check_code = {"amount"};
    const flow::Machine machine = flow::Machine::compile(std::move(flow)).value();
    const json::object seen = shown(order(), &machine);
    const std::string checked(seen.at("checked_id").as_string());
    EXPECT_EQ(seen.at("id"), "9007199254740993") << "what machines keep does not change";
    EXPECT_TRUE(checked.starts_with("9007199254740993-"));
    EXPECT_EQ(checked.size(), 16 + 1 + id::kCheckCodeLength);
    const record::Answer made = answer_of_creation(order(), &machine);
    EXPECT_EQ(http::first_of(made.headers, "Location"), "/v1/flows/order/" + checked);
    EXPECT_EQ(parsed(made).at("checked_id").as_string(), checked);
    EXPECT_EQ(id_in(made), "9007199254740993");
    const record::Answer moved = answer_of_event(order(), &machine);
    EXPECT_EQ(http::first_of(moved.headers, "Content-Location"), "/v1/flows/order/" + checked);
}

TEST(Present, AChosenIdIsEscapedInItsPlaceAndReadBack) {
    flow::Entity entity = order();
    entity.id = "a/b c\r\nSet-Cookie: x";
    const record::Answer made = answer_of_event(entity, nullptr);
    EXPECT_EQ(http::first_of(made.headers, "Content-Location").find('\n'), std::string::npos);
    EXPECT_EQ(http::first_of(made.headers, "Content-Location").find(' '), std::string::npos);
}

TEST(Present, EveryRefusalHasItsStatusACodeATitleAndARemedy) {
    for (int i = 0; i < flow::kReasonCount; ++i) {
        const auto reason = static_cast<flow::Reason>(i);
        flow::Refusal refusal{
            .reason = reason, .text = "so it is", .judged_on = 3, .state = "paid"};
        refusal.winner = flow::Holder{"17", 2, "ann", flow::kStart};
        const record::Answer made = answer_of(refusal, {"acme", "order", "18", "B1"});
        const json::object document = parsed(made);
        EXPECT_EQ(made.status, flow::row_of(reason).http_status);
        EXPECT_EQ(document.at("status"), made.status);
        EXPECT_EQ(document.at("code").as_string(), flow::name_of(reason));
        EXPECT_FALSE(document.at("title").as_string().empty()) << flow::name_of(reason);
        EXPECT_TRUE(document.at("detail").as_string().starts_with("So it is. "));
        EXPECT_EQ(document.at("version"), 3);
        EXPECT_EQ(document.at("winner").at("id"), "17");
        EXPECT_EQ(http::first_of(made.headers, "Link"),
                  "</v1/flows/order/states>; rel=\"describedby\"");
        EXPECT_EQ(http::first_of(made.headers, "Content-Location"), "/v1/flows/order/18");
        // Whose a name or a slot is, is his own business.
        EXPECT_EQ(document.at("winner").as_object().contains("by"),
                  reason == flow::Reason::transition_refused);
    }
}

TEST(Present, OnlyWhatMayBecomeOtherwiseByItselfIsWorthSendingAgain) {
    const store::FlowSubject subject{"acme", "order", "18", {}};
    EXPECT_TRUE(
        parsed(answer_of({.reason = flow::Reason::undecided}, subject)).at("retryable").as_bool());
    EXPECT_FALSE(parsed(answer_of({.reason = flow::Reason::out_of_stock}, subject))
                     .at("retryable")
                     .as_bool());
    const record::Answer contended = answer_contended(subject);
    EXPECT_EQ(contended.status, 409);
    EXPECT_EQ(http::first_of(contended.headers, "Retry-After"), "1");
    EXPECT_TRUE(parsed(contended).at("retryable").as_bool());
}

TEST(Present, TheRecordSpeaksWithTheCodesOfTheGateway) {
    record::Verdict verdict;
    const std::vector<std::pair<record::Outcome, std::string>> expected{
        {record::Outcome::mismatch, "key_reused"},
        {record::Outcome::stale, "stale_version"},
        {record::Outcome::version_invalid, "version_invalid"},
        {record::Outcome::expired, "result_expired"},
        {record::Outcome::limited, "limited"},
        {record::Outcome::other_rule, "rule_changed"},
        {record::Outcome::in_progress, "in_progress"},
        {record::Outcome::uncertain, "uncertain"}};
    for (const auto& [outcome, code] : expected) {
        verdict.outcome = outcome;
        EXPECT_EQ(parsed(answer_recorded(verdict)).at("code").as_string(), code);
    }
}

TEST(Present, AStepShowsWhatMovedWithIt) {
    store::FlowStep step;
    step.history = {.version = 2,
                    .course = flow::Course::applied,
                    .event = "pay",
                    .from = "created",
                    .to = "paid",
                    .type = "order.paid",
                    .values = {{"amount", "12.50"}},
                    .sender = flow::Sender::callback,
                    .at_ms = flow::kStart};
    step.moves = {{flow::sku("A"), {-2, 0, 2}, {}}};
    step.sagas = {{"refund", sha256("key"), {}}};
    step.request = sha256("identity");
    const json::object seen = shown(step);
    EXPECT_EQ(seen.at("course"), "applied");
    EXPECT_EQ(seen.at("sender"), "callback");
    EXPECT_EQ(seen.at("values").at("amount"), "12.50");
    EXPECT_EQ(seen.at("stock").at(0).at("sold"), 2);
    EXPECT_EQ(seen.at("sagas").at(0).at("saga"), "refund");
    EXPECT_EQ(seen.at("operation_ref").as_string(), record::reference_of(sha256("identity")));
}

TEST(Present, BytesThatAreNoTextDoNotBreakTheDocument) {
    flow::Entity entity = order();
    entity.fields["note"] = {flow::FieldType::text, "\xff\xfe"};
    EXPECT_NO_THROW(parsed(answer_of_event(entity, nullptr)));
}

}  // namespace
}  // namespace pawl::engine
