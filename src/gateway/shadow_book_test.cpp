// SPDX-License-Identifier: Apache-2.0
#include "gateway/shadow_book.hpp"

#include <gtest/gtest.h>

namespace pawl::gateway {
namespace {

using namespace std::chrono_literals;
using policy::OutcomeClass;
using enum ShadowSeen;

struct Notes {
    ShadowBook book;

    ShadowNote note(const std::string& key, std::chrono::seconds began, std::chrono::seconds ended,
                    const std::string& body = "body") {
        ShadowNote made;
        made.route = "orders";
        made.key_tag = key;
        made.identity = sha256(key);
        made.fingerprint = sha256(body);
        made.began = MonotonicTime{began};
        made.ended = MonotonicTime{ended};
        return made;
    }
};

TEST(ShadowBook, TellsRepeatsFromFirstsAndFromOthers) {
    Notes the;
    EXPECT_EQ(the.book.take(the.note("k", 0s, 1s)), first);
    EXPECT_EQ(the.book.take(the.note("k", 2s, 3s)), replay);
    EXPECT_EQ(the.book.take(the.note("k", 4s, 5s, "another")), mismatch);
    EXPECT_EQ(the.book.take(the.note("k", 6s, 7s)), replay);
    EXPECT_EQ(the.book.take(the.note("other", 0s, 1s)), first);
    EXPECT_EQ(the.book.routes().at("orders").of(replay), 2);
    EXPECT_EQ(the.book.routes().at("orders").total(), 5);
}

TEST(ShadowBook, WhoRanAtTheSameTimeIsACopyWhoeverIsHeardFirst) {
    Notes the;
    EXPECT_EQ(the.book.take(the.note("k", 1s, 2s)), first);
    EXPECT_EQ(the.book.take(the.note("k", 0s, 3s)), in_flight);
    EXPECT_EQ(the.book.take(the.note("k", 1s, 3s)), in_flight);
    EXPECT_EQ(the.book.take(the.note("k", 2s, 4s)), replay);
    EXPECT_EQ(the.book.take(the.note("k", 1s, 2s, "another")), mismatch);
}

TEST(ShadowBook, WhatTheFirstOneEndedWithDecides) {
    Notes the;
    ShadowNote released = the.note("r", 0s, 1s);
    released.outcome = OutcomeClass::release;
    EXPECT_EQ(the.book.take(released), first);
    EXPECT_EQ(the.book.take(the.note("r", 2s, 3s, "changed")), first);
    EXPECT_EQ(the.book.take(the.note("r", 4s, 5s, "changed")), replay);
    ShadowNote lost = the.note("u", 0s, 1s);
    lost.outcome = OutcomeClass::uncertain;
    EXPECT_EQ(the.book.take(lost), first);
    EXPECT_EQ(the.book.take(the.note("u", 2s, 3s)), uncertain);
}

TEST(ShadowBook, ANaturalKeyIsGoodForItsWindow) {
    Notes the;
    const auto click = [&](std::chrono::seconds began) {
        ShadowNote made = the.note("n", began, began);
        made.window = 3s;
        return the.book.take(made);
    };
    EXPECT_EQ(click(0s), first);
    EXPECT_EQ(click(2s), natural);
    EXPECT_EQ(click(3s), first);
    EXPECT_EQ(click(5s), natural);
}

TEST(ShadowBook, WhatTheHeadTellsIsCountedAndNotCompared) {
    Notes the;
    for (const ShadowSeen seen : {key_missing, key_invalid, caller_unknown, not_judged}) {
        ShadowNote made = the.note("", 0s, 1s);
        made.seen = seen;
        EXPECT_EQ(the.book.take(made), seen);
        EXPECT_EQ(the.book.routes().at("orders").of(seen), 1);
    }
    EXPECT_EQ(the.book.keys(), 0);
}

TEST(ShadowBook, KeepsSoManyKeysAndForgetsTheOldest) {
    Notes the{ShadowBook(2)};
    EXPECT_EQ(the.book.take(the.note("a", 0s, 1s)), first);
    EXPECT_EQ(the.book.take(the.note("b", 0s, 1s)), first);
    EXPECT_EQ(the.book.keys_forgotten(), 0);
    EXPECT_EQ(the.book.take(the.note("c", 0s, 1s)), first);
    EXPECT_EQ(the.book.keys(), 2);
    EXPECT_EQ(the.book.keys_forgotten(), 1);
    EXPECT_EQ(the.book.take(the.note("b", 2s, 3s)), replay);
    EXPECT_EQ(the.book.take(the.note("a", 2s, 3s)), first);
}

TEST(ShadowBook, KeepsAFewExamplesOfEachKind) {
    Notes the;
    for (int i = 0; i <= static_cast<int>(kShadowExamplesMax); ++i) {
        the.book.take(the.note("k" + std::to_string(i), 0s, 1s));
        the.book.take(the.note("k" + std::to_string(i), 2s, 3s));
    }
    the.book.take(the.note("k1", 4s, 5s));
    const auto& examples =
        the.book.routes().at("orders").examples[static_cast<std::size_t>(replay)];
    EXPECT_EQ(examples, (std::vector<std::string>{"k2", "k3", "k4", "k5", "k1"}));
}

TEST(ShadowBook, RoutesThatAreNoShadowsAnyMoreAreForgotten) {
    Notes the;
    the.book.take(the.note("k", 0s, 1s));
    the.book.keep_only({"orders"});
    EXPECT_EQ(the.book.routes().size(), 1);
    the.book.keep_only({});
    EXPECT_TRUE(the.book.routes().empty());
}

TEST(ShadowSentence, SaysWhatWouldChange) {
    ShadowRoute route;
    EXPECT_EQ(shadow_sentence(route), "No request has come yet.");
    route.counts[static_cast<std::size_t>(first)] = 1;
    EXPECT_EQ(shadow_sentence(route), "Protecting it would have changed nothing for 1 request.");
    route.counts[static_cast<std::size_t>(first)] = 7;
    EXPECT_EQ(shadow_sentence(route), "Protecting it would have changed nothing for 7 requests.");
    route.counts[static_cast<std::size_t>(replay)] = 2;
    route.counts[static_cast<std::size_t>(mismatch)] = 1;
    EXPECT_EQ(shadow_sentence(route),
              "Of 10 requests, protecting it would have kept from running again: 2 repeats after "
              "the answer; refused: 1 other request under a known key (422).");
}

}  // namespace
}  // namespace pawl::gateway
