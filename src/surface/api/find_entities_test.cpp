// SPDX-License-Identifier: Apache-2.0
// R-TRIPLE, R-EXPLAIN: whatever a person has in hand of an order leads to it, and to nobody else's.
#include "surface/api/find_entities.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "core/id/check_code.hpp"
#include "core/id/triple_id.hpp"
#include "engine/calls/late_payment_fixture.hpp"
#include "engine/id_maker.hpp"
#include "engine/present.hpp"
#include "store/port/direct_records.hpp"
#include "surface/api/support_id.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;

constexpr std::string_view kTrace = "0af7651916cd43dd8448eb211c80319c";
constexpr std::int64_t kMade = 1'764'000'000'123;

// Of a millisecond, the n-th.
std::string id_at(std::int64_t at_ms, unsigned number) {
    return id::to_text(id::pack(engine::kOneDatabase, {at_ms, {}, number}));
}

struct Orders : engine::LatePayments {
    Orders() {
        flow::Definition definition = flow::order_flow();
        definition.check_code = {"amount"};
        served = std::make_shared<const engine::Machines>(
            std::vector{flow::Machine::compile(std::move(definition)).value()});
        const store::StockChange plenty{
            .sku = flow::sku("A"), .kind = store::StockChange::Kind::set, .quantity = 1'000'000};
        record::Claim claim;
        claim.identity = sha256("stock");
        claim.claim.bytes[0] = 1;
        EXPECT_TRUE(hand.run(
            flows.commit({.subject = {.tenant = "acme"},
                          .decision = plenty,
                          .request = flow::Request{claim, engine::answer_of_stock(plenty)}})));
    }

    // As a request makes it, with its record.
    flow::Entity create(const std::string& id, const std::string& business_key,
                        std::string_view trace = kTrace, const std::string& tenant = "acme") {
        flow::Event event = flow::new_order();
        event.name = "create";
        event.now_ms = records.now_ms();
        event.trace_context = "00-" + std::string(trace) + "-b7ad6b7169203331-01";
        const flow::Decision decision =
            flow::create(machine(), {id, tenant, business_key}, event, {});
        record::Claim claim;
        claim.identity = sha256("create " + tenant + id);
        claim.tenant = tenant;
        claim.trace_id = trace;
        claim.claim.bytes[0] = 1;
        flow::Entity made = std::get<flow::Bundle>(decision).created;
        store::FlowCommit commit{.subject = {tenant, "order", id, business_key},
                                 .decision = std::get<flow::Bundle>(decision)};
        commit.request = flow::Request{claim, engine::answer_of_creation(made, nullptr)};
        EXPECT_TRUE(hand.run(flows.commit(std::move(commit))));
        return hand.run(flows.load({tenant, "order", id, {}}))->entity.value();
    }

    std::uint64_t version(const std::string& id) {
        return hand.run(flows.load({"acme", "order", id, {}}))->entity.value().version;
    }
    void pay(const std::string& id, const std::string& transaction) {
        flow::Event paid = flow::payment(transaction, "12.50");
        paid.values["currency"] = "EUR";
        const std::uint64_t before = version(id);
        step(id, std::move(paid));
        EXPECT_EQ(version(id), before + 1) << "it took effect, or was compensated";
    }

    Result<json::object> find(std::string word, std::size_t most = 1'000) {
        return hand.run(
            find_entities({flows, &flows, calls}, served, {"acme", std::move(word)}, most));
    }
    // "by id", of all that were found.
    std::string found(std::string word, std::size_t most = 1'000) {
        const auto document = find(std::move(word), most);
        if (!document) return std::string(name_of(document.error().code));
        std::string out;
        for (const json::value& one : document->at("found").as_array())
            out += std::string(out.empty() ? "" : ", ") + one.at("by").as_string().c_str() + " " +
                   one.at("entity").at("business_key").as_string().c_str();
        return out;
    }

    store::DirectRecords calls{records};
    std::shared_ptr<const engine::Machines> served;
};

TEST(FindEntities, ByItsIdAloneAndWithItsCodeButNotWithAnotherOne) {
    Orders orders;
    const flow::Entity one = orders.create(id_at(kMade, 1), "B1");
    orders.create(id_at(kMade, 2), "B2");
    EXPECT_EQ(orders.found(one.id), "id B1");
    const std::string checked =
        id::to_checked_text(*id::parse_id(one.id), std::vector<std::string>{"12.50"});
    EXPECT_EQ(orders.found(checked), "id B1");
    EXPECT_EQ(orders.found(id_at(kMade, 2) + checked.substr(checked.find('-'))), "not_found");
}

TEST(FindEntities, ByTheMerchantsNumber) {
    Orders orders;
    orders.create(id_at(kMade, 1), "B-1001");
    EXPECT_EQ(orders.found("B-1001"), "business_key B-1001");
    EXPECT_EQ(orders.found("B-100"), "not_found");
}

TEST(FindEntities, ByTheTraceOfItsCall) {
    Orders orders;
    orders.create(id_at(kMade, 1), "B1");
    orders.create(id_at(kMade, 2), "B2", "11111111111111111111111111111111");
    EXPECT_EQ(orders.found(std::string(kTrace)), "trace_id B1");
    EXPECT_EQ(orders.found("00-" + std::string(kTrace) + "-b7ad6b7169203331-01"), "trace_id B1");
    EXPECT_EQ(orders.found("22222222222222222222222222222222"), "not_found");
}

TEST(FindEntities, ByItsSupportIdAmongThoseOfTheSameMillisecond) {
    Orders orders;
    for (unsigned i = 0; i < 5; ++i) orders.create(id_at(kMade, i), "B" + std::to_string(i));
    orders.create(id_at(kMade - 1, 9), "early");
    orders.create(id_at(kMade + 1, 0), "late");
    const json::object document = *orders.find("B3");
    const std::string support(document.at("found").at(0).at("support_id").as_string());
    EXPECT_EQ(support, id::triple_id(kTrace, "B3", kMade));
    EXPECT_EQ(orders.found(support), "support_id B3");
    EXPECT_EQ(orders.found(id::triple_id(kTrace, "B3", kMade + 1)), "not_found");
    EXPECT_EQ(orders.found(id::triple_id("ffffffffffff", "B3", kMade)), "not_found");
    EXPECT_EQ(orders.found(id::triple_id(kTrace, "B3", 0)), "not_found") << "before there were ids";
}

TEST(FindEntities, ByTheProvidersNumberOfItsPayment) {
    Orders orders;
    const std::string id = id_at(kMade, 1);
    orders.create(id, "B1");
    orders.create(id_at(kMade, 2), "B2");
    orders.pay(id, "T-77");
    EXPECT_EQ(orders.found("T-77"), "value B1");
    EXPECT_EQ(orders.find("T-77").value().at("looked_through"), 2);
    EXPECT_EQ(orders.found("T-78"), "not_found");
}

TEST(FindEntities, ByThePaymentThatCameTooLateOrASecondTime) {
    Orders orders;
    const std::string id = id_at(kMade, 1);
    orders.create(id, "B1");
    orders.pay(id, "T-1");
    orders.pay(id, "T-2");
    EXPECT_EQ(orders.found("T-1"), "value B1") << "the one that took effect";
    EXPECT_EQ(orders.found("T-2"), "saga B1") << "the one that is given back";
    EXPECT_EQ(orders.find("T-2").value().at("looked_through"), 0);
}

TEST(FindEntities, ASearchEndsWhereItIsToldTo) {
    Orders orders;
    for (unsigned i = 0; i < 600; ++i) orders.create(id_at(kMade, i), "B" + std::to_string(i));
    orders.pay(id_at(kMade, 0), "T-77");
    EXPECT_EQ(orders.found("T-77", 500), "not_found") << "older ones are not looked at";
    EXPECT_EQ(orders.found("T-77", 501), "value B0");
}

TEST(FindEntities, WhatWaitsForItsOrderIsToldToo) {
    Orders orders;
    flow::Event paid = flow::payment("T-99", "12.50");
    paid.now_ms = orders.records.now_ms();
    const store::FlowSubject subject{"acme", "order", {}, "B9"};
    store::FlowCommit commit{
        .subject = subject,
        .decision = std::get<flow::Arbitration>(flow::without_entity(
            orders.machine(), {.id = {}, .tenant = "acme", .business_key = "B9"}, paid))};
    ASSERT_TRUE(orders.hand.run(orders.flows.commit(std::move(commit))));
    const json::object document = orders.find("T-99").value();
    EXPECT_TRUE(document.at("found").as_array().empty());
    EXPECT_EQ(document.at("waiting").at(0).at("business_key"), "B9");
    EXPECT_EQ(document.at("waiting").at(0).at("event"), "pay");
}

// A payment that differs, of an order or of none.
struct Differing : Orders {
    void differs(const std::string& transaction, const store::FlowSubject& of) {
        flow::Fact fact{sha256(transaction), "pay", {{"transaction_id", transaction}}, {}, {}};
        flow::Arbitration told{.kind = flow::Arbitration::Kind::attention,
                               .reason = "amount_mismatch: `amount` is `99`",
                               .id = of.id,
                               .judged_on = of.id.empty() ? 0U : 1U,
                               .event = flow::payment(transaction, "99"),
                               .about = {fact}};
        EXPECT_TRUE(hand.run(flows.commit({of, std::move(told)})));
    }
    void close(const std::string& number) {
        const auto closed =
            hand.run(flows.close_attention({std::stoull(number), "ann", "paid back", {}}));
        EXPECT_EQ(closed.value(), store::Closing::closed);
    }
};

TEST(FindEntities, WhatWaitsForAPersonAboutAnOrderIsToldWithItAndWhatOneHasClosed) {
    Differing orders;
    const std::string id = id_at(kMade, 1);
    orders.create(id, "B1");
    orders.create(id_at(kMade, 2), "B2");
    orders.differs("T-7", {"acme", "order", id, "B1"});
    for (const std::string& word : {id, std::string("B1")}) {
        const json::object document = orders.find(word).value();
        const json::array entries = document.at("found").at(0).at("entries").as_array();
        ASSERT_EQ(entries.size(), 1U) << word;
        EXPECT_EQ(entries[0].at("event").at("values").at("transaction_id"), "T-7");
        EXPECT_FALSE(entries[0].as_object().contains("closed"));
    }
    EXPECT_TRUE(orders.find("B2")->at("found").at(0).at("entries").as_array().empty());
    EXPECT_EQ(orders.found("T-7"), "attention B1") << "by the payment itself, too";
    const json::object open = orders.find("T-7").value();
    EXPECT_TRUE(open.at("attention").as_array().empty()) << "once is enough";
    orders.close(open.at("found").at(0).at("entries").at(0).at("number").as_string().c_str());
    const json::object closed = orders.find("T-7").value();
    EXPECT_EQ(orders.found("T-7"), "attention B1") << "she who asks again is told what was done";
    EXPECT_EQ(closed.at("found").at(0).at("entries").at(0).at("closed").at("by"), "ann");
}

TEST(FindEntities, WhatABrokenReportNamesIsToldThoughThereIsNoSuchOrder) {
    Differing orders;
    orders.differs("T-8", {"acme", "order", {}, "B-lost"});
    for (const char* word : {"T-8", "B-lost"}) {
        const json::object document = orders.find(word).value();
        EXPECT_TRUE(document.at("found").as_array().empty());
        ASSERT_EQ(document.at("attention").as_array().size(), 1U) << word;
        EXPECT_EQ(document.at("attention").at(0).at("business_key"), "B-lost");
    }
    orders.close(orders.find("T-8")->at("attention").at(0).at("number").as_string().c_str());
    EXPECT_EQ(orders.find("B-lost")->at("attention").at(0).at("closed").at("by"), "ann");
    orders.differs("T-9", {"other", "order", {}, "B-theirs"});
    for (const char* word : {"T-9", "B-theirs"}) EXPECT_EQ(orders.found(word), "not_found");
}

TEST(FindEntities, NothingOfAnotherTenantIsFound) {
    Orders orders;
    const flow::Entity theirs = orders.create(id_at(kMade, 1), "B1", kTrace, "other");
    for (const std::string& word : {theirs.id, std::string("B1"), std::string(kTrace),
                                    id::triple_id(kTrace, "B1", kMade), std::string("12.50")})
        EXPECT_EQ(orders.found(word), "not_found") << word;
    EXPECT_EQ(orders.find("").error().code, Code::request_invalid);
}

TEST(SupportId, ATraceIsReadAloneAndFromATraceparent) {
    EXPECT_EQ(trace_id_in(kTrace), kTrace);
    EXPECT_EQ(trace_id_in("0AF7651916CD43DD8448EB211C80319C"), kTrace);
    EXPECT_EQ(trace_id_in("00-" + std::string(kTrace) + "-b7ad6b7169203331-01"), kTrace);
    for (const std::string_view none : {"", "00-", "0af765", "0af7651916cd43dd8448eb211c80319g"})
        EXPECT_EQ(trace_id_in(none), "") << none;
}

}  // namespace
}  // namespace pawl::api
