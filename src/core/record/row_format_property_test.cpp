// SPDX-License-Identifier: Apache-2.0
// Any row and any answer come back; any bytes are read or refused, and nothing else happens.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/record/record_fixture.hpp"
#include "core/record/row_format.hpp"
#include "core/record/wire.hpp"

namespace pawl::record {
namespace {

Digest any_digest() { return sha256(*rc::gen::arbitrary<std::string>()); }
std::int64_t any_time() { return *rc::gen::scale(20.0, rc::gen::arbitrary<std::int64_t>()); }
bool any_bool() { return *rc::gen::arbitrary<bool>(); }

std::optional<Stamp> any_stamp() {
    if (any_bool()) return std::nullopt;
    if (any_bool()) return Stamp{StampKind::time, "2026-01-01T00:00:00.5"};
    return Stamp{StampKind::integer, std::to_string(*rc::gen::arbitrary<std::uint64_t>())};
}

Settled any_settled(const Row& row) {
    Settled settled;
    const bool as_row = any_bool();
    settled.stamp = as_row ? row.stamp : any_stamp();
    settled.fingerprint = as_row ? row.fingerprint : any_digest();
    settled.rule = as_row ? row.rule : any_digest();
    settled.answer_digest = any_digest();
    settled.status = *rc::gen::arbitrary<int>();
    settled.source =
        *rc::gen::element(Source::owner, Source::probe, Source::callback, Source::person);
    settled.fence.number = *rc::gen::arbitrary<std::uint64_t>();
    settled.settled_ms = any_time();
    settled.result_until_ms = any_time();
    return settled;
}

Row any_row() {
    Row row;
    row.state = *rc::gen::element(State::in_progress, State::open, State::uncertain,
                                  State::completed, State::tombstone, State::freed);
    row.identity = any_digest();
    for (std::string* text :
         {&row.tenant, &row.operation, &row.key_label, &row.trace_id, &row.owner.node})
        *text = *rc::gen::arbitrary<std::string>();
    row.fence.number = *rc::gen::arbitrary<std::uint64_t>();
    row.claim = claim_id(*rc::gen::arbitrary<std::uint8_t>());
    if (any_bool()) row.caller = caller_digest("", *rc::gen::nonEmpty<std::string>());
    for (int i = *rc::gen::inRange(0, 5); i > 0; --i)
        row.withdrawn.push_back(claim_id(*rc::gen::arbitrary<std::uint8_t>()));
    row.owner.boot = *rc::gen::arbitrary<std::uint64_t>();
    for (std::int64_t* time :
         {&row.lease_until_ms, &row.owner_gone_ms, &row.horizon_ms, &row.created_ms,
          &row.changed_ms, &row.key_until_ms, &row.keep.result_ms, &row.keep.key_ms})
        *time = any_time();
    for (bool* flag : {&row.earlier_may_live, &row.rerunnable, &row.took_over, &row.forced})
        *flag = any_bool();
    if (any_bool()) {
        row.stamp = any_stamp();
        row.fingerprint = any_digest();
        row.rule = any_digest();
    }
    row.attempts = *rc::gen::arbitrary<std::uint32_t>();
    if (row.state == State::completed || row.state == State::tombstone)
        row.settled = any_settled(row);
    if (is_unresolved(row.state) && any_bool()) row.beside = any_settled(row);
    return row;
}

Answer any_answer() {
    return Answer{
        .status = *rc::gen::arbitrary<int>(),
        .headers = *rc::gen::arbitrary<std::vector<std::pair<std::string, std::string>>>(),
        .body = *rc::gen::arbitrary<std::string>(),
        .body_kept = any_bool()};
}

std::string sealed(std::string_view bytes) {
    WireWriter out;
    out.raw(bytes);
    out.seal();
    return out.take();
}

// What is read is written back as the same bytes: one value has one spelling.
template <class Value>
void check_read(const Result<Value>& value, std::string_view bytes) {
    if (value) {
        RC_ASSERT(encode(*value) == bytes);
    } else {
        RC_ASSERT(value.error().code == Code::store_corrupt ||
                  value.error().code == Code::store_newer);
    }
}

TEST(RowFormatProperty, AnyRowComesBack) {
    EXPECT_TRUE(rc::check([] {
        const Row row = any_row();
        RC_ASSERT((decode_row(encode(row)) == row));
    }));
}

TEST(RowFormatProperty, AnyAnswerComesBack) {
    EXPECT_TRUE(rc::check([] {
        const Answer answer = any_answer();
        RC_ASSERT((decode_answer(encode(answer)) == answer));
    }));
}

TEST(RowFormatProperty, RandomBytesAreReadOrRefused) {
    EXPECT_TRUE(rc::check([](const std::string& bytes) {
        RC_ASSERT(!decode_row(bytes).has_value());
        check_read(decode_answer(bytes), bytes);
        const std::string row = sealed("\x01" + bytes);
        check_read(decode_row(row), row);
    }));
}

// Behind a fitting sum too: one byte of a good row is another one.
TEST(RowFormatProperty, DamagedRowsAreReadOrRefused) {
    EXPECT_TRUE(rc::check([] {
        std::string bytes = encode(any_row());
        bytes.resize(bytes.size() - kSealSize);
        const auto at = *rc::gen::inRange<std::size_t>(1, bytes.size());
        bytes[at] = *rc::gen::arbitrary<char>();
        bytes = sealed(bytes);
        check_read(decode_row(bytes), bytes);
    }));
}

TEST(RowFormatProperty, DamagedAnswersAreReadOrRefused) {
    EXPECT_TRUE(rc::check([] {
        std::string bytes = encode(any_answer());
        bytes[*rc::gen::inRange<std::size_t>(1, bytes.size())] = *rc::gen::arbitrary<char>();
        check_read(decode_answer(bytes), bytes);
    }));
}

}  // namespace
}  // namespace pawl::record
