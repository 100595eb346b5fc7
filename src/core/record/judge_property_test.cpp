// SPDX-License-Identifier: Apache-2.0
// Any sequence of calls, sensible or not, at any pace: what holds after each of them.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/record/record_fixture.hpp"
#include "core/record/row_format.hpp"

namespace pawl::record {
namespace {

// One step of a sequence: numbers that choose a call and how far it misses the present claim.
struct Move {
    int kind;
    int claim;
    int stamp;
    int miss;
    int pause;
};

rc::Gen<std::vector<Move>> moves() {
    const auto move = rc::gen::map(
        rc::gen::tuple(rc::gen::inRange(0, 13), rc::gen::inRange<int>(1, 5), rc::gen::inRange(0, 5),
                       rc::gen::inRange(0, 12), rc::gen::inRange(0, 24)),
        [](const auto& numbers) { return std::make_from_tuple<Move>(numbers); });
    return rc::gen::scale(2.0, rc::gen::container<std::vector<Move>>(move));
}

std::int64_t pause_of(const Move& move) {
    constexpr std::array<std::int64_t, 6> kPauses{1, kLease, kHorizon, kResultKept, kKeyKept, -1};
    return move.pause < 6 ? kPauses[static_cast<std::size_t>(move.pause)] : 0;
}

Claim claim_of(const Record& record, const Move& move, bool stamped) {
    std::optional<int> stamp;
    if (stamped != (move.miss == 1)) stamp = move.stamp;
    Claim claim = record.claim(static_cast<std::uint8_t>(move.claim), stamp,
                               move.miss == 2 ? "other body" : "body");
    if (move.miss == 3) claim.rule = sha256("other rule");
    if (move.miss == 4) claim.rerunnable = !claim.rerunnable;
    if (move.miss == 5) claim.keep = Keep{kForever, kForever};
    return claim;
}

Call call_of(const Record& record, const Move& move, bool stamped) {
    Call call = Expire{record.row.identity};
    switch (move.kind) {
        case 0:
        case 1:
        case 2:
            return claim_of(record, move, stamped);
        case 3:
            call = record.renew();
            break;
        case 4:
            call = record.complete(move.stamp == 0 ? "other" : "made");
            break;
        case 5:
            call = record.release();
            break;
        case 6:
            call = record.suspect(move.stamp == 0);
            break;
        case 7:
            return record.withdraw(static_cast<std::uint8_t>(move.claim));
        case 8: {
            Settle settle = record.settle(static_cast<Basis>(move.claim - 1));
            if (move.stamp == 0) settle.answer.reset();
            call = settle;
            break;
        }
        case 9:
            call = record.lapse();
            break;
        case 10:
            return BootEnded{record.row.identity, static_cast<std::uint64_t>(6 + move.miss)};
        case 11:
            return move.miss == 0 ? Call(record.forget()) : call;
        default:
            return call;
    }
    std::visit(
        [&](auto& present) {
            if constexpr (requires { present.fence; })
                if (move.miss == 0 && present.fence.number > 0) --present.fence.number;
            if constexpr (requires { present.claim; })
                if (move.miss == 1) present.claim = claim_id(static_cast<std::uint8_t>(move.claim));
        },
        call);
    return call;
}

bool changes_nothing(Outcome outcome) {
    constexpr std::array kNames{Outcome::replay,          Outcome::expired,     Outcome::mismatch,
                                Outcome::other_rule,      Outcome::in_progress, Outcome::stale,
                                Outcome::version_invalid, Outcome::withdrawn,   Outcome::conflict,
                                Outcome::unchanged,       Outcome::refused};
    return std::ranges::find(kNames, outcome) != kNames.end();
}

void check_row(const Row& row) {
    const bool is_settled = row.state == State::completed || row.state == State::tombstone;
    RC_ASSERT(row.settled.has_value() == is_settled);
    RC_ASSERT(!row.beside || is_unresolved(row.state));
    RC_ASSERT(!row.took_over || is_unresolved(row.state));
    RC_ASSERT(row.state != State::open || (row.took_over && row.rerunnable));
    RC_ASSERT(row.owner_gone_ms == 0 || !row.earlier_may_live || !is_unresolved(row.state));
    RC_ASSERT(row.withdrawn.size() <= kWithdrawnMax);
    if (row.state != State::absent) RC_ASSERT((decode_row(encode(row)) == row));
}

// What frees, and what lets somebody act, needs a reason.
void check_change(const Row& before, const Call& call, const Verdict& verdict) {
    const Row& after = verdict.row;
    if (is_unresolved(before.state) && !is_unresolved(after.state)) {
        const auto* settle = std::get_if<Settle>(&call);
        const bool applied =
            std::holds_alternative<Complete>(call) || (settle && settle->basis == Basis::seen);
        const bool denied = std::holds_alternative<Release>(call) ||
                            std::holds_alternative<Withdraw>(call) ||
                            (settle && settle->basis != Basis::seen);
        RC_ASSERT(applied || denied);
        if (applied) RC_ASSERT(after.settled->fence == before.fence);
        if (denied)
            RC_ASSERT(after.state == State::freed || after.settled->fence == before.beside->fence);
        // Nobody's word but evidence's frees what was taken over.
        if (denied && before.took_over) RC_ASSERT(settle != nullptr);
    }
    const auto* claim = std::get_if<Claim>(&call);
    if (!is_acquired(verdict.outcome)) return;
    RC_ASSERT(after.claim == claim->claim && after.state == State::in_progress);
    if (!verdict.fence_used) {
        RC_ASSERT(before.claim == claim->claim && before.fence == after.fence);
        RC_ASSERT(before.state == State::in_progress);
    } else if (verdict.outcome == Outcome::acquired) {
        RC_ASSERT(before.state == State::absent || before.state == State::freed);
    } else if (verdict.outcome == Outcome::superseded) {
        RC_ASSERT((compare(*before.settled->stamp, *claim->stamp) < 0));
    } else {
        RC_ASSERT(before.rerunnable && claim->rerunnable && before.stamp == claim->stamp);
        RC_ASSERT(before.fingerprint == claim->fingerprint);
        RC_ASSERT(before.state == State::open || before.state == State::in_progress);
    }
}

void check_answers(const Row& before, const Call& call, const Verdict& verdict) {
    const auto* complete = std::get_if<Complete>(&call);
    const auto* settle = std::get_if<Settle>(&call);
    if (verdict.store != nullptr) {
        RC_ASSERT(verdict.store == (complete ? &complete->answer : &*settle->answer));
        RC_ASSERT(verdict.row.state == State::completed);
        RC_ASSERT(verdict.row.settled->answer_digest == digest_of(*verdict.store));
    }
    if (verdict.drop) {
        const auto& held = before.settled ? before.settled : before.beside;
        RC_ASSERT(held && held->fence == *verdict.drop);
        RC_ASSERT(verdict.row.state != State::completed ||
                  verdict.row.settled->fence != *verdict.drop);
    }
}

// Protocol rules 6 and 7: after an unknown commit the same call is sent again, and has the same answer.
void check_repeat(const Record& record, const Call& call, const Verdict& verdict) {
    const bool has_sender =
        std::holds_alternative<Claim>(call) || std::holds_alternative<Renew>(call) ||
        std::holds_alternative<Complete>(call) || std::holds_alternative<Release>(call) ||
        std::holds_alternative<Suspect>(call) || std::holds_alternative<Withdraw>(call) ||
        std::holds_alternative<Forget>(call);
    if (!has_sender) return;
    const Verdict again = judge(record.row, call, record.now_ms, Fence{record.next});
    const bool late = verdict.outcome == Outcome::stored_late;
    RC_ASSERT(again.outcome == (late ? Outcome::stored : verdict.outcome));
    RC_ASSERT(again.row == record.row);
    RC_ASSERT(!again.fence_used && again.store == nullptr && !again.drop);
}

void run(const std::vector<Move>& sequence, bool rerunnable, bool stamped) {
    Record record;
    record.rerunnable = rerunnable;
    record.row.identity = sha256("identity");
    Fence highest;
    for (const Move& move : sequence) {
        record.now_ms += pause_of(move);
        const Row before = record.row;
        const Call call = call_of(record, move, stamped);
        const Outcome outcome = record.apply(call);
        const Verdict& verdict = record.last;
        const bool same = record.row == before;
        RC_ASSERT(verdict.changed || same);
        if (changes_nothing(outcome)) RC_ASSERT(same && !verdict.changed && !verdict.fence_used);
        if (verdict.fence_used) {
            RC_ASSERT(record.row.fence > highest);
            highest = record.row.fence;
        } else if (record.row.state != State::absent) {
            RC_ASSERT(record.row.fence == before.fence);
        }
        if (is_unresolved(before.state) && std::holds_alternative<Expire>(call)) RC_ASSERT(same);
        check_row(record.row);
        check_change(before, call, verdict);
        check_answers(before, call, verdict);
        check_repeat(record, call, verdict);
    }
}

TEST(RecordProperty, AnySequenceOfCallsKeepsTheRules) {
    EXPECT_TRUE(
        rc::check([] { run(*moves(), *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()); }));
}

// The same with long sequences and without shrinking: the far corners.
TEST(RecordProperty, LongSequencesOfCallsKeepTheRules) {
    EXPECT_TRUE(rc::check([] {
        const auto sequence = *rc::gen::resize(200, moves());
        for (const bool rerunnable : {false, true})
            for (const bool stamped : {false, true}) run(sequence, rerunnable, stamped);
    }));
}

// E3, E4: an acknowledged success is told for as long as it is kept, whatever else is asked.
TEST(RecordProperty, AnAcknowledgedSuccessIsToldUntilItsTimeIsOver) {
    EXPECT_TRUE(rc::check([] {
        const auto sequence = *moves();
        Record record;
        record.make_completed();
        const Digest digest = record.row.settled->answer_digest;
        for (const Move& move : sequence) {
            record.now_ms += move.pause < 3 ? pause_of(move) : 0;
            if (move.kind == 11 || record.now_ms >= kStart + kResultKept) continue;
            record.apply(call_of(record, move, false));
            const Verdict told =
                judge(record.row, record.claim(99), record.now_ms, Fence{record.next});
            RC_ASSERT(told.outcome == Outcome::replay);
            RC_ASSERT(told.row.settled->answer_digest == digest);
        }
    }));
}

}  // namespace
}  // namespace pawl::record
