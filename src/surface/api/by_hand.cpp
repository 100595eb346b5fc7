// SPDX-License-Identifier: Apache-2.0
#include "surface/api/by_hand.hpp"

#include <fmt/format.h>
#include <boost/json/serialize.hpp>

#include "gateway/gateway.hpp"
#include "net/http/problem.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/task/on_loop.hpp"
#include "surface/api/given_answer.hpp"
#include "surface/api/operation_view.hpp"

namespace pawl::api {
namespace {

using record::Outcome;

constexpr std::chrono::milliseconds kNotePauseFirst{1};
constexpr std::chrono::milliseconds kNotePauseMax{20};

std::int64_t now_ms(const Desk& desk) { return milliseconds_of(desk.here.clock().wall()); }

std::string said_by(const Word& word, std::string_view what) {
    return fmt::format("{} by {} from {}: {}", what, word.by.empty() ? "someone" : word.by,
                       word.from, word.reason);
}

// Leaves the line and waits until it is there: whoever was answered finds it.
Task<void> note(Desk& desk, Word word, std::string step, std::string outcome, record::Fence fence,
                std::string what) {
    store::TimelineEntry entry;
    entry.identity = word.identity;
    entry.at_ms = now_ms(desk);
    entry.step = std::move(step);
    entry.outcome = std::move(outcome);
    entry.fence = fence;
    entry.detail = said_by(word, what);
    const std::string line = entry.detail;
    desk.records.note(std::move(entry));
    const MonotonicTime until = desk.here.now() + desk.note_patience;
    for (auto pause = kNotePauseFirst; desk.here.now() < until;
         pause = std::min(pause * 2, kNotePauseMax)) {
        const auto timeline = co_await desk.records.timeline(word.identity);
        if (!timeline) co_return;
        if (std::ranges::find(*timeline, line, &store::TimelineEntry::detail) != timeline->end())
            co_return;
        co_await desk.here.sleep_for(pause);
    }
}

http::Response problem(Code code, const record::Row& row, std::int64_t now, std::string detail) {
    http::Problem document = problem_about(row, code, std::move(detail));
    document.members["next"] = next_steps(row, now);
    if (code == Code::too_early && row.horizon_ms >= 0 && row.owner_gone_ms > 0) {
        const std::int64_t left_ms = row.owner_gone_ms + row.horizon_ms - now;
        document.retry_after = std::chrono::ceil<std::chrono::seconds>(
            std::chrono::milliseconds{std::max<std::int64_t>(left_ms, 0)});
    }
    return http::to_response(document);
}

http::Response done(std::string_view outcome, const record::Row& row, std::int64_t now) {
    http::Response response;
    response.headers.emplace_back("Content-Type", "application/json");
    response.body = boost::json::serialize(
        boost::json::object{{"outcome", outcome}, {"record", summary_json(row, now)}});
    return response;
}

http::Response of_settled(const store::Reply& reply, std::int64_t now) {
    const record::Row& row = reply.row;
    switch (reply.outcome) {
        case Outcome::stored:
        case Outcome::stored_late:
            return done("applied", row, now);
        case Outcome::freed:
        case Outcome::restored:
        case Outcome::opened:
            return done("not_applied", row, now);
        case Outcome::owner_alive:
            return problem(Code::owner_alive, row, now,
                           fmt::format("{} made this attempt and is not proven gone, so its "
                                       "request may still land. Stop "
                                       "that process, or say --force when you know that it cannot.",
                                       row.owner.node));
        case Outcome::too_early:
            return problem(
                Code::too_early, row, now,
                row.horizon_ms < 0
                    ? std::string("The route declares no effect_horizon, so it is not known how "
                                  "long the request "
                                  "may still land. Say --force when you know that it cannot.")
                    : fmt::format("The request may still land for another {}. Try again then, or "
                                  "say --force when "
                                  "you know that it cannot.",
                                  span_text(row.owner_gone_ms + row.horizon_ms - now)));
        default:
            return problem(
                Code::conflict, row, now,
                fmt::format(
                    "Nothing was changed, because the record is not waiting for a word: {}.",
                    meaning_of(row, now)));
    }
}

// The record that the word is about, as it is now. Errors: not_found, unavailable.
Task<Result<store::Stored>> present(Desk& desk, Digest identity) {
    const auto stored = co_await desk.records.read(identity);
    if (!stored) co_return fail(stored.error());
    if (!*stored) co_return fail(Code::not_found, "Nothing is recorded under this reference.");
    co_return **stored;
}

gateway::Home& home_of(Desk& desk, const Digest& identity) {
    return *desk.homes[gateway::seat_of(identity, desk.homes.size())];
}

}  // namespace

Task<http::Response> resolve(Desk& desk, ResolveWord asked) {
    const auto stored = co_await present(desk, asked.word.identity);
    if (!stored) co_return http::to_response(stored.error());
    const record::Row& row = stored->row;
    if (asked.answer) {
        const policy::CompiledRoute* named = desk.routes->named(row.operation);
        const policy::Route* route = named == nullptr ? nullptr : &named->route;
        if (auto fits = check_given(*asked.answer, route); !fits)
            co_return http::to_response(fits.error());
    }
    record::Settle evidence;
    evidence.identity = asked.word.identity;
    evidence.fence = row.fence;
    evidence.basis = asked.applied ? record::Basis::seen
                     : asked.force ? record::Basis::forced
                                   : record::Basis::quiet;
    evidence.answer = asked.answer;
    // Not later than the word came: the horizon may pass while it is carried out.
    evidence.looked_ms = stored->now_ms - asked.looked_ago.count();
    if (desk.takes_word_at_once) evidence.horizon_ms = 0;
    gateway::Home& home = home_of(desk, asked.word.identity);
    const auto reply = co_await on_loop(desk.here, home.loop(), home.settle(std::move(evidence)));
    const std::string_view what = asked.applied ? "applied"
                                  : asked.force ? "not applied, forced,"
                                                : "not applied";
    co_await note(
        desk, asked.word, "settle",
        reply ? std::string(name_of(reply->outcome)) : std::string(name_of(reply.error().code)),
        row.fence, std::string(what));
    if (!reply) co_return http::to_response(reply.error());
    co_return of_settled(*reply, now_ms(desk));
}

Task<http::Response> forget(Desk& desk, Word asked) {
    const auto stored = co_await present(desk, asked.identity);
    if (!stored) co_return http::to_response(stored.error());
    const record::Row& row = stored->row;
    gateway::Home& home = home_of(desk, asked.identity);
    record::Forget word{asked.identity, row.fence, said_by(asked, "forgotten")};
    const auto reply = co_await on_loop(desk.here, home.loop(), home.forget(std::move(word)));
    // The store has left the line with the removal; what was refused is noted beside the record.
    if (reply && reply->outcome == Outcome::removed) co_return done("forgotten", row, now_ms(desk));
    co_await note(
        desk, asked, "forget",
        reply ? std::string(name_of(reply->outcome)) : std::string(name_of(reply.error().code)),
        row.fence, "not forgotten, asked");
    if (!reply) co_return http::to_response(reply.error());
    co_return problem(
        Code::conflict, reply->row, now_ms(desk),
        record::is_unresolved(reply->row.state)
            ? "An operation whose outcome is not known is never forgotten; resolve it first."
            : "Nothing was forgotten, because the record has changed meanwhile. Look again.");
}

}  // namespace pawl::api
