// SPDX-License-Identifier: Apache-2.0
// What a relay is given, and what becomes of its reports: the one reading of held rows and positions.
#include "store/port/outbox_rows.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace pawl::store {
namespace {

using As = HeldRow::As;

// Rows that one look or one report goes through at most, and how many are read at once.
constexpr std::size_t kLooksMax = 4'096;
constexpr std::size_t kStepsAtOnce = 256;
// In vain: it pays to move the position.
constexpr std::size_t kPassAtOnce = 1'024;
constexpr std::string_view kCannotBeRead = "the row of history cannot be read";

OutboxRow row_of(StoredStep step, std::uint32_t tries) {
    return {step.number, std::move(step.subject), std::move(step.step.history), tries};
}

bool is_outgoing(const std::optional<StoredStep>& step) {
    return step && !step->step.history.type.empty();
}

struct Passed {
    std::size_t in_vain = 0;  // looked at before the first that may go
    bool damaged = false;     // among those
};

// Rows above the position that nothing holds back.
Passed add_fresh(OutboxRows& rows, const std::string& sink, std::uint64_t position,
                 std::size_t limit, std::vector<OutboxRow>& fresh) {
    std::set<std::tuple<std::string, std::string, std::string>> ahead;
    std::size_t looked = 0;
    Passed passed;
    while (fresh.size() < limit && looked < kLooksMax && !rows.failed()) {
        std::vector<StoredStep> steps = rows.outgoing(position, kStepsAtOnce);
        if (steps.empty()) break;
        for (StoredStep& step : steps) {
            if (fresh.size() == limit) break;
            position = step.number;
            ++looked;
            passed.in_vain += fresh.empty() ? 1 : 0;
            const FlowSubject& of = step.subject;
            const auto held = rows.held(sink, step.number);
            passed.damaged |= step.is_damaged && !held && fresh.empty();
            if (held || step.is_damaged || rows.first_held(sink, of)) continue;
            if (ahead.emplace(of.tenant, of.flow, of.id).second)
                fresh.push_back(row_of(std::move(step), 0));
        }
    }
    return passed;
}

// The next one of its entity may go now, or is behind nothing.
void release(OutboxRows& rows, const std::string& sink, const std::optional<HeldRow>& next,
             std::int64_t now_ms);

// Nobody can send it, and nobody knows whose it is any more: a person may look, and what came after it in its
// entity goes out.
void set_aside(OutboxRows& rows, const std::string& sink, std::uint64_t number,
               std::int64_t now_ms) {
    const auto next = rows.held_after(sink, number);
    rows.put_held(
        sink, {},
        {.number = number, .as = As::parked, .due_ms = now_ms, .said = std::string(kCannotBeRead)});
    release(rows, sink, next, now_ms);
}

void release(OutboxRows& rows, const std::string& sink, const std::optional<HeldRow>& next,
             std::int64_t now_ms) {
    if (!next || next->as != As::behind) return;
    const auto step = rows.step(next->number);
    if (!step) return;
    if (step->is_damaged) return set_aside(rows, sink, next->number, now_ms);
    rows.put_held(sink, step->subject, {.number = next->number, .as = As::again, .due_ms = now_ms});
}

// Of those that are to be tried again, those that cannot be read.
void set_damaged_aside(OutboxRows& rows, const std::string& sink, std::int64_t now_ms) {
    for (const HeldRow& held : rows.held_as(sink, As::again, now_ms, kLooksMax)) {
        const auto step = rows.step(held.number);
        if (step && step->is_damaged) set_aside(rows, sink, held.number, now_ms);
    }
}

// Moves the position as far as every row is sent or held.
std::uint64_t pass(OutboxRows& rows, const std::string& sink, const std::uint64_t position,
                   std::set<std::uint64_t>& sent, std::int64_t now_ms) {
    std::uint64_t at = position;
    bool stopped = false;
    for (std::size_t looked = 0; !stopped && looked < kLooksMax && !rows.failed();) {
        const std::vector<StoredStep> steps = rows.outgoing(at, kStepsAtOnce);
        if (steps.empty()) {
            at = std::max(at, rows.last_step());
            break;
        }
        for (const StoredStep& step : steps) {
            ++looked;
            if (sent.erase(step.number) == 0) {
                const auto held = rows.held(sink, step.number);
                if (held && held->as == As::sent) rows.drop_held(sink, step.number);
                stopped = !held && !step.is_damaged && !rows.first_held(sink, step.subject);
                if (stopped) break;
                if (!held && step.is_damaged)
                    set_aside(rows, sink, step.number, now_ms);
                else if (!held)
                    rows.put_held(sink, step.subject, {.number = step.number, .as = As::behind});
            }
            at = step.number;
        }
    }
    if (at != position) rows.put_position(sink, at);
    return at;
}

void put_failed(OutboxRows& rows, const std::string& sink, const Delivery& one,
                const std::optional<HeldRow>& held, std::int64_t now_ms) {
    const bool parks = one.kind == Delivery::Kind::parked;
    const As as = parks ? As::parked : As::again;
    // The same report again.
    if (held && held->as == as && held->tries >= one.tries) return;
    if (held && held->as == As::behind) return;  // it was not given out
    const auto step = rows.step(one.number);
    if (!is_outgoing(step)) return;
    const std::int64_t due_ms =
        parks ? now_ms : timer::after_ms(now_ms, std::chrono::milliseconds(one.pause_ms));
    rows.put_held(sink, step->subject, {one.number, as, due_ms, one.tries, one.said});
}

}  // namespace

OutboxLook look_unsent(OutboxRows& rows, const std::string& sink, std::int64_t now_ms,
                       std::size_t limit) {
    OutboxLook look;
    const auto position = rows.position(sink);
    if (!position) return look;
    look.known = true;
    // Both have their share: rows that are tried again and again keep no new ones back.
    std::vector<HeldRow> again = rows.held_as(sink, As::again, now_ms, limit);
    const std::size_t room = limit - std::min(again.size(), (limit + 1) / 2);
    std::vector<OutboxRow> fresh;
    const Passed passed = add_fresh(rows, sink, *position, room, fresh);
    const bool nothing_new = room > 0 && fresh.empty();
    look.passes = passed.damaged || passed.in_vain >= kPassAtOnce ||
                  (nothing_new && rows.last_step() - *position >= kPassAtOnce);
    again.resize(std::min(again.size(), limit - fresh.size()));
    for (const HeldRow& held : again) {
        auto step = rows.step(held.number);
        look.passes |= step && step->is_damaged;
        if (step && !step->is_damaged) look.rows.push_back(row_of(*std::move(step), held.tries));
    }
    for (OutboxRow& row : fresh) look.rows.push_back(std::move(row));
    std::ranges::sort(look.rows, {}, &OutboxRow::number);
    return look;
}

std::vector<ParkedRow> look_parked(OutboxRows& rows, const std::string& sink, std::size_t limit) {
    std::vector<ParkedRow> parked;
    for (HeldRow& held : rows.held_as(sink, As::parked, timer::kNever, limit))
        if (auto step = rows.step(held.number))
            parked.push_back({row_of(*std::move(step), held.tries), std::move(held.said)});
    return parked;
}

OutboxFigures look_figures(OutboxRows& rows, const std::string& sink, std::int64_t now_ms) {
    OutboxFigures figures;
    figures.now_ms = now_ms;
    const auto position = rows.position(sink);
    if (!position) return figures;
    const HeldCounts held = rows.held_counts(sink);
    const std::uint64_t above = rows.count_outgoing(*position, kUnsentCountedMax);
    figures.unsent = held.unsent + above - std::min(above, held.sent);
    figures.parked = held.parked;
    std::vector<OutboxRow> fresh;
    (void)add_fresh(rows, sink, *position, 1, fresh);
    if (!fresh.empty()) figures.oldest_unsent_ms = fresh.front().history.at_ms;
    const auto oldest = held.oldest_unsent == 0 ? std::nullopt : rows.step(held.oldest_unsent);
    if (oldest && !oldest->is_damaged)
        figures.oldest_unsent_ms = std::min(figures.oldest_unsent_ms, oldest->step.history.at_ms);
    return figures;
}

void open_sink(OutboxRows& rows, const OpenSink& one) {
    if (!rows.position(one.sink))
        rows.put_position(one.sink, one.from_the_beginning ? 0 : rows.last_step());
}

Status deliver(OutboxRows& rows, const Delivered& one, std::int64_t now_ms) {
    const auto position = rows.position(one.sink);
    if (!position) return {};
    const std::uint64_t last = rows.last_step();
    for (const Delivery& report : one.deliveries)
        if (report.number == 0 || report.number > last)
            return fail(Code::request_invalid, "There is no such row of history to be delivered.",
                        {}, "outbox");
    std::set<std::uint64_t> sent;
    for (const Delivery& report : one.deliveries) {
        const auto held = rows.held(one.sink, report.number);
        const bool is_sent = held ? held->as == As::sent : report.number <= *position;
        if (is_sent || sent.contains(report.number)) continue;
        if (report.kind != Delivery::Kind::sent) {
            put_failed(rows, one.sink, report, held, now_ms);
            continue;
        }
        if (report.number > *position) sent.insert(report.number);
        if (!held) continue;
        const auto next = rows.held_after(one.sink, report.number);
        rows.drop_held(one.sink, report.number);
        release(rows, one.sink, next, now_ms);
    }
    if (one.deliveries.empty()) set_damaged_aside(rows, one.sink, now_ms);
    const std::uint64_t passed = pass(rows, one.sink, *position, sent, now_ms);
    for (const std::uint64_t number : sent)
        if (const auto step = rows.step(number); number > passed && is_outgoing(step))
            rows.put_held(one.sink, step->subject, {.number = number, .as = As::sent});
    return {};
}

std::size_t redrive(OutboxRows& rows, const std::string& sink, std::int64_t now_ms) {
    std::size_t driven = 0;
    std::size_t damaged = 0;  // they stay as they are
    for (;;) {
        const auto parked = rows.held_as(sink, As::parked, timer::kNever, kStepsAtOnce + damaged);
        if (parked.size() <= damaged || rows.failed()) return driven;
        damaged = 0;
        for (const HeldRow& held : parked) {
            const auto step = rows.step(held.number);
            if (!step) {
                rows.drop_held(sink, held.number);
                continue;
            }
            if (step->is_damaged) {
                ++damaged;
                continue;
            }
            rows.put_held(sink, step->subject,
                          {.number = held.number, .as = As::again, .due_ms = now_ms});
            ++driven;
        }
    }
}

}  // namespace pawl::store
