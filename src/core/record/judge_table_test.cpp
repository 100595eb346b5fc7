// SPDX-License-Identifier: Apache-2.0
// The table at the head of judge.cpp, cell by cell: every state meets every call.
#include <gtest/gtest.h>

#include "core/record/record_fixture.hpp"

namespace pawl::record {
namespace {

enum class Start { absent, freed, in_progress, lapsed, open, uncertain, completed, tombstone };
constexpr std::array kStarts{Start::absent, Start::freed,     Start::in_progress, Start::lapsed,
                             Start::open,   Start::uncertain, Start::completed,   Start::tombstone};

Record started(Start start, bool rerunnable = false) {
    Record record;
    record.rerunnable = rerunnable || start == Start::open;
    switch (start) {
        case Start::absent:
            record.row.identity = sha256("identity");
            break;
        case Start::freed:
            record.make_freed(5);
            break;
        case Start::in_progress:
            record.make_in_progress(5);
            break;
        case Start::lapsed:
            record.make_lapsed(5);
            break;
        case Start::open:
        case Start::uncertain:
            record.make_uncertain(5);
            break;
        case Start::completed:
            record.make_completed(5);
            break;
        case Start::tombstone:
            record.make_tombstone(5);
            break;
    }
    return record;
}

struct Cell {
    Start start;
    Outcome outcome;
    State after;
};

template <class Make>
void expect_column(const char* column, Make make, std::initializer_list<Cell> cells) {
    ASSERT_EQ(cells.size(), kStarts.size());
    for (const Cell& cell : cells) {
        Record record = started(cell.start);
        const Row before = record.row;
        const Outcome outcome = record.apply(make(record));
        SCOPED_TRACE(std::string(column) + " on start " +
                     std::to_string(static_cast<int>(cell.start)));
        EXPECT_EQ(name_of(outcome), name_of(cell.outcome));
        EXPECT_EQ(name_of(record.row.state), name_of(cell.after));
        EXPECT_EQ(record.last.changed, record.row != before);
        EXPECT_EQ(record.last.fence_used, record.row.fence > before.fence);
        if (is_acquired(outcome)) {
            EXPECT_GT(record.row.fence, before.fence);
            EXPECT_EQ(record.row.claim, claim_id(2));
        }
    }
}

TEST(RecordTable, ClaimOfTheSameStampAndFingerprint) {
    expect_column("claim", [](const Record& record) { return record.claim(2, 5); },
                  {{Start::absent, Outcome::acquired, State::in_progress},
                   {Start::freed, Outcome::acquired, State::in_progress},
                   {Start::in_progress, Outcome::in_progress, State::in_progress},
                   {Start::lapsed, Outcome::uncertain, State::uncertain},
                   {Start::open, Outcome::took_over, State::in_progress},
                   {Start::uncertain, Outcome::uncertain, State::uncertain},
                   {Start::completed, Outcome::replay, State::completed},
                   {Start::tombstone, Outcome::expired, State::tombstone}});
}

TEST(RecordTable, ClaimOfANewerStamp) {
    expect_column("newer", [](const Record& record) { return record.claim(2, 6); },
                  {{Start::absent, Outcome::acquired, State::in_progress},
                   {Start::freed, Outcome::acquired, State::in_progress},
                   {Start::in_progress, Outcome::in_progress, State::in_progress},
                   {Start::lapsed, Outcome::uncertain, State::uncertain},
                   {Start::open, Outcome::in_progress, State::open},
                   {Start::uncertain, Outcome::uncertain, State::uncertain},
                   {Start::completed, Outcome::superseded, State::in_progress},
                   {Start::tombstone, Outcome::superseded, State::in_progress}});
}

TEST(RecordTable, ClaimOfAnOlderStamp) {
    expect_column("older", [](const Record& record) { return record.claim(2, 4); },
                  {{Start::absent, Outcome::acquired, State::in_progress},
                   {Start::freed, Outcome::stale, State::freed},
                   {Start::in_progress, Outcome::stale, State::in_progress},
                   {Start::lapsed, Outcome::stale, State::in_progress},
                   {Start::open, Outcome::stale, State::open},
                   {Start::uncertain, Outcome::stale, State::uncertain},
                   {Start::completed, Outcome::stale, State::completed},
                   {Start::tombstone, Outcome::stale, State::tombstone}});
}

TEST(RecordTable, SameStampWithAnotherFingerprintIsAMismatchEverywhereButOnAbsentAndFreed) {
    expect_column("mismatch", [](const Record& record) { return record.claim(2, 5, "other body"); },
                  {{Start::absent, Outcome::acquired, State::in_progress},
                   {Start::freed, Outcome::acquired, State::in_progress},
                   {Start::in_progress, Outcome::mismatch, State::in_progress},
                   {Start::lapsed, Outcome::mismatch, State::in_progress},
                   {Start::open, Outcome::mismatch, State::open},
                   {Start::uncertain, Outcome::mismatch, State::uncertain},
                   {Start::completed, Outcome::mismatch, State::completed},
                   {Start::tombstone, Outcome::mismatch, State::tombstone}});
}

TEST(RecordTable, AnotherRuleIsComparedByTheCaller) {
    const auto make = [](const Record& record) {
        Claim claim = record.claim(2, 5, "other body");
        claim.rule = sha256("another rule");
        return claim;
    };
    expect_column("other rule", make,
                  {{Start::absent, Outcome::acquired, State::in_progress},
                   {Start::freed, Outcome::acquired, State::in_progress},
                   {Start::in_progress, Outcome::other_rule, State::in_progress},
                   {Start::lapsed, Outcome::other_rule, State::in_progress},
                   {Start::open, Outcome::other_rule, State::open},
                   {Start::uncertain, Outcome::other_rule, State::uncertain},
                   {Start::completed, Outcome::other_rule, State::completed},
                   {Start::tombstone, Outcome::other_rule, State::tombstone}});
}

// Stamped and unstamped never mix on one key, nor do integers and times.
TEST(RecordTable, UnstampedClaimOnAStampedRecord) {
    expect_column("unstamped", [](const Record& record) { return record.claim(2); },
                  {{Start::absent, Outcome::acquired, State::in_progress},
                   {Start::freed, Outcome::version_invalid, State::freed},
                   {Start::in_progress, Outcome::version_invalid, State::in_progress},
                   {Start::lapsed, Outcome::version_invalid, State::in_progress},
                   {Start::open, Outcome::version_invalid, State::open},
                   {Start::uncertain, Outcome::version_invalid, State::uncertain},
                   {Start::completed, Outcome::version_invalid, State::completed},
                   {Start::tombstone, Outcome::version_invalid, State::tombstone}});
}

TEST(RecordTable, TimeStampOnAnIntegerStamp) {
    const auto make = [](const Record& record) {
        Claim claim = record.claim(2, 5);
        claim.stamp = Stamp{StampKind::time, "2026-01-01T00:00:00"};
        return claim;
    };
    expect_column("time stamp", make,
                  {{Start::absent, Outcome::acquired, State::in_progress},
                   {Start::freed, Outcome::version_invalid, State::freed},
                   {Start::in_progress, Outcome::version_invalid, State::in_progress},
                   {Start::lapsed, Outcome::version_invalid, State::in_progress},
                   {Start::open, Outcome::version_invalid, State::open},
                   {Start::uncertain, Outcome::version_invalid, State::uncertain},
                   {Start::completed, Outcome::version_invalid, State::completed},
                   {Start::tombstone, Outcome::version_invalid, State::tombstone}});
}

TEST(RecordTable, Renew) {
    expect_column("renew",
                  [](const Record& record) {
                      Renew renew = record.renew();
                      renew.lease_ms = kLease + 1;
                      return renew;
                  },
                  {{Start::absent, Outcome::lost, State::absent},
                   {Start::freed, Outcome::lost, State::freed},
                   {Start::in_progress, Outcome::held, State::in_progress},
                   {Start::lapsed, Outcome::held, State::in_progress},
                   {Start::open, Outcome::lost, State::open},
                   {Start::uncertain, Outcome::lost, State::uncertain},
                   {Start::completed, Outcome::lost, State::completed},
                   {Start::tombstone, Outcome::lost, State::tombstone}});
}

TEST(RecordTable, Complete) {
    expect_column("complete", [](const Record& record) { return record.complete(); },
                  {{Start::absent, Outcome::lost, State::absent},
                   {Start::freed, Outcome::stored_late, State::completed},
                   {Start::in_progress, Outcome::stored, State::completed},
                   {Start::lapsed, Outcome::stored, State::completed},
                   {Start::open, Outcome::stored, State::completed},
                   {Start::uncertain, Outcome::stored, State::completed},
                   {Start::completed, Outcome::stored, State::completed},
                   {Start::tombstone, Outcome::lost, State::tombstone}});
}

TEST(RecordTable, Release) {
    expect_column("release", [](const Record& record) { return record.release(); },
                  {{Start::absent, Outcome::lost, State::absent},
                   {Start::freed, Outcome::freed, State::freed},
                   {Start::in_progress, Outcome::freed, State::freed},
                   {Start::lapsed, Outcome::freed, State::freed},
                   {Start::open, Outcome::opened, State::open},
                   {Start::uncertain, Outcome::freed, State::freed},
                   {Start::completed, Outcome::lost, State::completed},
                   {Start::tombstone, Outcome::lost, State::tombstone}});
}

TEST(RecordTable, Suspect) {
    expect_column("suspect", [](const Record& record) { return record.suspect(); },
                  {{Start::absent, Outcome::lost, State::absent},
                   {Start::freed, Outcome::lost, State::freed},
                   {Start::in_progress, Outcome::suspected, State::uncertain},
                   {Start::lapsed, Outcome::suspected, State::uncertain},
                   {Start::open, Outcome::opened, State::open},
                   {Start::uncertain, Outcome::suspected, State::uncertain},
                   {Start::completed, Outcome::lost, State::completed},
                   {Start::tombstone, Outcome::lost, State::tombstone}});
}

TEST(RecordTable, SettleApplied) {
    expect_column("settle applied", [](const Record& record) { return record.settle(Basis::seen); },
                  {{Start::absent, Outcome::conflict, State::absent},
                   {Start::freed, Outcome::conflict, State::freed},
                   {Start::in_progress, Outcome::conflict, State::in_progress},
                   {Start::lapsed, Outcome::stored, State::completed},
                   {Start::open, Outcome::stored, State::completed},
                   {Start::uncertain, Outcome::stored, State::completed},
                   {Start::completed, Outcome::conflict, State::completed},
                   {Start::tombstone, Outcome::conflict, State::tombstone}});
}

TEST(RecordTable, SettleNotAppliedForGood) {
    for (const Basis basis : {Basis::closed, Basis::forced})
        expect_column("settle not applied",
                      [&](const Record& record) { return record.settle(basis); },
                      {{Start::absent, Outcome::conflict, State::absent},
                       {Start::freed, Outcome::freed, State::freed},
                       {Start::in_progress, Outcome::conflict, State::in_progress},
                       {Start::lapsed, Outcome::freed, State::freed},
                       {Start::open, Outcome::freed, State::freed},
                       {Start::uncertain, Outcome::freed, State::freed},
                       {Start::completed, Outcome::conflict, State::completed},
                       {Start::tombstone, Outcome::conflict, State::tombstone}});
}

TEST(RecordTable, AnotherFenceIsLostOrAConflict) {
    for (const Start start : kStarts) {
        Record record = started(start);
        const Row before = record.row;
        const Fence other{record.row.fence.number + 1};
        for (Call call : {Call(record.renew()), Call(record.complete()), Call(record.release()),
                          Call(record.suspect()), Call(record.settle(Basis::seen)),
                          Call(record.settle(Basis::closed)), Call(record.settle(Basis::forced)),
                          Call(record.lapse())}) {
            std::visit(
                [&](auto& present) {
                    if constexpr (requires { present.fence; }) present.fence = other;
                },
                call);
            const Outcome outcome = record.apply(call);
            const Outcome expected = std::holds_alternative<Settle>(call)  ? Outcome::conflict
                                     : std::holds_alternative<Lapse>(call) ? Outcome::unchanged
                                                                           : Outcome::lost;
            EXPECT_EQ(name_of(outcome), name_of(expected)) << name_of(call);
            EXPECT_EQ(record.row, before);
            EXPECT_FALSE(record.last.changed);
        }
    }
}

// All owner's words check the claim id beside the fence.
TEST(RecordTable, AnotherClaimIdUnderTheSameFenceIsLost) {
    for (const Start start : kStarts) {
        Record record = started(start);
        const Row before = record.row;
        for (Call call : {Call(record.renew()), Call(record.complete()), Call(record.release()),
                          Call(record.suspect())}) {
            std::visit(
                [&](auto& present) {
                    if constexpr (requires { present.claim; }) present.claim = claim_id(9);
                },
                call);
            EXPECT_EQ(name_of(record.apply(call)), "lost") << name_of(call);
            EXPECT_EQ(record.row, before);
        }
    }
}

TEST(RecordTable, LapseEndsOnlyALeaseThatIsOver) {
    expect_column("lapse", [](const Record& record) { return record.lapse(); },
                  {{Start::absent, Outcome::unchanged, State::absent},
                   {Start::freed, Outcome::unchanged, State::freed},
                   {Start::in_progress, Outcome::unchanged, State::in_progress},
                   {Start::lapsed, Outcome::lapsed, State::uncertain},
                   {Start::open, Outcome::unchanged, State::open},
                   {Start::uncertain, Outcome::unchanged, State::uncertain},
                   {Start::completed, Outcome::unchanged, State::completed},
                   {Start::tombstone, Outcome::unchanged, State::tombstone}});
}

TEST(RecordTable, BootEndedEndsItsClaims) {
    expect_column("boot ended",
                  [](const Record& record) { return BootEnded{record.row.identity, 8}; },
                  {{Start::absent, Outcome::unchanged, State::absent},
                   {Start::freed, Outcome::unchanged, State::freed},
                   {Start::in_progress, Outcome::lapsed, State::uncertain},
                   {Start::lapsed, Outcome::lapsed, State::uncertain},
                   {Start::open, Outcome::unchanged, State::open},
                   {Start::uncertain, Outcome::unchanged, State::uncertain},
                   {Start::completed, Outcome::unchanged, State::completed},
                   {Start::tombstone, Outcome::unchanged, State::tombstone}});
}

TEST(RecordTable, AgeAloneEndsNothingThatIsUnresolved) {
    const auto make = [](Record& record) {
        record.now_ms += 1'000 * kKeyKept;
        return record.expire();
    };
    expect_column("expire", make,
                  {{Start::absent, Outcome::unchanged, State::absent},
                   {Start::freed, Outcome::shrunk, State::freed},
                   {Start::in_progress, Outcome::unchanged, State::in_progress},
                   {Start::lapsed, Outcome::unchanged, State::in_progress},
                   {Start::open, Outcome::unchanged, State::open},
                   {Start::uncertain, Outcome::unchanged, State::uncertain},
                   {Start::completed, Outcome::shrunk, State::freed},
                   {Start::tombstone, Outcome::shrunk, State::freed}});
}

TEST(RecordTable, ForgetRemovesOnlyWhatIsSettled) {
    expect_column("forget", [](const Record& record) { return record.forget(); },
                  {{Start::absent, Outcome::removed, State::absent},
                   {Start::freed, Outcome::removed, State::absent},
                   {Start::in_progress, Outcome::refused, State::in_progress},
                   {Start::lapsed, Outcome::refused, State::in_progress},
                   {Start::open, Outcome::refused, State::open},
                   {Start::uncertain, Outcome::refused, State::uncertain},
                   {Start::completed, Outcome::removed, State::absent},
                   {Start::tombstone, Outcome::removed, State::absent}});
}

}  // namespace
}  // namespace pawl::record
