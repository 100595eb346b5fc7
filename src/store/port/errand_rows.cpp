// SPDX-License-Identifier: Apache-2.0
#include "store/port/errand_rows.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/plant/planted.hpp"
#include "store/port/attention_rows.hpp"
#include "store/port/outbox_rows.hpp"

namespace pawl::store {
namespace {

constexpr std::array<std::string_view, 3> kStates{"running", "done", "needs_attention"};
// Rows of history that one errand of retention looks at, for each entity that it may remove.
constexpr std::size_t kLooksPerRemoved = 16;
constexpr std::size_t kStepsAtOnce = 256;

// Nobody waits for a row of its history, no money is under way back, and it came to its end long enough ago.
bool is_over(ErrandRows& rows, const flow::Entity& entity, const FlowSubject& subject,
             std::int64_t until_ms, std::uint64_t last) {
    if (entity.ended_ms == 0 || entity.ended_ms > until_ms || !entity.deadlines.empty())
        return false;
    const std::uint64_t own_last = rows.last_step_of(subject);
    if (own_last == last) return false;
    for (const std::string& sink : rows.sinks())
        if (rows.position(sink).value_or(0) < own_last || rows.first_held(sink, subject))
            return false;
    return is_planted(Plant::retired_while_refunding) || !rows.has_open_saga(subject);
}

std::int64_t retire(ErrandRows& rows, const Retire& one, std::int64_t now_ms) {
    const std::int64_t until_ms =
        is_planted(Plant::retired_too_early) ? now_ms : now_ms - one.older_than_ms;
    rows.drop_closed(until_ms, now_ms, one.limit);
    if (one.keeps_entities) return 0;
    const std::uint64_t last = rows.last_step();
    std::uint64_t at = rows.looked_to();
    std::size_t removed = 0;
    std::size_t left = one.limit * kLooksPerRemoved;
    while (left > 0 && removed < one.limit && !rows.failed()) {
        const auto steps = rows.steps(at, std::min(left, kStepsAtOnce));
        // Younger ones follow, or none: from the oldest again next time.
        bool ends = steps.empty();
        for (const StoredStep& step : steps) {
            const flow::History& history = step.step.history;
            ends = history.at_ms > until_ms;
            if (ends || removed == one.limit) break;
            at = step.number;
            --left;
            if (history.version != 1) continue;  // it is looked at where it began
            const auto entity = rows.entity_to_retire(step.subject);
            if (!entity || !is_over(rows, *entity, step.subject, until_ms, last)) continue;
            rows.remove_entity(*entity);
            ++removed;
        }
        if (!ends) continue;
        at = 0;
        break;
    }
    rows.set_looked_to(at);
    return static_cast<std::int64_t>(removed);
}

struct CarryOut {
    ErrandRows& rows;
    std::int64_t now_ms;

    ErrandReply operator()(const CloseAttention& one) const {
        auto closing = close(rows, one, now_ms);
        if (!closing) return fail(std::move(closing.error()));
        return std::to_underlying(*closing);
    }
    ErrandReply operator()(const Retire& one) const { return retire(rows, one, now_ms); }
    ErrandReply operator()(const SagaMove& one) const {
        auto row = rows.saga(one.number);
        if (!row) return fail(Code::not_found, "There is no such saga.", {}, "saga");
        if (one.claim != record::ClaimId{} && row->claim == one.claim) return 1;
        if (row->state == SagaState::done || row->tries != one.tries) return 0;
        row->state = one.to;
        row->tries = one.tries_after;
        row->next_ms = one.to == SagaState::running
                           ? timer::after_ms(now_ms, std::chrono::milliseconds(one.pause_ms))
                           : timer::kNever;
        row->said = one.said;
        row->claim = one.claim;
        rows.put_saga(*row);
        return 1;
    }
    ErrandReply operator()(const OpenSink& one) const {
        open_sink(rows, one);
        return 0;
    }
    ErrandReply operator()(const Delivered& one) const {
        if (Status done = deliver(rows, one, now_ms); !done) return fail(std::move(done.error()));
        return 0;
    }
    ErrandReply operator()(const Redrive& one) const {
        return static_cast<std::int64_t>(redrive(rows, one.sink, now_ms));
    }
    ErrandReply operator()(const DropSink& one) const {
        rows.drop_sink(one.sink);
        return 0;
    }
    ErrandReply operator()(const ExtendWindow& one) const {
        const std::int64_t before = rows.window(one.machine);
        if (one.until_ms > before) rows.put_window(one.machine, one.until_ms);
        return before;
    }
};

}  // namespace

std::string_view name_of(SagaState state) { return kStates[std::to_underlying(state)]; }

ErrandReply carry_out(ErrandRows& rows, const Errand& errand, std::int64_t now_ms) {
    return std::visit(CarryOut{rows, now_ms}, errand);
}

}  // namespace pawl::store
