// SPDX-License-Identifier: Apache-2.0
#include "gateway/gateway.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/policy/names.hpp"
#include "core/policy/replay_headers.hpp"
#include "gateway/keying.hpp"
#include "gateway/trace.hpp"
#include "net/http/problem.hpp"
#include "runtime/plant/planted.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/task/on_loop.hpp"

namespace pawl::gateway {
namespace {

http::Target target_of(const policy::Upstream& upstream) { return {upstream.host, upstream.port, upstream.tls}; }

std::string path_of(std::string_view target) { return std::string(target.substr(0, target.find('?'))); }

http::Plan answer(http::Response response) {
    http::Plan plan;
    plan.kind = http::Plan::Kind::answer;
    plan.response = std::move(response);
    return plan;
}

// What Pawl says to upstreams is said by nobody else: a forged operation key or fence would be believed.
bool is_ours(std::string_view name) {
    constexpr std::string_view kPrefix = "pawl-";
    return name.size() >= kPrefix.size() && equal_ignoring_case(name.substr(0, kPrefix.size()), kPrefix);
}

http::Plan relay(const policy::Upstream& upstream, const http::RequestHead& head, std::string_view host = {}) {
    http::Plan plan;
    plan.kind = http::Plan::Kind::relay;
    plan.target = target_of(upstream);
    plan.head = head;
    std::erase_if(plan.head.headers, [](const auto& line) { return is_ours(line.first); });
    if (!host.empty()) {
        http::remove_all(plan.head.headers, "Host");
        plan.head.headers.emplace_back("Host", host);
    }
    return plan;
}

record::Answer kept_answer(const record::Answer& said, const policy::Route& route) {
    record::Answer kept;
    kept.status = said.status;
    kept.headers = policy::replay_headers(said.headers, route.replay_headers);
    kept.body_kept = said.body_kept && said.body.size() <= route.answer_bytes_max;
    if (kept.body_kept) kept.body = said.body;
    if (is_planted(Plant::replay_cut)) kept.body.resize(kept.body.size() / 2);
    return kept;
}

std::int64_t keep_ms(std::optional<std::chrono::milliseconds> duration) {
    return duration ? duration->count() : record::kForever;
}

}  // namespace

struct Gateway::Named {
    std::shared_ptr<const http::Request> request;  // read by the effect and by fingerprints under other rules
    Keyed keyed;
    Trace trace;
};

Gateway::Gateway(Loop& loop, GatewaySetup setup, std::shared_ptr<const Routes> routes, Observer& observer)
    : loop_(loop), setup_(std::move(setup)), routes_(std::move(routes)), observer_(observer) {}

std::size_t seat_of(const Digest& identity, std::size_t seats) { return record::bucket_of(identity) % seats; }

Gateway::Entry Gateway::find(const http::RequestHead& head) const {
    return Entry{routes_, routes_->find(head)};
}

http::Plan Gateway::plan(const http::RequestHead& head, const http::Peer&) {
    const policy::CompiledRoute* compiled = routes_->find(head);
    if (compiled == nullptr) {
        if (routes_->default_upstream) return relay(*routes_->default_upstream, head);
        return answer(refuse(404, "not_found", "No route of this gateway matches this method and path."));
    }
    if (!compiled->protects(head.method)) return relay(compiled->route.upstream, head, compiled->route.host_rewrite);
    const auto caller = caller_of(compiled->route, head);
    const Status key = caller ? check_key_in_head(compiled->route, head) : Status{};
    if (caller && key) {
        http::Plan plan;
        plan.kind = http::Plan::Kind::whole;
        plan.body_bytes_max = compiled->route.body_bytes_max;
        return plan;
    }
    const Reply refusal = gateway::refuse(caller ? key.error() : caller.error());
    RequestNote note;
    note.method = head.method;
    note.path = path_of(head.target);
    note.route = compiled->route.name;
    note.seen = refusal.seen;
    note.code = name_of(refusal.code);
    note.status = refusal.response.status;
    routes_->figures_of(*compiled).requests[static_cast<std::size_t>(Seen::refused)].add();
    observer_.answered(note);
    return answer(refusal.response);
}

Task<http::Response> Gateway::serve(http::Request request, http::Peer peer) {
    const MonotonicTime started = loop_.now();
    RequestNote note;
    note.method = request.head.method;
    note.path = path_of(request.head.target);
    const std::shared_ptr<const Routes> routes = routes_;
    const Entry entry = find(request.head);
    if (!entry) co_return refuse(404, "not_found", "No route of this gateway matches this method and path.");
    note.route = entry->route.name;
    Answered answered = co_await protect(entry, std::move(request), std::move(peer), std::move(note));
    Reply& reply = answered.reply;
    note = std::move(answered.note);
    note.seen = reply.seen;
    if (reply.problem) note.code = name_of(reply.code);
    note.status = reply.response.status;
    note.elapsed = loop_.now() - started;
    RouteFigures& figures = routes->figures_of(*entry);
    figures.requests[static_cast<std::size_t>(reply.seen)].add();
    figures.latency.add(note.elapsed);
    observer_.answered(note);
    co_return std::move(reply.response);
}

Task<Gateway::Answered> Gateway::protect(Entry entry, http::Request request, http::Peer peer, RequestNote note) {
    const policy::Route& route = entry->route;
    auto caller = caller_of(route, request.head);
    if (!caller) co_return Answered{gateway::refuse(caller.error()), std::move(note)};
    note.caller = *caller;
    Named named;
    auto keyed = key_of(*entry, request, setup_.tenant, *caller, loop_.entropy());
    if (!keyed) co_return Answered{gateway::refuse(keyed.error()), std::move(note)};
    named.keyed = std::move(*keyed);
    named.trace = continue_trace(http::first_of(request.head.headers, "traceparent"), loop_.entropy());
    named.request = std::make_shared<const http::Request>(std::move(request));

    Asked asked;
    asked.key_header = route.key.header;
    asked.key_line = named.keyed.line;
    asked.operation_ref = record::reference_of(named.keyed.identity);
    asked.lease = route.lease;
    asked.has_closing_probe = entry->close.has_value();
    note.key = named.keyed.label;
    note.operation_ref = asked.operation_ref;
    note.trace_id = named.trace.id;

    const Seat seat = setup_.seats[seat_of(named.keyed.identity, setup_.seats.size())];
    Operation operation = operation_of(entry, named);
    operation.claim.caller = record::caller_digest(setup_.tenant, note.caller);
    auto at_home = [](Seat home, Entry kept, std::shared_ptr<const http::Request> whole, http::Peer from,
                      Operation asked_for) -> Task<std::shared_ptr<const Ended>> {
        auto effect = home.effects.make(kept->route, std::move(whole), std::move(from));
        co_return co_await home.home.run(std::move(asked_for), std::move(effect));
    };
    const std::shared_ptr<const Ended> ended = co_await on_loop(
        loop_, seat.home.loop(), at_home(seat, entry, named.request, std::move(peer), std::move(operation)));
    note.fence = ended->fence.number;
    co_return Answered{reply_to(*ended, asked), std::move(note)};
}

Operation Gateway::operation_of(const Entry& entry, const Named& named) const {
    const policy::Route& route = entry->route;
    Operation operation;
    record::Claim& claim = operation.claim;
    claim.identity = named.keyed.identity;
    claim.fingerprint = named.keyed.fingerprint;
    claim.rule = entry->fingerprint_digest;
    claim.lease_ms = route.lease.count();
    claim.horizon_ms = route.uncertain.effect_horizon ? route.uncertain.effect_horizon->count() : -1;
    claim.rerunnable = route.rerunnable();
    claim.remembers_ms = route.upstream_remembers ? route.upstream_remembers->count() : -1;
    claim.tenant = setup_.tenant;
    claim.operation = route.name;
    claim.key_label = named.keyed.label;
    claim.trace_id = named.trace.id;
    const bool natural = named.keyed.window.count() > 0;
    claim.keep.result_ms = natural ? named.keyed.window.count() : route.retention.result.count();
    claim.keep.key_ms = natural ? named.keyed.window.count() : keep_ms(route.retention.key);
    operation.window = named.keyed.window;
    operation.wait_until = loop_.now() + route.wait;
    if (route.tier)
        operation.own_wait_until = loop_.now() + std::min(route.wait, policy::timeout_of(*route.tier));
    operation.hold_max = route.hold_max;
    operation.traceparent = named.trace.traceparent;
    operation.fingerprint_under =
        [routes = routes_, request = named.request](const Digest& rule) -> std::optional<Digest> {
        for (const policy::CompiledRoute& other : routes->table.routes()) {
            if (other.fingerprint_digest != rule) continue;
            const auto fingerprint = key::fingerprint(
                other.fingerprint, {request->head.method, request->head.target,
                                    http::first_of(request->head.headers, "Content-Type"), request->body});
            if (fingerprint) return *fingerprint;
            return std::nullopt;
        }
        return std::nullopt;
    };
    operation.classify = [entry](const effect::Found& found) {
        return entry->classify({found.kind, found.answer.status, found.declared});
    };
    operation.kept = [entry](const record::Answer& said) { return kept_answer(said, entry->route); };
    return operation;
}

http::Response Gateway::refuse(int status, std::string_view code, std::string_view detail) {
    return http::refusal(status, code, detail);
}

void Gateway::relayed(const http::RequestHead& head, int status) {
    const policy::CompiledRoute* compiled = routes_->find(head);
    RouteFigures& figures = compiled != nullptr ? routes_->figures_of(*compiled) : routes_->unmatched;
    if (!policy::is_safe_method(head.method)) figures.unprotected_writes.add();
    if (status >= 500) figures.requests[static_cast<std::size_t>(Seen::error)].add();
}

}  // namespace pawl::gateway
