// SPDX-License-Identifier: Apache-2.0
#include "store/port/flow_format.hpp"

#include <gtest/gtest.h>

#include "core/record/wire.hpp"

namespace pawl::store {
namespace {

const record::Stamp kStamp{record::StampKind::time, "2026-01-01T00:00:00"};
const flow::Holder kHolder{"7", 3, "ann", 1'700'000'000'000};
const flow::Fact kFact{sha256("fact"), "pay", {{"provider", "wx"}}, {"paid"}, kHolder};
const flow::Slot kSlot{"room 1", "10:00", "11:00", {"created"}, kHolder};
const stock::Sku kSku{stock::Kind::voucher, "A"};

flow::Event event() {
    return {.name = "pay",
            .values = {{"amount", "12.50"}, {"note", ""}},
            .items = {{kSku, 2}},
            .sender = flow::Sender::probe,
            .caller = "ann",
            .roles = {"clerk"},
            .stamp = kStamp,
            .if_match = std::uint64_t{1} << 60,
            .deadline = "unpaid",
            .now_ms = -1,
            .hlc = 5,
            .trace_context = "00-1"};
}

flow::Entity entity() {
    flow::Entity one;
    one.id = "7";
    one.tenant = "acme";
    one.flow = "order";
    one.state = "paid";
    one.version = 3;
    one.created_ms = 1'700'000'000'000;
    one.business_key = "B7";
    one.fields = {{"amount", {flow::FieldType::money, "12.50"}},
                  {"at", {flow::FieldType::time, "2026-01-01T00:00:00Z"}}};
    one.items = {{kSku, stock::kQuantityMax}};
    one.stock = {{kSku, {4, 1, 2, 1}}};
    one.deadlines = {{"paid", 10, 20, 3}, {"unpaid", timer::kNever, timer::kNever, 0}};
    one.facts = {kFact};
    one.slots = {kSlot};
    one.ended_ms = 77;
    one.marks = {{"pay", kStamp, 2, "ann", 9}, {"ship", {}, 3, {}, 10}};
    return one;
}

FlowStep step() {
    FlowStep one;
    one.history = {3,
                   flow::Course::branched,
                   "pay",
                   "created",
                   "cancelled",
                   "order.short",
                   {{"amount", "1"}},
                   flow::Sender::callback,
                   "wx",
                   9,
                   8,
                   "00-2"};
    one.moves = {{kSku, {-1, 0, 1}, {1, 1, 0, 0}}};
    one.sagas = {{"refund", sha256("saga"), {{"transaction_id", "T1"}}}};
    one.request = sha256("identity");
    return one;
}

TEST(FlowFormat, EverythingOfAnEntityComesBack) {
    EXPECT_EQ(decode_entity(encode(entity())), entity());
    EXPECT_EQ(decode_entity(encode(flow::Entity{})), flow::Entity{});
}

TEST(FlowFormat, EverythingOfAStepComesBack) {
    const FlowSubject subject{"acme", "order", "7", {}};
    const auto back = decode_step(encode(StoredStep{5, subject, step()}));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->number, 0U);
    EXPECT_EQ(back->subject, subject);
    EXPECT_EQ(back->step, step());
    EXPECT_EQ(decode_step(encode(StoredStep{}))->step, FlowStep{});
}

TEST(FlowFormat, EverythingOfASagaComesBack) {
    record::ClaimId claim;
    for (std::size_t i = 0; i < claim.bytes.size(); ++i)
        claim.bytes[i] = static_cast<std::uint8_t>(255 - i);
    const SagaRow saga{0,
                       {"acme", "order", "7", "B7"},
                       3,
                       step().sagas.at(0),
                       SagaState::needs_attention,
                       4,
                       99,
                       "no",
                       claim};
    EXPECT_EQ(decode_saga(encode(saga)), saga);
}

TEST(FlowFormat, FactsAndSlotsComeBack) {
    EXPECT_EQ(decode_fact(encode(kFact)), kFact);
    EXPECT_EQ(decode_slot(encode(kSlot)), kSlot);
}

// Their numbers are the store's, beside the row.
TEST(FlowFormat, WhatWaitsComesBackWithoutItsNumber) {
    const FlowSubject subject{"acme", "order", {}, "B7"};
    const auto waiting =
        decode_waiting(encode(WaitingEntry{4, subject, {"meeting", "acme", "order", event(), 77}}));
    ASSERT_TRUE(waiting);
    EXPECT_EQ(waiting->number, 0U);
    EXPECT_EQ(waiting->subject, subject);
    EXPECT_EQ(waiting->fact, (flow::WaitingFact{"meeting", "acme", "order", event(), 77}));
    const auto attention = decode_attention(
        encode(AttentionEntry{4, subject, "amount_mismatch", 3, event(), 78, 79, "ann", "asked"}));
    ASSERT_TRUE(attention);
    EXPECT_EQ(attention->reason, "amount_mismatch");
    EXPECT_EQ(attention->judged_on, 3U);
    EXPECT_EQ(attention->event, event());
    EXPECT_EQ(attention->at_ms, 78);
    EXPECT_EQ(attention->closed_ms, 79);
    EXPECT_EQ(attention->closed_by, "ann");
    EXPECT_EQ(attention->why, "asked");
    EXPECT_TRUE(attention->about.empty());
    const auto about = decode_attention(
        encode(AttentionEntry{.reason = "r", .about = {kFact}, .closed_as = ClosedAs::taken}));
    ASSERT_TRUE(about);
    EXPECT_EQ(about->about, std::vector{kFact});
    EXPECT_EQ(about->closed_as, ClosedAs::taken);
}

// As the version before wrote it: its entries said nothing of facts.
TEST(FlowFormat, RowsOfTheFormatBeforeAreRead) {
    AttentionEntry entry{.subject = {"acme", "order", "7", "B7"}, .reason = "amount_mismatch"};
    const std::string now = encode(entry);
    const std::size_t added = 2;  // an empty list, and how it was closed
    std::string before = now.substr(0, now.size() - record::kSealSize - added);
    before[0] = 2;
    record::WireWriter out;
    out.raw(before);
    out.seal();
    const auto read = decode_attention(out.take());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->reason, "amount_mismatch");
    EXPECT_TRUE(read->about.empty());
}

TEST(FlowFormat, WhatIsCutOrChangedIsNoRow) {
    const std::string whole = encode(entity());
    for (std::size_t size = 0; size < whole.size(); ++size)
        ASSERT_FALSE(decode_entity(whole.substr(0, size))) << size;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0x10);
        ASSERT_FALSE(decode_entity(changed)) << at;
    }
}

// With a seal that fits, too: nothing is read past its end, and no list is longer than its bytes.
TEST(FlowFormat, WhatIsSealedAndDoesNotFitIsNoRow) {
    const std::string whole = encode(entity());
    const std::string bare = whole.substr(0, whole.size() - record::kSealSize);
    const auto sealed = [](std::string_view bytes) {
        record::WireWriter out;
        out.raw(bytes);
        out.seal();
        return out.take();
    };
    ASSERT_EQ(decode_entity(sealed(bare)), entity());
    for (std::size_t size = 0; size < bare.size(); ++size)
        ASSERT_FALSE(decode_entity(sealed(bare.substr(0, size)))) << size;
    EXPECT_FALSE(decode_entity(sealed(bare + '\0')));
    std::string newer = bare;
    newer[0] = static_cast<char>(kFlowFormat + 1);
    EXPECT_FALSE(decode_entity(sealed(newer)));
    std::string endless(20, '\0');
    endless[0] = static_cast<char>(kFlowFormat);
    endless += "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F";
    EXPECT_FALSE(decode_entity(sealed(endless)));
}

}  // namespace
}  // namespace pawl::store
