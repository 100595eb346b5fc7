// SPDX-License-Identifier: Apache-2.0
// What is hidden, that it opens only where it lies, and that a repeat is known when the key has changed.
#include <gtest/gtest.h>

#include "core/flow/world_fixture.hpp"
#include "store/port/flow_format.hpp"
#include "store/sealed/flow_seal.hpp"

namespace pawl::store {
namespace {

SealingKeys keys(char digit) {
    return {SealingKey::parse(std::string(2 * kSealingKeyBytes, digit)).value(), {}};
}
bool holds(const std::string& bytes, std::string_view text) {
    return bytes.find(text) != std::string::npos;
}

class FlowSealTest : public testing::Test {
  protected:
    static flow::Event order_event() {
        flow::Event event = flow::new_order({{flow::sku("secret-sku"), 3}});
        event.name = "create";
        event.values["currency"] = "secret-currency";
        return event;
    }
    FlowCommit creation(const std::string& id) {
        auto decided = flow::create(machine_, {id, "acme", "B" + id}, order_event());
        return {.subject = {"acme", "order", id, "B" + id},
                .decision = std::get<flow::Bundle>(std::move(decided))};
    }
    static flow::Entity made(const FlowCommit& commit) {
        return flow::after({}, std::get<flow::Bundle>(commit.decision), 7);
    }
    FlowCommit waiting(const std::string& key, const std::string& transaction) {
        flow::Event event = flow::payment("secret-" + transaction);
        event.now_ms = flow::kStart;
        auto decided = flow::without_entity(machine_, {{}, "acme", key}, event);
        return {.subject = {"acme", "order", {}, key},
                .decision = std::get<flow::Arbitration>(std::move(decided))};
    }
    static flow::WaitingFact& fact_of(FlowCommit& commit) {
        return *std::get<flow::Arbitration>(commit.decision).waiting;
    }

    flow::Machine machine_ = flow::Machine::compile(flow::order_flow()).value();
    SealingKeys keys_ = keys('a');
    FlowSeal seal_{keys_};
};

TEST_F(FlowSealTest, NothingThatIsSaidOfAnOrderIsLegibleAndAllOfItComesBack) {
    FlowCommit commit = creation("1");
    const flow::Entity plain = made(commit);
    seal_.seal(commit);
    flow::Entity stored = made(commit);
    const std::string row = encode(stored);
    FlowStep step{std::get<flow::Bundle>(commit.decision).history, {}, {}, {}};
    const FlowSubject subject{"acme", "order", "1", {}};
    const std::string history = encode(StoredStep{1, subject, step});
    for (const char* word : {"secret-currency", "secret-sku"}) {
        EXPECT_FALSE(holds(row, word)) << word;
        EXPECT_FALSE(holds(history, word)) << word;
    }
    EXPECT_TRUE(seal_.open(stored));
    EXPECT_EQ(stored, plain);
    EXPECT_TRUE(seal_.open(step, subject));
    EXPECT_EQ(step.history.values, order_event().values);
}

// As if two rows were exchanged in the file.
TEST_F(FlowSealTest, AValueThatIsMovedDoesNotOpen) {
    FlowCommit one = creation("1");
    FlowCommit other = creation("2");
    seal_.seal(one);
    seal_.seal(other);
    const flow::Entity first = made(one);
    const flow::Entity second = made(other);
    flow::Entity swapped = first;
    swapped.fields.at("amount") = second.fields.at("amount");
    EXPECT_FALSE(seal_.open(swapped)) << "of another order";
    swapped = first;
    swapped.fields.at("amount").text = first.fields.at("currency").text;
    EXPECT_FALSE(seal_.open(swapped)) << "of another field";
    swapped = first;
    swapped.items = second.items;
    EXPECT_FALSE(seal_.open(swapped));
    swapped = first;
    swapped.tenant = "other";
    EXPECT_FALSE(seal_.open(swapped));
    swapped = first;
    swapped.fields.at("amount").text.back() ^= 1;
    EXPECT_FALSE(seal_.open(swapped)) << "changed";
    flow::History step = std::get<flow::Bundle>(one.decision).history;
    EXPECT_FALSE(seal_.open(step, {"acme", "order", "2", {}}));
    step.version = 2;
    EXPECT_FALSE(seal_.open(step, {"acme", "order", "1", {}}));
}

TEST_F(FlowSealTest, FactsThatWaitAreHiddenAndKnownByWhatTheySay) {
    FlowCommit parked = waiting("B1", "T1");
    const flow::WaitingFact plain = fact_of(parked);
    FlowCommit another = waiting("B1", "T2");
    seal_.seal(parked);
    seal_.seal(another);
    flow::WaitingFact stored = fact_of(parked);
    EXPECT_FALSE(holds(encode(WaitingEntry{1, parked.subject, stored}), "secret-T1"));
    EXPECT_EQ(flow::key_of(stored), flow::key_of(plain));
    // Under another key it is the same fact all the same.
    const SealingKeys rolled{keys('b').current, {*keys_.current}};
    const FlowSeal later(rolled);
    FlowCommit repeat = waiting("B1", "T1");
    later.seal(repeat);
    EXPECT_NE(fact_of(repeat).event.values, stored.event.values);
    EXPECT_EQ(flow::key_of(fact_of(repeat)), flow::key_of(stored));
    flow::WaitingFact swapped = stored;
    swapped.event.values = fact_of(another).event.values;
    EXPECT_FALSE(seal_.open(swapped));
    EXPECT_TRUE(later.open(stored)) << "the former key is known";
    EXPECT_EQ(stored, plain);
}

TEST_F(FlowSealTest, WhatPeopleAreToldIsHiddenToo) {
    const flow::Arbitration plain{
        .kind = flow::Arbitration::Kind::attention,
        .reason = "the amount is secret-5",
        .event = flow::payment("secret-T1"),
        .about = {{sha256("T1"), "pay", {{"transaction_id", "secret-T1"}}, {}, {}}}};
    FlowCommit told{.subject = {"acme", "order", {}, "B1"}, .decision = plain};
    seal_.seal(told);
    const auto& stored = std::get<flow::Arbitration>(told.decision);
    AttentionEntry entry{.subject = told.subject,
                         .reason = stored.reason,
                         .event = stored.event,
                         .about = stored.about};
    EXPECT_FALSE(holds(encode(entry), "secret-"));
    AttentionEntry moved = entry;
    moved.subject.business_key = "B2";
    EXPECT_FALSE(seal_.open(moved));
    EXPECT_TRUE(seal_.open(entry));
    EXPECT_EQ(entry.reason, "the amount is secret-5");
    EXPECT_EQ(entry.event, plain.event);
    EXPECT_EQ(entry.about, plain.about);
}

TEST_F(FlowSealTest, ACompensationIsBoundToItsKey) {
    FlowCommit commit = creation("1");
    auto& bundle = std::get<flow::Bundle>(commit.decision);
    bundle.sagas = {{"refund", sha256("one"), {{"transaction_id", "secret-T1"}}},
                    {"refund", sha256("two"), {{"transaction_id", "secret-T2"}}}};
    const auto plain = bundle.sagas;
    seal_.seal(commit);
    flow::SagaStart stored = bundle.sagas[0];
    EXPECT_FALSE(holds(stored.values[0].second, "secret-"));
    flow::SagaStart swapped = stored;
    swapped.values = bundle.sagas[1].values;
    EXPECT_FALSE(seal_.open(swapped));
    EXPECT_TRUE(seal_.open(stored));
    EXPECT_EQ(stored, plain[0]);
}

TEST_F(FlowSealTest, AnAnswerIsBoundToItsClaim) {
    FlowCommit commit = creation("1");
    record::Claim claim;
    claim.identity = sha256("key");
    claim.claim.bytes[0] = 1;
    const record::Answer plain{.status = 201, .headers = {{"ETag", "1"}}, .body = "secret-body"};
    commit.request = flow::Request{claim, plain};
    seal_.seal(commit);
    record::Answer stored = commit.request->answer;
    EXPECT_EQ(stored.status, 201);
    EXPECT_FALSE(holds(stored.body, "secret-"));
    EXPECT_TRUE(sealed_under(stored));
    record::ClaimId another;
    EXPECT_FALSE(seal_.open(stored, claim.identity, another));
    EXPECT_FALSE(seal_.open(stored, sha256("other"), claim.claim));
    EXPECT_TRUE(seal_.open(stored, claim.identity, claim.claim));
    EXPECT_EQ(stored, plain);
}

TEST_F(FlowSealTest, WhatWasStoredWithoutAKeyIsGivenOutAsItIs) {
    const SealingKeys none;
    const FlowSeal open(none);
    FlowCommit commit = creation("1");
    open.seal(commit);
    flow::Entity plain = made(commit);
    EXPECT_TRUE(seal_.open(plain));
    EXPECT_EQ(plain, made(creation("1")));
    seal_.seal(commit);
    flow::Entity sealed = made(commit);
    EXPECT_FALSE(open.open(sealed)) << "its key is not here any more";
}

}  // namespace
}  // namespace pawl::store
