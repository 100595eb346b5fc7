// SPDX-License-Identifier: Apache-2.0
#include "sim/store/watched_shelf.hpp"

namespace pawl::sim {

using record::Outcome;
using record::Row;
using record::State;

WatchedShelf::Seen& WatchedShelf::seen(const Digest& identity) {
    const auto [place, fresh] = places_.emplace(identity, seen_.size());
    if (fresh) seen_.emplace_back().row.identity = identity;
    return seen_[place->second];
}

// What happened to the record since it was last seen, without a call of anybody.
void WatchedShelf::look(const Digest& identity, Seen& known, std::uint64_t present_boot) {
    auto stored = shelf_->read(identity);
    Row now;
    now.identity = identity;
    if (stored && *stored) now = std::move((*stored)->row);
    if (now == known.row) return;
    record::Call call = record::Expire{identity};
    if (record::is_unresolved(known.row.state)) {
        if (present_boot != 0)
            call = record::BootEnded{identity, present_boot};
        else
            call = record::Lapse{identity, known.row.fence};
    }
    // A result and its key may have ended in one sweep.
    if (known.row.state == State::completed && now.state == State::absent) {
        Row between = known.row;
        between.state = State::tombstone;
        between.settled->result_until_ms = 0;
        tell(call, known, std::move(between), Outcome::buried);
    }
    tell(call, known, std::move(now), Outcome::unchanged);
}

std::vector<Result<store::Reply>> WatchedShelf::commit(std::span<const record::Call> calls) {
    for (const record::Call& call : calls) {
        const Digest& identity = record::identity_of(call);
        if (const auto* claim = std::get_if<record::Claim>(&call)) {
            const Number exchange = exchange_in(claim->trace_id);
            if (exchange != 0) book_.learn(identity, book_.name_of_exchange(exchange).number);
        }
        look(identity, seen(identity), 0);
    }
    std::vector<Result<store::Reply>> replies = shelf_->commit(calls);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!replies[i]) continue;
        Seen& known = seen(record::identity_of(calls[i]));
        tell(calls[i], known, replies[i]->row, replies[i]->outcome);
        if (on_commit) on_commit(record::name_of(calls[i]));
    }
    return replies;
}

void WatchedShelf::tell(const record::Call& call, Seen& known, Row after, Outcome outcome) {
    if (known.name == 0) known.name = book_.known_as(after.identity);
    Committed event{call, known.row, after, outcome, shelf_->now_ms(), known.name};
    if (const auto* claim = std::get_if<record::Claim>(&call))
        event.awaited = in_flight_ == nullptr || in_flight_->contains(claim->claim);
    trace_.tell("commit", static_cast<std::uint64_t>(outcome), after.fence.number,
                "{} of name {}: {}, {} -> {} fence {}", record::name_of(call), known.name,
                record::name_of(outcome), record::name_of(known.row.state),
                record::name_of(after.state), after.fence.number);
    count(event);
    audit_.committed(event);
    known.row = std::move(after);
}

void WatchedShelf::note(store::TimelineEntry entry) {
    if (entry.step == "release" && entry.detail.starts_with("The claim ran out"))
        rarities_.count(Rare::lease_too_short_to_send);
    shelf_->note(std::move(entry));
}

Result<store::SweepReport> WatchedShelf::sweep(std::size_t limit) {
    auto report = shelf_->sweep(limit);
    if (report && report->lapsed > 0) rarities_.count(Rare::lapsed_by_sweeper, report->lapsed);
    return report;
}

void WatchedShelf::look_at_all(std::uint64_t present_boot) {
    for (std::size_t i = 0; i < seen_.size(); ++i)
        look(Digest{seen_[i].row.identity}, seen_[i], present_boot);
}

std::vector<Row> WatchedShelf::rows() const {
    std::vector<Row> rows;
    for (const Seen& known : seen_)
        if (known.row.state != State::absent) rows.push_back(known.row);
    return rows;
}

void WatchedShelf::count(const Committed& event) {
    const bool moved = event.before.state != event.after.state;
    if (event.outcome == Outcome::restored && moved) rarities_.count(Rare::restored);
    if (moved && event.after.beside && event.after.state != State::in_progress)
        rarities_.count(Rare::correction_uncertain);
    if (const auto* claim = std::get_if<record::Claim>(&event.call))
        return count_claim(event, *claim);
    if (const auto* settle = std::get_if<record::Settle>(&event.call))
        return count_settle(event, *settle);
    if (std::holds_alternative<record::Complete>(event.call)) {
        if (event.outcome == Outcome::stored && !moved) rarities_.count(Rare::completion_resent);
        if (event.outcome == Outcome::stored && event.before.state == State::uncertain)
            rarities_.count(Rare::completed_after_lapse);
        if (event.outcome == Outcome::stored_late) rarities_.count(Rare::stored_late);
        if (event.outcome == Outcome::lost) rarities_.count(Rare::completion_lost);
    } else if (std::holds_alternative<record::Release>(event.call)) {
        if (event.outcome == Outcome::freed && !moved) rarities_.count(Rare::release_resent);
        if (event.outcome == Outcome::opened) rarities_.count(Rare::opened);
    } else if (const auto* suspect = std::get_if<record::Suspect>(&event.call)) {
        if (event.outcome == Outcome::suspected && !moved) rarities_.count(Rare::suspect_resent);
        if (suspect->listening && moved) rarities_.count(Rare::listened_beyond_hold);
    } else if (std::holds_alternative<record::Renew>(event.call)) {
        rarities_.count(event.outcome == Outcome::held ? Rare::renewed : Rare::renewal_lost);
    } else if (std::holds_alternative<record::Withdraw>(event.call)) {
        if (event.outcome == Outcome::freed) rarities_.count(Rare::claim_withdrawn);
    } else if (std::holds_alternative<record::BootEnded>(event.call)) {
        if (moved)
            rarities_.count(event.after.state == State::open ? Rare::boot_ended_open
                                                             : Rare::boot_ended_uncertain);
    } else if (std::holds_alternative<record::Expire>(event.call)) {
        if (event.outcome == Outcome::removed && event.name != 0 &&
            book_.name(event.name).promise == Promise::natural)
            rarities_.count(Rare::window_over);
    }
}

void WatchedShelf::count_claim(const Committed& event, const record::Claim& claim) {
    const Number exchange = exchange_in(claim.trace_id);
    if (exchange != 0 && record::is_acquired(event.outcome))
        book_.exchange(exchange).acquired = true;
    if (!event.awaited) rarities_.count(Rare::claim_landed_late);
    if (event.outcome == Outcome::took_over && event.before.beside)
        rarities_.count(Rare::correction_taken_over);
    switch (event.outcome) {
        case Outcome::superseded:
            if (event.before.settled) rarities_.count(Rare::superseded);
            break;
        case Outcome::acquired:
        case Outcome::took_over:
            if (event.before.state == State::in_progress && event.before.claim == claim.claim)
                rarities_.count(Rare::claim_resent_after_unknown);
            else if (event.outcome == Outcome::took_over)
                rarities_.count(Rare::took_over);
            break;
        case Outcome::withdrawn:
            rarities_.count(Rare::claim_refused_as_withdrawn);
            break;
        case Outcome::in_progress:
            if (event.before.owner.boot != claim.owner.boot) rarities_.count(Rare::held_elsewhere);
            break;
        case Outcome::uncertain:
            if (event.before.state == State::in_progress) rarities_.count(Rare::lapsed_by_claim);
            break;
        case Outcome::mismatch:
            rarities_.count(Rare::mismatch_stored);
            break;
        case Outcome::replay:
            rarities_.count(Rare::replayed_from_store);
            break;
        case Outcome::expired:
            rarities_.count(Rare::result_expired);
            if (event.before.settled && event.before.settled->status / 100 == 4)
                rarities_.count(Rare::refusal_expired);
            break;
        default:
            break;
    }
}

void WatchedShelf::count_settle(const Committed& event, const record::Settle& word) {
    const bool probe = word.source == record::Source::probe;
    const bool callback = word.source == record::Source::callback;
    using record::Basis;
    const bool not_applied = event.outcome == Outcome::freed || event.outcome == Outcome::restored;
    if (word.basis == Basis::forced && not_applied && event.name != 0) {
        book_.name(event.name).excused = true;
        rarities_.count(Rare::person_forced);
    }
    if (event.outcome == Outcome::stored)
        rarities_.count(probe      ? Rare::probe_found_effect
                        : callback ? Rare::callback_applied
                                   : Rare::person_applied);
    if (event.outcome == Outcome::freed && word.basis == Basis::closed)
        rarities_.count(callback ? Rare::callback_closed : Rare::probe_closed);
    if (event.outcome == Outcome::freed && word.basis == Basis::quiet)
        rarities_.count(probe ? Rare::probe_freed_when_quiet : Rare::person_not_applied);
    if (event.outcome == Outcome::too_early)
        rarities_.count(probe ? Rare::probe_too_early : Rare::person_too_early);
    if (event.outcome == Outcome::owner_alive) rarities_.count(Rare::person_owner_alive);
}

}  // namespace pawl::sim
