// SPDX-License-Identifier: Apache-2.0
// What a store writes, and the one reason why it writes nothing: in which order the reasons come.
#include "core/flow/judge.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/world_fixture.hpp"

namespace pawl::flow {
namespace {

using Why = Lost::Why;

Request request(std::string_view key = "k", std::string_view body = "b") {
    record::Claim claim;
    claim.identity = sha256(key);
    claim.claim.bytes[0] = static_cast<std::uint8_t>(body[0]);
    claim.fingerprint = sha256(body);
    claim.rule = sha256("rule");
    claim.owner = {"node:1", 7};
    claim.lease_ms = 30'000;
    claim.keep = {86'400'000, record::kForever};
    return {claim, {201, {{"Content-Type", "application/json"}}, "{}", true}};
}

Bundle paid(const World& world) {
    return std::get<Bundle>(transition(world.machine, world.entities.at("1"), payment("T1")));
}

Why why(const Judgement& judgement) { return std::get<Lost>(judgement).why; }

TEST(JudgeFlow, TheRecordIsClaimedAndCompletedInTheSameCommit) {
    const World world = order_world();
    const Bundle bundle = paid(world);
    const Judgement judged = judge(world.found("1", "", &bundle), bundle, request(), kStart, {42});
    const Write& write = std::get<Write>(judged);
    ASSERT_TRUE(write.record);
    EXPECT_EQ(write.record->state, record::State::completed);
    EXPECT_EQ(write.record->settled->fence, record::Fence{42});
    EXPECT_EQ(write.answer, request().answer);
}

TEST(JudgeFlow, AKeyThatWasUsedSaysWhatItsRecordSays) {
    const World world = order_world();
    const Bundle bundle = paid(world);
    Found found = world.found("1", "", &bundle);
    found.record = *std::get<Write>(judge(found, bundle, request(), kStart, {42})).record;
    found.entity->version = 9;  // the record comes first
    Judgement judged = judge(found, bundle, request(), kStart, {43});
    EXPECT_EQ(why(judged), Why::record);
    EXPECT_EQ(std::get<Lost>(judged).verdict->outcome, record::Outcome::replay);
    judged = judge(found, bundle, request("k", "other"), kStart, {43});
    EXPECT_EQ(std::get<Lost>(judged).verdict->outcome, record::Outcome::mismatch);
}

TEST(JudgeFlow, AnotherVersionWritesNothing) {
    const World world = order_world();
    const Bundle bundle = paid(world);
    Found found = world.found("1", "", &bundle);
    found.facts.emplace(bundle.take_facts[0].key, bundle.take_facts[0]);
    for (const std::uint64_t version : {0U, 2U}) {
        found.entity->version = version;
        EXPECT_EQ(why(judge(found, bundle, {}, kStart, {})), Why::version);
    }
    found.entity.reset();
    EXPECT_EQ(why(judge(found, bundle, {}, kStart, {})), Why::version);
    found.entity = world.entities.at("1");
    EXPECT_EQ(why(judge(found, bundle, {}, kStart, {})), Why::fact);
    EXPECT_EQ(std::get<Lost>(judge(found, bundle, {}, kStart, {})).holder,
              bundle.take_facts[0].holder);
}

TEST(JudgeFlow, RefusalsAndArbitrationsSpeakAboutTheirVersionToo) {
    const World world = order_world();
    Found found = world.found("1", "", nullptr);
    const Refusal refusal{Reason::transition_refused, "", 1, "created", {}};
    const Arbitration parked{Arbitration::Kind::parked, "", "1", 1, WaitingFact{}, ""};
    EXPECT_TRUE(std::get<Write>(judge(found, refusal, request(), kStart, {1})).record);
    EXPECT_TRUE(std::get<Write>(judge(found, parked, {}, kStart, {})).waits);
    found.entity->version = 2;
    EXPECT_EQ(why(judge(found, refusal, request(), kStart, {1})), Why::version);
    EXPECT_EQ(why(judge(found, parked, {}, kStart, {})), Why::version);
}

TEST(JudgeFlow, OnlyBusinessRefusalsBecomeResults) {
    const World world = order_world();
    const Found found = world.found("1", "", nullptr);
    for (int i = 0; i < kReasonCount; ++i) {
        const Refusal refusal{static_cast<Reason>(i), "", 1, "created", {}};
        const Judgement judged = judge(found, refusal, request(), kStart, {1});
        EXPECT_EQ(std::get<Write>(judged).record.has_value(), row_of(refusal.reason).stored)
            << name_of(refusal.reason);
    }
}

TEST(JudgeFlow, DeadlinesCountFromTheCommitAndRenewalsInBetweenStay) {
    World world = order_world();
    Bundle bundle = std::get<Bundle>(
        transition(world.machine, world.entity(), {.name = "begin_payment", .caller = "ann"}));
    std::erase(bundle.stop, "unpaid");
    world.entity().deadlines.back().due_ms += 5;
    const Write write =
        std::get<Write>(judge(world.found("1", "", &bundle), bundle, {}, kStart + 700, {}));
    const auto& deadlines = write.entity->deadlines;
    ASSERT_EQ(deadlines.size(), 2U);
    EXPECT_EQ(deadlines[0].due_ms, kStart + 30 * 60'000 + 5);
    EXPECT_EQ(deadlines[1].due_ms, kStart + 700 + 45 * 60'000);
    EXPECT_EQ(write.history->at_ms, kStart + 700);
}

TEST(JudgeFlow, OfTwoRenewalsTheLaterOneHolds) {
    World world = order_world();
    const Renewal late{1, "created", kStart + 1'000'000};
    const Renewal early{1, "created", kStart + 950'000};
    for (const Renewal& one : {late, early})
        world.apply(std::get<Write>(judge(world.found("1", "", nullptr), one)));
    EXPECT_EQ(world.entity().deadlines[0].due_ms, kStart + 1'000'000);
    EXPECT_EQ(why(judge(world.found("1", "", nullptr), Renewal{2, "created", 0})), Why::version);
    EXPECT_EQ(why(judge(world.found("1", "", nullptr), Renewal{1, "paying", 0})), Why::version);
}

TEST(JudgeFlow, ARenewalOvertakesTheQuestionOfADueDeadline) {
    World world = order_world();
    const Later later{timer::asked_again(world.entity().deadlines[0], kStart), 1};
    EXPECT_TRUE(std::holds_alternative<Write>(judge(world.found("1", "", nullptr), later)));
    world.entity().deadlines[0].due_ms += 1;
    EXPECT_EQ(why(judge(world.found("1", "", nullptr), later)), Why::not_due);
}

TEST(JudgeFlow, AnEntryAboutAFactThatIsTakenIsLostAndADeadlineThatIsPutOffStays) {
    World world = order_world();
    world.send(payment("T1"));
    const Fact taken = world.facts.begin()->second;
    Found found;
    found.entity = world.entity();
    found.facts.emplace(taken.key, taken);
    Arbitration told{.kind = Arbitration::Kind::attention, .id = "1", .judged_on = 2};
    told.about = {taken};
    const Lost lost = std::get<Lost>(judge(found, told, {}, kStart, {}));
    EXPECT_EQ(lost.why, Lost::Why::fact);
    EXPECT_EQ(lost.holder, taken.holder);
    told.about.clear();
    timer::Running later = world.entity().deadlines.front();
    later.next_ms = later.due_ms + 1'000;
    told.put_off = later;
    EXPECT_EQ(std::get<Lost>(judge(found, told, {}, later.due_ms - 1, {})).why, Lost::Why::not_due);
    const Write write = std::get<Write>(judge(found, told, {}, later.due_ms, {}));
    EXPECT_EQ(write.entity->deadlines.front(), later);
    EXPECT_EQ(write.entity->version, 2U);
    EXPECT_TRUE(write.attention);
}

TEST(JudgeFlow, ADeadlineThatWasRenewedIsNotEndedByWhatWasAskedBefore) {
    World world = order_world();
    Arbitration gave_up{Arbitration::Kind::attention, "gave up", "1", 1, {}, "created"};
    const std::int64_t due_ms = world.entity().deadlines[0].due_ms;
    const Judgement ended = judge(world.found("1", "", nullptr), gave_up, {}, due_ms, {});
    EXPECT_EQ(std::get<Write>(ended).entity->deadlines.size(), 1U);
    EXPECT_EQ(why(judge(world.found("1", "", nullptr), gave_up, {}, due_ms - 1, {})), Why::not_due);
}

TEST(JudgeFlow, RowsThatContradictEachOtherAreNoShortage) {
    World world = order_world();
    world.send("begin_payment");
    world.send("reserve");
    world.levels[sku("A")].reserved = 1;
    const Bundle bundle = paid(world);
    EXPECT_EQ(why(judge(world.found("1", "", &bundle), bundle, {}, kStart, {})), Why::unsound);
    EXPECT_EQ(world.send(payment("T1")), "unsound");
}

TEST(JudgeFlow, ABusinessKeyIsOneEntitys) {
    World world = order_world();
    const Creation same{"2", "t", "B1"};
    const Event created = [] {
        Event event = new_order();
        event.name = "create";
        return event;
    }();
    const Bundle bundle = std::get<Bundle>(create(world.machine, same, created));
    const Judgement judged = judge(world.found("2", "", &bundle), bundle, {}, kStart, {});
    EXPECT_EQ(why(judged), Why::business_key);
    const Decision again = create(world.machine, same, created, learnt({}, std::get<Lost>(judged)));
    EXPECT_EQ(std::get<Refusal>(again).reason, Reason::business_key_taken);
    EXPECT_EQ(std::get<Refusal>(again).winner->id, "1");
}

TEST(JudgeFlow, WhatWasLearntAboutAnotherVersionIsForgotten) {
    Circumstances known{.probed = Probed::unpaid, .may_read = true};
    known.short_of = sku("A");
    const Circumstances next = learnt(known, {.why = Why::version});
    EXPECT_EQ(next.probed, Probed::not_yet);
    EXPECT_FALSE(next.short_of);
    EXPECT_TRUE(next.may_read);
    EXPECT_EQ(learnt(known, {.why = Why::stock, .sku = sku("B")}).short_of, sku("B"));
    EXPECT_EQ(learnt(known, {.why = Why::stock, .sku = sku("B")}).probed, Probed::unpaid);
}

TEST(JudgeFlow, AWaitingFactLeavesWhenItIsSettledAndTheOthersWake) {
    World world = order_world();
    const Bundle bundle = paid(world);
    const WaitingFact first{"m", "t", "order", payment("T1"), 7};
    const WaitingFact second{"m", "t", "order", {.name = "deliver"}, 9};
    Found found = world.found("1", "", &bundle);
    found.waiting = {first, second};
    found.settles = first;
    Write write = std::get<Write>(judge(found, bundle, {}, kStart, {}));
    EXPECT_EQ(write.leaves, first);
    EXPECT_EQ(write.wakes, std::vector{second});
    const Arbitration parked{Arbitration::Kind::parked, "", "1", 1, second, ""};
    write = std::get<Write>(judge(found, parked, {}, kStart, {}));
    EXPECT_FALSE(write.leaves) << "it waits on, with its own end";
    EXPECT_FALSE(write.waits);
    const Arbitration ignored{Arbitration::Kind::ignored, "", "1", 1, {}, ""};
    EXPECT_EQ(std::get<Write>(judge(found, ignored, {}, kStart, {})).leaves, first);
}

}  // namespace
}  // namespace pawl::flow
