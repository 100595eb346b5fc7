// SPDX-License-Identifier: Apache-2.0
#include "core/record/row_format.hpp"

#include <gtest/gtest.h>

#include "core/record/record_fixture.hpp"
#include "core/record/wire.hpp"

namespace pawl::record {
namespace {

std::string sealed(std::string_view bytes) {
    WireWriter out;
    out.raw(bytes);
    out.seal();
    return out.take();
}

std::string resealed(std::string bytes) {
    bytes.resize(bytes.size() - kSealSize);
    return sealed(bytes);
}

Row full_row() {
    Record record;
    record.rerunnable = true;
    record.make_completed(1);
    record.apply(record.withdraw(8));
    record.apply(record.claim(2, 2));
    Row row = record.row;
    row.owner_gone_ms = 5;
    row.earlier_may_live = true;
    row.took_over = true;
    row.forced = true;
    row.key_until_ms = kForever;
    row.caller = caller_digest("acme", "ada");
    return row;
}

TEST(RowFormat, EveryFieldComesBack) {
    const Row row = full_row();
    ASSERT_TRUE(row.beside && row.stamp && !row.withdrawn.empty());
    EXPECT_EQ(decode_row(encode(row)), row);
}

TEST(RowFormat, EveryStateOfTheProtocolComesBack) {
    for (const auto make :
         {&Record::make_in_progress, &Record::make_uncertain, &Record::make_completed,
          &Record::make_tombstone, &Record::make_freed}) {
        for (const std::optional<int> stamp : {std::optional<int>{}, std::optional<int>{3}}) {
            Record record;
            (record.*make)(stamp);
            EXPECT_EQ(decode_row(encode(record.row)), record.row);
        }
    }
    EXPECT_EQ(decode_row(encode(unreadable_row(sha256("x")))), unreadable_row(sha256("x")));
}

// As early releases wrote them, and as rows of routes that know no caller are still written.
TEST(RowFormat, WithoutACallerItIsFormatOne) {
    Row row = full_row();
    const std::string with = encode(row);
    row.caller = {};
    const std::string without = encode(row);
    EXPECT_EQ(with.front(), 2);
    EXPECT_EQ(without.front(), 1);
    EXPECT_EQ(with.size(), without.size() + 16);
    EXPECT_EQ(decode_row(without), row);
}

TEST(RowFormat, ACallerStandsInFormatTwoAndNowhereElse) {
    for (const bool known : {true, false}) {
        Row row = full_row();
        if (!known) row.caller = {};
        std::string bytes = encode(row);
        bytes[0] = known ? 1 : 2;
        EXPECT_FALSE(decode_row(resealed(bytes)).has_value());
    }
    std::string nobody = encode(full_row());
    const std::string caller(reinterpret_cast<const char*>(full_row().caller.bytes.data()), 16);
    nobody.replace(nobody.find(caller), caller.size(), std::string(16, '\0'));
    EXPECT_FALSE(decode_row(resealed(nobody)).has_value());
}

TEST(RowFormat, SaysWhoseItIsWhateverElseIsDamaged) {
    const Row row = full_row();
    std::string bytes = encode(row);
    EXPECT_EQ(identity_bytes(bytes), row.identity.view());
    EXPECT_EQ(identity_bytes(std::string_view(bytes).substr(0, 36)), row.identity.view());
    EXPECT_EQ(identity_bytes(std::string_view(bytes).substr(0, 35)), "");
    EXPECT_EQ(identity_bytes(""), "");
}

TEST(RowFormat, BothKindsOfStampsComeBackAndNoThird) {
    Record record;
    Claim claim = record.claim(1, 1);
    claim.stamp = Stamp{StampKind::time, "2026-11-29T14:47:32.5"};
    record.apply(claim);
    EXPECT_EQ(decode_row(encode(record.row)), record.row);
    record.row.stamp->kind = static_cast<StampKind>(3);
    EXPECT_FALSE(decode_row(encode(record.row)).has_value());
    record.row.stamp = Stamp{StampKind::integer, ""};
    EXPECT_FALSE(decode_row(encode(record.row)).has_value());
}

TEST(RowFormat, AShrunkRowIsSmall) {
    Record record;
    record.make_completed(3);
    record.now_ms += kKeyKept;
    ASSERT_EQ(record.apply(record.expire()), Outcome::shrunk);
    EXPECT_LT(encode(record.row).size(), 160U);
}

TEST(RowFormat, EveryCutIsRefused) {
    const std::string bytes = encode(full_row());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto row = decode_row(std::string_view(bytes).substr(0, size));
        ASSERT_FALSE(row.has_value());
        EXPECT_EQ(row.error().code, Code::store_corrupt);
    }
}

TEST(RowFormat, EveryCutIsRefusedWithAFittingSumToo) {
    const std::string bytes = encode(full_row());
    for (std::size_t size = kSealSize + 1; size < bytes.size(); ++size)
        EXPECT_FALSE(decode_row(resealed(bytes.substr(0, size))).has_value()) << size;
}

TEST(RowFormat, EveryFlippedBitIsRefused) {
    const std::string bytes = encode(full_row());
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        std::string flipped = bytes;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
        EXPECT_FALSE(decode_row(flipped).has_value()) << bit;
    }
}

TEST(RowFormat, TrailingBytesAreRefused) {
    EXPECT_FALSE(decode_row(encode(full_row()) + "x").has_value());
    EXPECT_FALSE(decode_row(resealed(encode(full_row()) + "x")).has_value());
    EXPECT_FALSE(decode_answer(encode(answer_of("x")) + "x").has_value());
}

TEST(RowFormat, NewerFormatIsToldApartFromDamage) {
    std::string bytes = encode(full_row());
    bytes[0] = static_cast<char>(kRowFormat + 1);
    ASSERT_FALSE(decode_row(bytes).has_value());
    EXPECT_EQ(decode_row(bytes).error().code, Code::store_newer);
    bytes[0] = 0;
    EXPECT_EQ(decode_row(bytes).error().code, Code::store_corrupt);
    std::string answer = encode(answer_of("x"));
    answer[0] = static_cast<char>(kAnswerFormat + 1);
    EXPECT_EQ(decode_answer(answer).error().code, Code::store_newer);
    EXPECT_EQ(decode_answer("").error().code, Code::store_corrupt);
}

TEST(RowFormat, AnotherFormatWithAFittingSumIsNotReadEither) {
    std::string bytes = encode(full_row());
    for (const char format : {char{0}, char{kRowFormat + 1}}) {
        bytes[0] = format;
        const auto row = decode_row(resealed(bytes));
        ASSERT_FALSE(row.has_value());
        EXPECT_EQ(row.error().code, format == 0 ? Code::store_corrupt : Code::store_newer);
    }
}

TEST(RowFormat, ValuesThatNoWriterWritesAreRefused) {
    Row row;
    row.state = State::freed;
    row.attempts = 5;
    const std::string bytes = encode(row);
    ASSERT_EQ(decode_row(resealed(bytes)), row);
    std::string other = bytes;
    other[1] = kStateCount;
    EXPECT_FALSE(decode_row(resealed(other)).has_value());
    other = bytes;
    other.replace(2, 1, "\x80\x04");  // flag 512
    EXPECT_FALSE(decode_row(resealed(other)).has_value());
    other = bytes;
    const std::size_t attempts = bytes.size() - kSealSize - 5;  // four empty texts follow
    ASSERT_EQ(other[attempts], 5);
    other.replace(attempts, 1, "\xff\xff\xff\xff\x0f");  // the most that fits
    EXPECT_EQ(decode_row(resealed(other))->attempts, 0xffffffffU);
    other.replace(attempts, 5, "\x80\x80\x80\x80\x10");
    EXPECT_FALSE(decode_row(resealed(other)).has_value());

    Record record;
    record.make_completed();
    record.row.settled->source = static_cast<Source>(4);
    EXPECT_FALSE(decode_row(encode(record.row)).has_value());
}

TEST(RowFormat, ARowThatIsNoRowIsRefused) {
    Row row;
    EXPECT_FALSE(decode_row(encode(row)).has_value());  // absent
    Record record;
    record.make_completed();
    for (const State state :
         {State::in_progress, State::open, State::uncertain, State::freed, State::absent}) {
        row = record.row;
        row.state = state;
        EXPECT_FALSE(decode_row(encode(row)).has_value()) << name_of(state);
    }
    row = record.row;
    row.beside = row.settled;
    EXPECT_FALSE(decode_row(encode(row)).has_value());
    row.settled.reset();
    EXPECT_FALSE(decode_row(encode(row)).has_value());
    row.state = State::freed;
    EXPECT_FALSE(decode_row(encode(row)).has_value());
}

// Offsets of a minimal row: format, state, flags, 32 of identity, fence, then what the flags announce.
TEST(RowFormat, AFieldThatIsEmptyIsNotAnnounced) {
    Row row;
    row.state = State::freed;
    const std::string bytes = encode(row);
    const auto announced = [&](char flags, std::size_t at, std::size_t zeros) {
        std::string other = bytes;
        other.resize(other.size() - kSealSize);
        other[2] = flags;
        other.insert(at, zeros, '\0');
        return decode_row(sealed(other));
    };
    ASSERT_EQ(announced(0, 0, 0), row);
    EXPECT_FALSE(announced(16, 36, 16).has_value());                        // a claim id of zeros
    EXPECT_FALSE(announced(32, 45, 1).has_value());                         // no withdrawn claims
    EXPECT_FALSE(announced(64, bytes.size() - kSealSize, 65).has_value());  // nothing said
}

TEST(RowFormat, NoMoreWithdrawnClaimsThanAreRemembered) {
    Record record;
    record.make_in_progress();
    record.row.withdrawn.assign(kWithdrawnMax, claim_id(9));
    EXPECT_EQ(decode_row(encode(record.row)), record.row);
    record.row.withdrawn.push_back(claim_id(9));
    EXPECT_FALSE(decode_row(encode(record.row)).has_value());
}

TEST(RowFormat, AResultThatSaysTheSameAsItsRowDoesNotRepeatIt) {
    Record record;
    record.make_completed(1);
    const std::string same = encode(record.row);
    record.row.settled->rule = sha256("another");
    EXPECT_GT(encode(record.row).size(), same.size() + 64);
    EXPECT_EQ(decode_row(encode(record.row)), record.row);
    // The same said twice: "\1" of as_row is put to "\0" and what the row says is written out again.
    std::string twice = same.substr(0, same.size() - kSealSize);
    const std::size_t as_row = twice.find(record.row.settled->answer_digest.view()) - 1;
    std::string said(
        "\x01\x01\x01"
        "1");
    said += record.row.fingerprint.view();
    said += record.row.rule.view();
    ASSERT_EQ(twice[as_row], 1);
    ASSERT_EQ(twice.substr(as_row - said.size(), said.size()), said);
    twice[as_row] = 0;
    twice.insert(as_row + 1, said);
    EXPECT_FALSE(decode_row(sealed(twice)).has_value());
}

TEST(RowFormat, NumbersOutsideTheirRangeAreRefused) {
    Answer answer = answer_of("");
    answer.headers.clear();
    const std::string bytes = encode(answer);
    ASSERT_EQ(bytes.size(), 6U);  // format, two of status, body_kept, count, body
    WireWriter out;
    out.byte(kAnswerFormat);
    out.whole(std::int64_t{1} << 31);
    out.raw(std::string_view(bytes).substr(3));
    EXPECT_FALSE(decode_answer(out.take()).has_value());
    std::string kept = bytes;
    kept[3] = 2;
    EXPECT_FALSE(decode_answer(kept).has_value());
    std::string count = bytes;
    count[4] = 1;  // one header line in one byte
    EXPECT_FALSE(decode_answer(count).has_value());
}

TEST(RowFormat, UnreadableRowIsUncertainWithoutAFingerprint) {
    Record record;
    record.row = unreadable_row(sha256("identity"));
    const Row before = record.row;
    EXPECT_EQ(before.identity, sha256("identity"));
    EXPECT_EQ(record.apply(record.claim(1)), Outcome::uncertain);
    EXPECT_EQ(record.apply(record.claim(1, 4)), Outcome::uncertain);
    EXPECT_EQ(record.apply(record.withdraw(1)), Outcome::lost);
    EXPECT_EQ(record.apply(BootEnded{before.identity, 1}), Outcome::unchanged);
    EXPECT_EQ(record.apply(record.settle(Basis::closed)), Outcome::conflict);
    EXPECT_EQ(record.apply(record.settle(Basis::quiet)), Outcome::owner_alive);
    EXPECT_EQ(record.row, before);
    EXPECT_EQ(record.apply(record.settle(Basis::seen)), Outcome::stored);
    record.now_ms += 100 * kKeyKept;
    EXPECT_EQ(record.apply(record.expire()), Outcome::unchanged);
    EXPECT_EQ(record.apply(record.claim(1)), Outcome::other_rule);
}

// Field case 7: absent and empty stay different, and every odd body comes back byte for byte.
TEST(AnswerFormat, EveryBodyComesBack) {
    for (const std::string body : {"", "0", "false", "null", "{}", "[]", "\0\xff\r\n"}) {
        Answer answer = answer_of(body, 200);
        EXPECT_EQ(decode_answer(encode(answer)), answer);
        answer.body_kept = false;
        EXPECT_EQ(decode_answer(encode(answer)), answer);
        EXPECT_NE(digest_of(answer), digest_of(answer_of(body, 200)));
    }
}

// Field case 21: lines of one name stay apart and in order.
TEST(AnswerFormat, HeaderLinesStayApartAndInOrder) {
    Answer answer = answer_of("x");
    answer.headers = {{"Link", "<a>; rel=\"next\""}, {"link", "<b>, <c>"}, {"Link", ""}};
    EXPECT_EQ(decode_answer(encode(answer)), answer);
    std::swap(answer.headers[0], answer.headers[2]);
    EXPECT_NE(digest_of(answer), digest_of(*decode_answer(encode(answer_of("x")))));
}

TEST(AnswerFormat, EveryCutIsRefused) {
    const std::string bytes = encode(answer_of("body"));
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(decode_answer(std::string_view(bytes).substr(0, size)).has_value()) << size;
}

}  // namespace
}  // namespace pawl::record
