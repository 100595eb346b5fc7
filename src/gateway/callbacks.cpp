// SPDX-License-Identifier: Apache-2.0
#include "gateway/callbacks.hpp"

#include <fmt/format.h>

#include "core/policy/replay_headers.hpp"
#include "gateway/gateway.hpp"
#include "runtime/plant/planted.hpp"
#include "runtime/task/on_loop.hpp"

namespace pawl::gateway {
namespace {

using record::Outcome;
using record::State;

record::Answer kept_answer(record::Answer said, const policy::Route& route) {
    said.headers = policy::replay_headers(said.headers, route.replay_headers);
    if (said.body.size() > route.answer_bytes_max) {
        said.body.clear();
        said.body_kept = false;
    }
    return said;
}

// What a report is to a record that is not changed by it.
Heard compared(const record::Row& row, const CallbackReport& report) {
    if (row.fence != report.fence) return Heard::other_fence;
    if (record::is_unresolved(row.state))
        return row.state == State::in_progress ? Heard::running : Heard::noted;
    // A result of another fence came back when this one was proven not applied.
    const bool took_effect = row.settled && row.settled->fence == report.fence;
    if (report.applied != took_effect) return Heard::contradicts;
    if (!report.applied || !report.answer) return Heard::repeated;
    // The first answer stays, whoever gave it; only a second one of the same voice says something else.
    const bool same = row.settled->source != record::Source::callback ||
                      row.settled->answer_digest == record::digest_of(*report.answer);
    return same ? Heard::repeated : Heard::contradicts;
}

std::string_view word_of(const CallbackReport& report) {
    if (report.applied) return "applied";
    return report.closed ? "not applied, closed" : "not applied";
}

}  // namespace

std::string_view name_of(Heard heard) {
    static constexpr std::array<std::string_view, kHeardCount> kNames{
        "taken", "repeated", "noted", "running", "other_fence", "contradicts", "refused"};
    return kNames[static_cast<std::size_t>(heard)];
}

Callbacks::Callbacks(Loop& loop, store::Records& records, std::vector<Home*> homes,
                     CallbackFigures& figures)
    : loop_(loop), records_(records), homes_(std::move(homes)), figures_(figures) {}

Task<Result<HeardReport>> Callbacks::take(std::shared_ptr<const policy::CompiledRoute> route,
                                          record::Row row, CallbackReport report) {
    if (report.answer) report.answer = kept_answer(std::move(*report.answer), route->route);
    const bool any_fence = is_planted(Plant::callback_of_any_fence);
    HeardReport heard{compared(row, report), std::move(row)};
    const bool evidence = report.applied || report.closed;
    if (evidence && (any_fence || heard.row.fence == report.fence)) {
        record::Settle word;
        word.identity = heard.row.identity;
        word.fence = any_fence ? heard.row.fence : report.fence;
        word.basis = report.applied ? record::Basis::seen : record::Basis::closed;
        word.source = record::Source::callback;
        word.answer = report.answer;
        Home& home = *homes_[seat_of(word.identity, homes_.size())];
        auto reply = co_await on_loop(loop_, home.loop(), home.settle(std::move(word)));
        if (!reply) co_return fail(std::move(reply.error()));
        heard.row = std::move(reply->row);
        const bool moved = reply->outcome == Outcome::stored ||
                           (reply->outcome == Outcome::freed && heard.heard != Heard::repeated) ||
                           reply->outcome == Outcome::restored;
        heard.heard = moved ? Heard::taken : compared(heard.row, report);
    }
    figures_.of(heard.heard).add();
    note(heard, report);
    co_return heard;
}

// Whatever else differs, a fence that is not the record's or an answer, is for the sender to choose: it must not
// make a line of every report.
bool Callbacks::was_said(const HeardReport& heard, const CallbackReport& report) {
    const Digest said = sha256_parts(
        "said", {heard.row.identity.view(), std::to_string(heard.row.fence.number),
                 record::name_of(heard.row.state), name_of(heard.heard), word_of(report)});
    if (!said_.insert(said).second) return true;
    said_in_order_.push_back(said);
    if (said_in_order_.size() > kSaidMax) {
        said_.erase(said_in_order_.front());
        said_in_order_.pop_front();
    }
    return false;
}

// What only repeats something leaves no line: a sender that never stops must not fill the timeline.
void Callbacks::note(const HeardReport& heard, const CallbackReport& report) {
    if (heard.heard == Heard::repeated || heard.heard == Heard::running) return;
    if (heard.heard != Heard::taken && was_said(heard, report)) return;
    store::TimelineEntry entry;
    entry.identity = heard.row.identity;
    entry.at_ms = milliseconds_of(loop_.clock().wall());
    const bool taken = heard.heard == Heard::taken;
    entry.step = taken ? "settle" : "callback";
    entry.outcome = taken ? record::name_of(heard.row.state) : name_of(heard.heard);
    entry.fence = report.fence;
    entry.detail = fmt::format("the upstream reported {}", word_of(report));
    if (report.answer) entry.detail += fmt::format(", status {}", report.answer->status);
    records_.note(std::move(entry));
}

}  // namespace pawl::gateway
