// SPDX-License-Identifier: Apache-2.0
// One attempt, from its connection to its claim to the first byte to the settled record. Nothing here is
// cancelled: what was claimed is settled, however long the store is away. The order of the steps is the
// protocol's; each place where the process may die leaves a record that says so.
//
//   dies after           the record says        the next start or claim makes of it
//   known result         nothing, or completed  a claim, or a replay
//   prepare              nothing                a claim
//   claim                in_progress            uncertain (open, where the operation is rerunnable)
//   first byte           in_progress            the same
//   answer, not stored   in_progress            the same
//   complete             completed              a replay
#include <span>

#include <fmt/format.h>

#include "core/key/identity.hpp"
#include "gateway/home.hpp"
#include "gateway/patience.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::gateway {
namespace {

constexpr int kConnectionsPerAttemptMax = 3;

EndedPair both(Ended ended) {
    const auto one = std::make_shared<const Ended>(std::move(ended));
    return {one, one};
}

std::string about(const record::Row& claimed) {
    if (!claimed.stamp) return fmt::format("attempt {}", claimed.attempts);
    return fmt::format("attempt {}, version {}", claimed.attempts, claimed.stamp->canonical);
}

EndedPair refused(Error why) { return both(unavailable(std::move(why))); }

}  // namespace

Task<EndedPair> Home::attempt(RunningPtr running) {
    if (auto known = co_await known_result(running)) co_return both(std::move(*known));
    if (running->crowded) co_return co_await without_room(running);
    Result<std::unique_ptr<effect::Attempt>> ready =
        co_await running->effect->prepare(running->operation.wait_until);
    if (!ready) co_return co_await without_connection(running, std::move(ready.error()));

    Result<store::Reply> claimed = co_await claim(running);
    if (claimed && is_over((*claimed).row, running->operation.window) &&
        co_await make_room(running))
        claimed = co_await claim(running);
    if (!claimed) co_return refused(std::move(claimed.error()));
    if (!record::is_acquired(claimed->outcome))
        co_return both(ended_from(std::move(*claimed), running->operation.claim.stamp));

    running->fence = claimed->row.fence;
    running->first_seen_ms = claimed->row.created_ms;
    running->supersedes = claimed->row.beside.has_value();
    running->phase = Phase::running;
    if (running->acquired) running->acquired->set(true);
    if (claimed->outcome != record::Outcome::acquired || claimed->row.attempts > 1)
        note(*running, "claim", std::string(name_of(claimed->outcome)), about(claimed->row));
    arm_renewal(running);
    co_return co_await act(running, std::move(*ready));
}

// The result that the store already has, or the mismatch with it, read beside the writer for whose commits new
// operations wait. A completed record changes no more but for its time and a person's word; whatever else a record
// says, the claim is told. nullopt: claim.
Task<std::optional<Ended>> Home::known_result(RunningPtr running) {
    const Operation& operation = running->operation;
    if (!operation.use_cache || operation.claim.stamp) co_return std::nullopt;
    if (!records_.may_know(operation.claim.identity)) co_return std::nullopt;
    Result<std::optional<store::Stored>> stored = co_await records_.read(operation.claim.identity);
    if (!stored || !*stored || running->words != words_) co_return std::nullopt;
    record::Row& row = (*stored)->row;
    if (row.state != record::State::completed || row.stamp || is_over(row, operation.window))
        co_return std::nullopt;
    store::Reply seen{record::Outcome::unchanged, std::move(row), std::move((*stored)->answer)};
    Ended ended = ended_from_row(operation, std::move(seen), wall_ms());
    if (ended.verdict != Verdict::replayed && ended.verdict != Verdict::mismatch)
        co_return std::nullopt;
    figures_.read_hits.add();
    co_return ended;
}

// No way to the upstream: the record is read, and only where a claim would be acquired the answer is 503.
Task<EndedPair> Home::without_connection(RunningPtr running, Error why) {
    Result<std::optional<store::Stored>> stored =
        co_await records_.read(running->operation.claim.identity);
    if (!stored) co_return refused(std::move(why));
    if (!*stored) {
        Ended nothing = unavailable(std::move(why));
        nothing.unrecorded = true;
        co_return both(std::move(nothing));
    }
    if (is_over((*stored)->row, running->operation.window)) co_return refused(std::move(why));
    store::Reply seen{record::Outcome::unchanged, std::move((*stored)->row),
                      std::move((*stored)->answer)};
    Ended ended = ended_from_row(running->operation, std::move(seen), wall_ms());
    if (ended.verdict == Verdict::unavailable) ended.error = std::move(why);
    co_return both(std::move(ended));
}

// As above, and a new key is told the limit. It claims nothing, so that it is no doubt of anybody's.
Task<EndedPair> Home::without_room(RunningPtr running) {
    EndedPair ended = co_await without_connection(
        running,
        {Code::limited,
         "Too many operations of this caller, or of everybody here, are under way. Nothing "
         "was executed; send it again when some of them have ended. Repeats of known keys "
         "are answered as always.",
         {},
         {}});
    if (ended.first->verdict != Verdict::unavailable) co_return ended;
    Ended limited = *ended.first;
    limited.verdict = Verdict::limited;
    co_return both(std::move(limited));
}

// Sends the claim until the store answers or the client's patience ends. An unknown commit is settled by
// the same claim again; a claim that is given up is withdrawn for as long as the store takes to hear it.
Task<Result<store::Reply>> Home::claim(RunningPtr running) {
    record::Claim call = running->operation.claim;
    call.owner = owner_;
    loop_.entropy().fill(std::as_writable_bytes(std::span{call.claim.bytes}));
    running->claim = call.claim;
    Patience patience(loop_, running->operation.wait_until);
    bool may_arrive_late = false;
    for (;;) {
        running->lease_until = loop_.now() + std::chrono::milliseconds{call.lease_ms};
        Result<store::Reply> reply = co_await records_.apply(call);
        bool again = false;
        if (!reply) {
            may_arrive_late = may_arrive_late || reply.error().code == Code::unknown;
            again = may_arrive_late;  // what was never applied is answered at once: fail closed
        } else if (reply->outcome == record::Outcome::in_progress) {
            // Held elsewhere. Another version's end is not awaited: what is then to be done is its own.
            again = reply->row.stamp == call.stamp;
        } else if (reply->outcome == record::Outcome::other_rule) {
            const Digest& rule = record::rule_of(reply->row);
            const auto fingerprint = running->operation.fingerprint_under(rule);
            again = fingerprint.has_value() && call.rule != rule;
            call.rule = rule;
            call.fingerprint = fingerprint.value_or(call.fingerprint);
        }
        if (again && co_await patience.next()) {
            if (is_planted(Plant::claim_renamed) && !reply) {
                loop_.entropy().fill(std::as_writable_bytes(std::span{call.claim.bytes}));
                running->claim = call.claim;
            }
            continue;
        }
        if (!is_planted(Plant::claim_forgotten) && may_arrive_late &&
            !(reply && record::is_acquired(reply->outcome)))
            group_.spawn(withdraw({call.identity, call.claim}));
        if (!reply)
            co_return fail(Code::unavailable,
                           "The store did not answer; nothing was executed. Send it again.",
                           describe(reply.error()), "claim");
        co_return reply;
    }
}

// A settled record whose time is over makes room for the next request. It is removed first, by the store and by
// its time: a key is new because its row is gone, not because somebody read a clock.
Task<bool> Home::make_room(RunningPtr running) {
    for (int step = 0; step < 3; ++step) {  // result, then row
        const Result<store::Reply> gone =
            co_await records_.apply(record::Expire{running->operation.claim.identity});
        if (!gone || gone->outcome == record::Outcome::unchanged) co_return false;
        // A stamped one keeps its highest stamp.
        if (gone->outcome == record::Outcome::removed || gone->outcome == record::Outcome::shrunk)
            co_return true;
    }
    co_return false;
}

bool Home::is_over(const record::Row& row, std::chrono::milliseconds window) const {
    if (!row.settled) return false;
    const bool window_over =
        window.count() > 0 && wall_ms() >= row.settled->settled_ms + window.count();
    const bool key_over = row.key_until_ms != record::kForever && wall_ms() >= row.key_until_ms;
    return window_over || key_over;
}

bool Home::lease_suffices(const Running& running) const {
    return running.lease_until - loop_.now() >=
           std::chrono::milliseconds{running.operation.claim.lease_ms} / 3;
}

Task<EndedPair> Home::act(RunningPtr running, std::unique_ptr<effect::Attempt> ready) {
    const record::Claim& claim = running->operation.claim;
    const MonotonicTime give_up = loop_.now() + running->operation.hold_max;
    effect::Found found;
    for (int connection = 1;; ++connection) {
        found = {};
        found.kind = effect::Kind::not_sent;
        if (connection > 1 || !ready->ready()) {
            Result<std::unique_ptr<effect::Attempt>> another =
                co_await running->effect->prepare(running->lease_until);
            if (!another) {
                found.error = std::move(another.error());
                break;
            }
            ready = std::move(*another);
        }
        // Right before the first byte, by our own clock: no await between this look and the send.
        if (!lease_suffices(*running)) {
            found.error = {Code::unavailable,
                           "The claim ran out before anything was sent; send the request again.",
                           {},
                           "lease"};
            break;
        }
        effect::Dispatch dispatch;
        dispatch.fence = running->fence;
        dispatch.operation_ref = record::reference_of(claim.identity);
        if (claim.stamp) dispatch.version = claim.stamp->canonical;
        dispatch.derived_key = key::derived_key(
            claim.identity, is_planted(Plant::stamp_not_in_key) ? "" : dispatch.version);
        dispatch.traceparent = running->operation.traceparent;
        running->under_way = ready.get();
        running->hold_end = loop_.alarms().set(give_up, [this, running] { hold_is_over(running); });
        found = co_await ready->run(std::move(dispatch), give_up + running->operation.hold_max);
        loop_.alarms().cancel(running->hold_end);
        running->under_way = nullptr;
        if (running->overdue) {
            co_await settle_late(running, std::move(found));
            co_return EndedPair{};
        }
        const bool again =
            found.kind == effect::Kind::not_sent ||
            (is_planted(Plant::sent_again_after_reset) && found.kind == effect::Kind::no_answer);
        if (!again || connection >= kConnectionsPerAttemptMax) break;
    }
    running->phase = Phase::settling;
    co_return co_await conclude(running, std::move(found));
}

Task<EndedPair> Home::conclude(RunningPtr running, effect::Found found) {
    if (is_planted(Plant::doubt_released) && found.kind == effect::Kind::no_answer)
        co_return co_await release(running, std::move(found));
    switch (running->operation.classify(found)) {
        case policy::OutcomeClass::complete:
            co_return co_await complete(running, std::move(found));
        case policy::OutcomeClass::release:
            co_return co_await release(running, std::move(found));
        case policy::OutcomeClass::uncertain:
            co_return co_await suspect(running, std::move(found));
    }
    co_return co_await suspect(running, std::move(found));
}

Task<EndedPair> Home::complete(RunningPtr running, effect::Found found) {
    record::Answer kept = running->operation.kept(found.answer);
    record::Complete word{running->operation.claim.identity, running->claim, running->fence, kept};
    if (policy::is_refusal({found.kind, found.answer.status, found.declared}))
        word.result_ms = running->operation.refused_keep_ms;
    if (is_planted(Plant::kept_as_a_refusal)) word.result_ms = running->operation.refused_keep_ms;
    store::Reply reply;
    reply.outcome = record::Outcome::stored;
    if (is_planted(Plant::answered_before_stored)) {
        auto behind = [](Home& home, record::Call call) -> Task<void> {
            co_await home.persist(std::move(call));
        };
        group_.spawn(behind(*this, word));
    } else {
        reply = co_await persist(word);
    }
    const bool late = reply.outcome == record::Outcome::stored_late;
    if (late) figures_.stored_late.add();
    const bool loses = !is_planted(Plant::loser_keeps_its_answer);
    if (!late && reply.outcome != record::Outcome::stored && loses) {
        // Passed by another fence: the client is told what the record says, the bytes in hand are evidence.
        figures_.lost.add();
        note(*running, "complete", std::string(name_of(reply.outcome)),
             fmt::format("answered {}, digest {:.16}", found.answer.status,
                         to_hex(record::digest_of(kept).view())));
        Ended ended = ended_from_row(running->operation, std::move(reply), wall_ms());
        if (ended.verdict == Verdict::unavailable) ended.verdict = Verdict::uncertain;
        co_return both(std::move(ended));
    }
    if (late)
        note(*running, "complete", "stored_late",
             "the record had been freed: check for a second effect");
    else if (found.declared == policy::Declared::applied && found.answer.status >= 400)
        note(*running, "complete", std::string(kDeclaredApplied),
             fmt::format("answered {}, and the service said that it took effect",
                         found.answer.status));
    else if (running->overdue)
        note(*running, "complete", "stored",
             fmt::format("answered {} after the maximum hold", found.answer.status));
    Ended others;
    others.verdict = Verdict::replayed;
    others.waited = true;
    others.superseded = running->supersedes;
    others.settled = reply.row.settled;
    others.state = record::State::completed;
    others.fence = running->fence;
    others.first_seen_ms = running->first_seen_ms;
    Ended first = others;
    first.verdict = Verdict::first;
    first.waited = false;
    first.answer = std::make_shared<const record::Answer>(std::move(found.answer));
    first.rest = std::move(found.rest);
    others.answer = is_planted(Plant::waiter_is_first)
                        ? first.answer
                        : std::make_shared<const record::Answer>(std::move(kept));
    co_return EndedPair{std::make_shared<const Ended>(std::move(first)),
                        std::make_shared<const Ended>(std::move(others))};
}

Task<EndedPair> Home::release(RunningPtr running, effect::Found found) {
    store::Reply reply = co_await persist(
        record::Release{running->operation.claim.identity, running->claim, running->fence});
    note(*running, "release", std::string(name_of(reply.outcome)),
         found.kind == effect::Kind::answered ? fmt::format("answered {}", found.answer.status)
                                              : found.error.text);
    const record::State state = reply.row.state;
    if (reply.outcome == record::Outcome::lost) {
        // Somebody else has settled the operation since: the client is told what the record says.
        figures_.lost.add();
        Ended said = ended_from_row(running->operation, std::move(reply), wall_ms());
        if (said.verdict != Verdict::unavailable) co_return both(std::move(said));
    }
    Ended ended;
    ended.state = state;
    ended.fence = running->fence;
    ended.first_seen_ms = running->first_seen_ms;
    if (found.kind == effect::Kind::answered) {
        ended.verdict = Verdict::released;
        ended.answer = std::make_shared<const record::Answer>(std::move(found.answer));
        if (!found.rest) co_return both(std::move(ended));
        // Its body can be read once only.
        Ended others = unavailable(
            {Code::unavailable, "The upstream refused this operation for now.", {}, {}});
        ended.rest = std::move(found.rest);
        co_return EndedPair{std::make_shared<const Ended>(std::move(ended)),
                            std::make_shared<const Ended>(std::move(others))};
    }
    ended.verdict = Verdict::unavailable;
    ended.error = std::move(found.error);
    co_return both(std::move(ended));
}

Task<EndedPair> Home::suspect(RunningPtr running, effect::Found found) {
    const bool listening = running->under_way != nullptr && !is_planted(Plant::listener_is_gone);
    store::Reply reply = co_await persist(record::Suspect{
        running->operation.claim.identity, running->claim, running->fence, listening});
    const bool answered = found.kind == effect::Kind::answered;
    note(*running, "suspect", std::string(name_of(reply.outcome)),
         answered ? fmt::format("answered {}", found.answer.status) : found.error.text);
    if (reply.outcome == record::Outcome::lost) {
        figures_.lost.add();
        Ended ended = ended_from_row(running->operation, std::move(reply), wall_ms());
        if (ended.verdict == Verdict::unavailable) ended.verdict = Verdict::uncertain;
        co_return both(std::move(ended));
    }
    const record::Claim& claim = running->operation.claim;
    if (doubts_)
        doubts_({record::reference_of(claim.identity), claim.operation,
                 answered ? fmt::format("the upstream answered {}", found.answer.status)
                          : found.error.text});
    Ended others;
    others.verdict =
        is_planted(Plant::doubt_is_unavailable) ? Verdict::unavailable : Verdict::uncertain;
    others.state = reply.row.state;
    others.fence = running->fence;
    others.first_seen_ms = running->first_seen_ms;
    Ended first = others;
    first.error = std::move(found.error);
    first.own = true;
    if (answered) first.answer = std::make_shared<const record::Answer>(std::move(found.answer));
    first.rest = std::move(found.rest);
    co_return EndedPair{std::make_shared<const Ended>(std::move(first)),
                        std::make_shared<const Ended>(std::move(others))};
}

}  // namespace pawl::gateway
