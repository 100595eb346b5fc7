// SPDX-License-Identifier: Apache-2.0
#include "gateway/prober.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/key/identity.hpp"
#include "core/policy/replay_headers.hpp"
#include "net/http/forwarding.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/plant/planted.hpp"
#include "runtime/task/group.hpp"
#include "runtime/task/on_loop.hpp"

namespace pawl::gateway {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kListedMax = 1'000;  // of one operation; the next pass lists the next ones
constexpr std::size_t kAskedPerPassMax = 100;
constexpr std::chrono::nanoseconds kPassTimeMax =
    10s;                                           // of one route; a hanging upstream costs no more
constexpr std::uint64_t kUnseenPassesMax = 1'000;  // then the pauses of a record are forgotten
constexpr std::chrono::nanoseconds kPauseFirst = 1s;
constexpr std::chrono::nanoseconds kPauseMax = 60s;
constexpr std::chrono::nanoseconds kAskTimeout = 5s;

enum class Word { applied, not_applied, unknown };

Word word_of(const effect::Found& found) {
    if (found.kind != effect::Kind::answered) return Word::unknown;
    if (found.declared == effect::Declared::applied) return Word::applied;
    if (found.declared == effect::Declared::not_applied) return Word::not_applied;
    if (found.declared == effect::Declared::unknown) return Word::unknown;
    const int status = found.answer.status;
    if (status >= 200 && status < 300) return Word::applied;
    return status == 404 || status == 410 ? Word::not_applied : Word::unknown;
}

http::Request question(const policy::SettleRequest& form, const policy::CompiledRoute& route,
                       const record::Row& row) {
    policy::OperationNames names;
    names.operation_key =
        to_hex(key::derived_key(row.identity, row.stamp ? row.stamp->canonical : "").view());
    names.operation_ref = record::reference_of(row.identity);
    names.key = row.key_label;
    http::Request request;
    request.head.method = form.method();
    request.head.target = form.target(names);
    request.head.headers = {
        {"Host", http::authority_of({route.route.upstream.host, route.route.upstream.port,
                                     route.route.upstream.tls})},
        {"Pawl-Operation-Key", names.operation_key},
        {"Pawl-Operation-Ref", names.operation_ref},
        {"Pawl-Fence", fmt::format("{}", row.fence.number)}};
    if (row.stamp) request.head.headers.emplace_back("Pawl-Version", row.stamp->canonical);
    return request;
}

}  // namespace

Prober::Prober(Loop& loop, store::Records& records, std::vector<Seat> seats, Asker& asker,
               ProberFigures& figures)
    : loop_(loop), records_(records), seats_(std::move(seats)), asker_(asker), figures_(figures) {}

Task<std::size_t> Prober::pass() {
    ++passes_;
    const std::shared_ptr<const Routes> routes = routes_;
    if (!routes) co_return 0;
    const std::uint64_t before = asked_;
    TaskGroup asking(loop_);
    for (const policy::CompiledRoute& route : routes->table.routes())
        if (route.close || route.probe) asking.spawn(pass_over({routes, &route}));
    co_await asking.drain(kNever);
    std::erase_if(schedule_, [this](const auto& entry) {
        return passes_ - entry.second.seen_in_pass > kUnseenPassesMax;
    });
    co_return asked_ - before;
}

// Each route is asked about on its own, and its list is walked to its end before it begins again: what cannot
// be settled hides nothing else, and an upstream that does not answer delays only its own.
Task<void> Prober::pass_over(std::shared_ptr<const policy::CompiledRoute> route) {
    const MonotonicTime end = loop_.now() + kPassTimeMax;
    std::size_t asked = 0;
    for (const std::string& operation : {route->route.name, route->route.was}) {
        if (operation.empty()) continue;
        store::UnresolvedQuery query;
        query.operation = operation;
        query.limit = kListedMax;
        query.skip = std::exchange(listed_[operation], 0);
        const auto rows = co_await records_.unresolved(query);
        if (!rows) co_return;
        if (rows->size() == kListedMax) listed_[operation] = query.skip + kListedMax;
        for (const record::Row& row : *rows) {
            Schedule& schedule = schedule_[row.identity];
            schedule.seen_in_pass = passes_;
            const bool enough = asked == kAskedPerPassMax || loop_.now() >= end;
            if (enough || loop_.now() < schedule.next) continue;
            schedule.pause =
                schedule.pause.count() == 0 ? kPauseFirst : std::min(schedule.pause * 2, kPauseMax);
            schedule.next = loop_.now() + schedule.pause;
            co_await ask_about(route, row.identity);
            ++asked;
            ++asked_;
        }
    }
}

Task<void> Prober::ask_about(std::shared_ptr<const policy::CompiledRoute> route, Digest identity) {
    const auto stored = co_await records_.read(identity);
    if (!stored || !*stored || !record::is_unresolved((*stored)->row.state)) co_return;
    const record::Row& row = (*stored)->row;
    const bool closes = route->close.has_value();
    const policy::SettleRequest& form = closes ? *route->close : *route->probe;
    figures_.asked.add();
    effect::Found found = co_await asker_.ask(
        target_of(route->route.upstream), question(form, *route, row), loop_.now() + kAskTimeout);
    record::Settle evidence;
    evidence.identity = row.identity;
    evidence.fence = row.fence;
    evidence.source = record::Source::probe;
    switch (word_of(found)) {
        case Word::unknown:
            co_return;
        case Word::applied:
            evidence.basis = record::Basis::seen;
            evidence.answer = std::move(found.answer);
            evidence.answer->headers =
                policy::replay_headers(evidence.answer->headers, route->route.replay_headers);
            if (evidence.answer->body.size() > route->route.answer_bytes_max) {
                evidence.answer->body.clear();
                evidence.answer->body_kept = false;
            }
            break;
        case Word::not_applied:
            evidence.basis = closes || is_planted(Plant::probe_closes) ? record::Basis::closed
                                                                       : record::Basis::quiet;
            evidence.looked_ms = (*stored)->now_ms;
            break;
    }
    co_await settle(std::move(route), std::move(evidence));
}

Task<void> Prober::settle(std::shared_ptr<const policy::CompiledRoute> route,
                          record::Settle evidence) {
    Home& home = seats_[seat_of(evidence.identity, seats_.size())].home;
    store::TimelineEntry entry;
    entry.identity = evidence.identity;
    entry.step = "settle";
    entry.fence = evidence.fence;
    entry.detail = fmt::format("{} said {}", route->close ? "closing probe" : "probe",
                               evidence.basis == record::Basis::seen ? "applied" : "not applied");
    const bool applied = evidence.basis == record::Basis::seen;
    auto at_home = [](Home& there, record::Settle words) -> Task<Result<store::Reply>> {
        co_return co_await there.settle(std::move(words));
    };
    const Result<store::Reply> reply =
        co_await on_loop(loop_, home.loop(), at_home(home, std::move(evidence)));
    if (!reply) co_return;
    entry.outcome = record::name_of(reply->outcome);
    entry.at_ms = milliseconds_of(loop_.clock().wall());
    using record::Outcome;
    const bool settled = reply->outcome == Outcome::stored || reply->outcome == Outcome::freed ||
                         reply->outcome == Outcome::restored || reply->outcome == Outcome::opened;
    if (settled) (applied ? figures_.settled_applied : figures_.settled_not_applied).add();
    if (settled) records_.note(std::move(entry));
}

}  // namespace pawl::gateway
