// SPDX-License-Identifier: Apache-2.0
// By what a repeat of a fact is known, and what tells two facts apart.
#include <set>

#include <gtest/gtest.h>

#include "core/flow/bundle.hpp"

namespace pawl::flow {
namespace {

WaitingFact fact(Event event, std::string meeting = "m") {
    return {std::move(meeting), "acme", "order", std::move(event), 7};
}
Event paid() {
    return {.name = "pay",
            .values = {{"amount", "5"}, {"transaction_id", "T1"}},
            .items = {{{stock::Kind::goods, "A"}, 2}},
            .sender = Sender::callback};
}

TEST(KeyOfAFact, IsTheSameWheneverAndByWhomeverItIsRepeated) {
    Event later = paid();
    later.now_ms = 99;
    later.hlc = 5;
    later.trace_context = "00-2";
    later.caller = "another connection";
    WaitingFact again = fact(later);
    again.until_ms = 1'000;
    EXPECT_EQ(key_of(again), key_of(fact(paid())));
    EXPECT_EQ(attention_key("m", "late", later), attention_key("m", "late", paid()));
}

TEST(KeyOfAFact, DiffersWithEverythingThatItSays) {
    std::vector<WaitingFact> facts{fact(paid()), fact(paid(), "another")};
    const auto with = [&](auto change) {
        Event event = paid();
        change(event);
        facts.push_back(fact(std::move(event)));
    };
    with([](Event& one) { one.name = "deliver"; });
    with([](Event& one) { one.values["amount"] = "6"; });
    with([](Event& one) { one.values.erase("amount"); });
    with([](Event& one) { one.values = {{"amount", "5transaction_idT1"}}; });
    with([](Event& one) { one.values = {{"amount", "5"}, {"transaction_id", ""}, {"T1", ""}}; });
    with([](Event& one) { one.items.clear(); });
    with([](Event& one) { one.items[0].quantity = 3; });
    with([](Event& one) { one.items[0].sku.kind = stock::Kind::voucher; });
    with([](Event& one) { one.stamp = record::Stamp{record::StampKind::integer, "1"}; });
    with([](Event& one) { one.stamp = record::Stamp{record::StampKind::integer, "2"}; });
    std::set<Digest> keys;
    for (const WaitingFact& one : facts) {
        EXPECT_TRUE(keys.insert(key_of(one)).second) << keys.size();
        EXPECT_TRUE(keys.insert(attention_key(one.meeting, "late", one.event)).second);
    }
    EXPECT_TRUE(keys.insert(attention_key("m", "early", paid())).second);
    EXPECT_TRUE(keys.insert(attention_key("m", "late", std::nullopt)).second);
    EXPECT_TRUE(keys.insert(attention_key("m", "late", Event{})).second);
}

}  // namespace
}  // namespace pawl::flow
