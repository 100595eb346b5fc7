// SPDX-License-Identifier: Apache-2.0
#include "store/memory/memory_shelf.hpp"

#include <algorithm>
#include <ranges>
#include <set>

#include "core/record/row_format.hpp"

namespace pawl::store {

using record::Fence;
using record::Outcome;
using record::Row;
using record::State;

namespace {

constexpr std::uint64_t kEpoch = std::uint64_t{1} << 48;

}  // namespace

MemoryShelf::MemoryShelf(const Clock& clock, MemoryWeakness weakness)
    : clock_(clock), weakness_(weakness) {
    time_.emplace(clock, 0);
    watch_.emplace(clock, 0);
}

Capabilities MemoryShelf::capabilities() const {
    return {.durable_ack = true,
            .survives_failover = weakness_.lost_tail.count() == 0,
            .linearizable_claim = true,
            .clock = weakness_.wall_clock_expiry ? "wall clock" : "process",
            .strength = "simulated"};
}

std::int64_t MemoryShelf::now_ms() const {
    return weakness_.wall_clock_expiry ? milliseconds_of(clock_.wall()) : time_->now_ms();
}

const Row* MemoryShelf::row_of(const Digest& identity) const {
    const auto found = rows_.find(identity);
    return found == rows_.end() ? nullptr : &found->second;
}

std::optional<record::Answer> MemoryShelf::answer_of(const Row& row) const {
    if (row.state != State::completed) return std::nullopt;
    const auto found = answers_.find(row.settled->fence);
    if (found == answers_.end()) return std::nullopt;
    return found->second;
}

// Claims past their lease that nobody has swept yet are few, and counted when it matters.
bool MemoryShelf::is_over_limit(const record::Claim& claim) const {
    if (row_of(claim.identity) != nullptr) return false;
    if (limits_.stored_bytes_per_tenant != kStoredBytesUnlimited &&
        stored_bytes(burdened_by(claim).tenant) >= limits_.stored_bytes_per_tenant)
        return true;
    UnresolvedCounts counts = counts_;
    std::set<Digest> seen;
    for (const auto& [until_ms, identity] : leases_) {
        if (until_ms > now_ms()) break;
        const Row* row = row_of(identity);
        const bool lapsed =
            row != nullptr && row->state == State::in_progress && is_burden(*row, now_ms());
        if (lapsed && seen.insert(identity).second) counts.add(burdened_by(*row));
    }
    return counts.is_full(burdened_by(claim), limits_);
}

// Counted when it matters: only tests give this store a bound.
std::uint64_t MemoryShelf::stored_bytes(std::uint64_t tenant) const {
    std::uint64_t bytes = bytes_beside_(tenant);
    for (const auto& [identity, row] : rows_) {
        if (burdened_by(row).tenant != tenant) continue;
        bytes += record::encode(row).size();
        for (const auto* settled : {&row.settled, &row.beside}) {
            const auto answer = *settled ? answers_.find((*settled)->fence) : answers_.end();
            if (answer != answers_.end()) bytes += record::encode(answer->second).size();
        }
    }
    return bytes;
}

void MemoryShelf::put_row(Row row) {
    const auto waits = [](const Row* one) {
        return one != nullptr && (one->state == State::open || one->state == State::uncertain);
    };
    if (const Row* before = row_of(row.identity); waits(before))
        counts_.remove(burdened_by(*before));
    if (waits(&row)) counts_.add(burdened_by(row));
    if (row.state == State::absent) {
        rows_.erase(row.identity);
        timelines_.erase(row.identity);
        return;
    }
    if (const std::int64_t due = record::due_ms(row); due != record::kForever)
        (row.state == State::in_progress ? leases_ : retentions_).emplace(due, row.identity);
    const Digest identity = row.identity;
    rows_.insert_or_assign(identity, std::move(row));
}

void MemoryShelf::write(Row before, record::Verdict& verdict) {
    Undo undo;
    undo.at_ms = now_ms();
    undo.before = std::move(before);
    if (verdict.drop) {
        if (auto dropped = answers_.extract(*verdict.drop))
            undo.dropped.emplace(dropped.key(), std::move(dropped.mapped()));
    }
    if (verdict.store != nullptr) {
        undo.stored = verdict.row.settled->fence;
        answers_.insert_or_assign(*undo.stored, *verdict.store);
    }
    put_row(verdict.row);
    if (weakness_.lost_tail.count() == 0) return;
    tail_.push_back(std::move(undo));
    while (tail_.front().at_ms < now_ms() - weakness_.lost_tail.count()) tail_.pop_front();
}

void MemoryShelf::put_completed(Row before, Row after, const record::Answer& answer) {
    record::Verdict verdict;
    // The result of an older stamp is not needed beside this one.
    if (before.settled && before.settled->fence != after.settled->fence)
        verdict.drop = before.settled->fence;
    last_fence_ = after.fence.number;
    verdict.row = std::move(after);
    verdict.store = &answer;
    write(std::move(before), verdict);
}

Reply MemoryShelf::apply(const record::Call& call) {
    Row before;
    before.identity = record::identity_of(call);
    if (const auto* claim = std::get_if<record::Claim>(&call);
        claim != nullptr && is_over_limit(*claim))
        return {Outcome::limited, std::move(before), {}};
    if (const Row* stored = row_of(before.identity)) before = *stored;
    record::Verdict verdict = record::judge(before, call, now_ms(), Fence{last_fence_ + 1});
    if (verdict.fence_used) last_fence_ = verdict.row.fence.number;
    if (const auto* forget = std::get_if<record::Forget>(&call); forget && verdict.changed)
        forgotten_.push_back({before.key_label, forgotten_entry(before, *forget, now_ms())});
    if (verdict.changed) write(std::move(before), verdict);
    Reply reply;
    reply.outcome = verdict.outcome;
    reply.row = std::move(verdict.row);
    if (carries_answer(reply.outcome)) reply.answer = answer_of(reply.row);
    return reply;
}

std::vector<Result<Reply>> MemoryShelf::commit(std::span<const record::Call> calls) {
    std::vector<Result<Reply>> replies;
    replies.reserve(calls.size());
    for (const record::Call& call : calls) replies.emplace_back(apply(call));
    return replies;
}

Result<std::optional<Stored>> MemoryShelf::read(const Digest& identity) {
    const Row* row = row_of(identity);
    if (row == nullptr) return std::nullopt;
    return Stored{*row, answer_of(*row), now_ms()};
}

void MemoryShelf::end_leases(SweepReport& report, std::size_t limit) {
    for (std::size_t looked_at = 0; !leases_.empty() && leases_.begin()->first <= now_ms();
         ++looked_at) {
        if (looked_at == limit) {
            report.more = true;
            return;
        }
        const auto entry = leases_.extract(leases_.begin());
        const Row* row = row_of(entry.mapped());
        if (row == nullptr) continue;
        if (apply(record::Lapse{entry.mapped(), row->fence}).outcome == Outcome::lapsed)
            ++report.lapsed;
    }
}

void MemoryShelf::end_retentions(SweepReport& report, std::size_t limit) {
    for (std::size_t looked_at = 0; !retentions_.empty() && retentions_.begin()->first <= now_ms();
         ++looked_at) {
        if (looked_at == limit) {
            report.more = true;
            return;
        }
        const auto entry = retentions_.extract(retentions_.begin());
        const Outcome outcome = apply(record::Expire{entry.mapped()}).outcome;
        if (outcome == Outcome::buried) ++report.buried;
        if (outcome == Outcome::removed || outcome == Outcome::shrunk) ++report.removed;
    }
}

Result<SweepReport> MemoryShelf::sweep(std::size_t limit) {
    SweepReport report;
    report.stopped = !weakness_.wall_clock_expiry && !watch_->agree();
    end_leases(report, limit);
    if (!report.stopped) end_retentions(report, limit);
    while (!report.stopped && !forgotten_.empty() &&
           forgotten_.front().entry.at_ms <= now_ms() - kForgottenKeepMs)
        forgotten_.pop_front();
    return report;
}

Result<std::vector<Row>> MemoryShelf::unresolved(const UnresolvedQuery& query) {
    std::vector<Row> found;
    const std::int64_t changed_until_ms = now_ms() - query.older_than_ms;
    for (const auto& [identity, row] : rows_) {
        const bool state =
            query.uncertain_only ? row.state == State::uncertain : record::is_unresolved(row.state);
        const bool operation = query.operation.empty() || row.operation == query.operation;
        if (state && operation && row.changed_ms <= changed_until_ms) found.push_back(row);
    }
    std::ranges::sort(found, {},
                      [](const Row& row) { return std::pair{row.changed_ms, row.fence}; });
    found.erase(found.begin(),
                found.begin() + static_cast<std::ptrdiff_t>(std::min(query.skip, found.size())));
    if (found.size() > query.limit) found.resize(query.limit);
    return found;
}

Result<Totals> MemoryShelf::totals() {
    Totals totals;
    for (const auto& [identity, row] : rows_) {
        if (row.state == State::in_progress) ++totals.in_progress;
        if (row.state == State::open) ++totals.open;
        if (row.state != State::uncertain) continue;
        ++totals.uncertain;
        totals.oldest_uncertain_ms =
            std::max(totals.oldest_uncertain_ms, now_ms() - row.changed_ms);
    }
    return totals;
}

void MemoryShelf::note(TimelineEntry entry) {
    if (entry.at_ms == 0) entry.at_ms = now_ms();
    notes_.push_back(std::move(entry));
}

bool MemoryShelf::tend() {
    for (TimelineEntry& entry : std::exchange(notes_, {}))
        if (rows_.contains(entry.identity)) timelines_[entry.identity].push_back(std::move(entry));
    return false;
}

Result<std::vector<TimelineEntry>> MemoryShelf::timeline(const Digest& identity) {
    std::vector<TimelineEntry> entries;
    for (const Forgotten& gone : forgotten_)
        if (gone.entry.identity == identity) entries.push_back(gone.entry);
    if (const auto found = timelines_.find(identity); found != timelines_.end())
        entries.insert(entries.end(), found->second.begin(), found->second.end());
    return entries;
}

Result<std::vector<Digest>> MemoryShelf::find(LookUp kind, const std::string& value,
                                              std::size_t limit) {
    std::vector<std::pair<Fence, Digest>> hits;
    for (const auto& [identity, row] : rows_) {
        const bool hit = (kind == LookUp::key && row.key_label == value) ||
                         (kind == LookUp::trace_id && row.trace_id == value);
        if (hit) hits.emplace_back(row.fence, identity);
    }
    std::ranges::sort(hits, std::greater{});
    std::vector<Digest> found;
    for (const auto& [fence, identity] : hits)
        if (found.size() < limit) found.push_back(identity);
    for (const Forgotten& gone : forgotten_ | std::views::reverse) {
        const bool hit = kind == LookUp::key && gone.key_label == value;
        if (hit && found.size() < limit &&
            std::ranges::find(found, gone.entry.identity) == found.end())
            found.push_back(gone.entry.identity);
    }
    return found;
}

void MemoryShelf::restart() {
    notes_.clear();
    const std::int64_t high_water_ms = time_->now_ms();
    time_.emplace(clock_, high_water_ms);
    watch_.emplace(clock_, time_->behind_ms());
}

void MemoryShelf::end_other_boots(std::uint64_t present_boot) {
    std::vector<Digest> concerned;
    for (const auto& [identity, row] : rows_)
        if (record::is_unresolved(row.state)) concerned.push_back(identity);
    std::ranges::sort(concerned);  // the same order on every run
    for (const Digest& identity : concerned) apply(record::BootEnded{identity, present_boot});
}

void MemoryShelf::fail_over() {
    restart();
    while (!tail_.empty()) {
        Undo undo = std::move(tail_.back());
        tail_.pop_back();
        if (undo.at_ms < now_ms() - weakness_.lost_tail.count()) continue;
        if (undo.stored) answers_.erase(*undo.stored);
        if (undo.dropped) answers_.insert(std::move(*undo.dropped));
        put_row(std::move(undo.before));
    }
    last_fence_ = (last_fence_ / kEpoch + 1) * kEpoch;
}

}  // namespace pawl::store
