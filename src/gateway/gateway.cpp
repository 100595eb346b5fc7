// SPDX-License-Identifier: Apache-2.0
#include "gateway/gateway.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/policy/names.hpp"
#include "core/policy/replay_headers.hpp"
#include "gateway/keying.hpp"
#include "gateway/trace.hpp"
#include "net/http/body_file.hpp"
#include "net/http/forwarding.hpp"
#include "net/http/limits.hpp"
#include "net/http/problem.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/plant/planted.hpp"
#include "runtime/task/on_loop.hpp"

namespace pawl::gateway {
namespace {

http::Target target_of(const policy::Upstream& upstream) {
    return {upstream.host, upstream.port, upstream.tls};
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

http::Plan answer(http::Response response) {
    http::Plan plan;
    plan.kind = http::Plan::Kind::answer;
    plan.response = std::move(response);
    return plan;
}

// True when a service that reads the path less strictly would take it for one of another, protected route:
// with `\\` as `/`, escaped slashes and dots undone, or the first segment of `//host/path` as an authority.
bool is_disguised(const Routes& routes, const http::RequestHead& head,
                  const policy::CompiledRoute* found) {
    const std::string_view path = path_of(head.target);
    if (path.find_first_of("\\%") == std::string_view::npos && !path.starts_with("//"))
        return false;
    std::string plain;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const auto byte = path[i] == '%' ? from_hex(path.substr(i + 1, 2)) : std::nullopt;
        const char c = byte && byte->size() == 1 ? byte->front() : path[i];
        plain += c == '\\' ? '/' : c;
        if (byte && byte->size() == 1) i += 2;
    }
    const auto leads_elsewhere = [&](std::string_view reading) {
        const policy::CompiledRoute* other =
            routes.table.find(head.method, http::first_of(head.headers, "Host"), reading);
        return other != nullptr && other != found && other->protects(head.method);
    };
    const auto behind = plain.starts_with("//") ? plain.find('/', 2) : std::string::npos;
    return leads_elsewhere(plain) ||
           (behind != std::string::npos && leads_elsewhere(std::string_view(plain).substr(behind)));
}

http::Plan relay(const policy::Upstream& upstream, const http::RequestHead& head,
                 std::string_view host = {}) {
    http::Plan plan;
    plan.kind = http::Plan::Kind::relay;
    plan.target = target_of(upstream);
    plan.head = head;
    std::erase_if(plan.head.headers,
                  [](const auto& line) { return http::is_pawl_header(line.first); });
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

bool has_key_header(const policy::Route& route, const http::RequestHead& head) {
    return !http::values_of(head.headers, route.key.header).empty();
}

std::int64_t keep_ms(std::optional<std::chrono::milliseconds> duration) {
    return duration ? duration->count() : record::kForever;
}

}  // namespace

// A request of a protected route under the name of its operation. Shared by its effect and by fingerprints
// under other rules.
struct Gateway::Named {
    std::shared_ptr<const Routes> routes;  // those it began with: a reload does not touch it
    const policy::CompiledRoute* entry = nullptr;
    MonotonicTime started{};
    http::Request request;
    Keyed keyed;
    std::string trace_id;  // empty where nothing was begun
};

Gateway::Gateway(Loop& loop, GatewaySetup setup, std::shared_ptr<const Routes> routes,
                 Observer& observer)
    : loop_(loop), setup_(std::move(setup)), routes_(std::move(routes)), observer_(observer) {}

std::size_t seat_of(const Digest& identity, std::size_t seats) {
    return record::bucket_of(identity) % seats;
}

http::Plan Gateway::plan(const http::RequestHead& head, const http::Peer& peer) {
    const policy::CompiledRoute* compiled = routes_->find(head);
    if (is_disguised(*routes_, head, compiled))
        return answer(
            refuse(400, "request_invalid",
                   "Services read this spelling of the path in different ways, and one of "
                   "them is a protected route. Send the path in its plain form."));
    if (compiled == nullptr) {
        if (routes_->default_upstream) return relay(*routes_->default_upstream, head);
        return answer(
            refuse(404, "not_found", "No route of this gateway matches this method and path."));
    }
    if (!compiled->protects(head.method)) return pass_on(*compiled, head, peer);
    auto caller = caller_now(compiled->route, head, peer);
    if (caller && compiled->runs_without_key && !has_key_header(compiled->route, head))
        return pass_on(*compiled, head, peer);
    const Status key = caller ? check_key_in_head(compiled->route, head) : Status{};
    if (caller && key) {
        http::Plan plan;
        plan.kind = http::Plan::Kind::whole;
        plan.body_bytes_max = compiled->route.body_bytes_max;
        plan.caller = std::move(*caller);
        plan.rules = rules_;
        plan.body_in_memory_max = http::kBodyInMemoryMax;
        return plan;
    }
    Reply refusal = gateway::refuse(caller ? key.error() : caller.error(), compiled->route);
    if (!caller)
        if (std::string challenge = challenge_of(routes_->callers, compiled->route.caller);
            !challenge.empty())
            refusal.response.headers.emplace_back("WWW-Authenticate", std::move(challenge));
    RequestNote note;
    note.method = head.method;
    note.path = path_of(head.target);
    note.route = compiled->route.name;
    note.seen = refusal.seen;
    note.code = name_of(refusal.code);
    note.status = refusal.response.status;
    routes_->figures_of(*compiled).requests[static_cast<std::size_t>(Seen::refused)].add();
    observer_.answered(note);
    return answer(std::move(refusal.response));
}

http::Plan Gateway::pass_on(const policy::CompiledRoute& compiled, const http::RequestHead& head,
                            const http::Peer& peer) const {
    http::Plan plan = relay(compiled.route.upstream, head, compiled.route.host_rewrite);
    if (compiled.route.shadow && setup_.shadows != nullptr && !policy::is_safe_method(head.method))
        plan.watcher =
            watch_in_shadow(*setup_.shadows, loop_,
                            {routes_, &compiled, setup_.tenant,
                             caller_now(compiled.route, head, peer), head, peer.address});
    return plan;
}

http::Serving Gateway::serve(http::Request request, const http::Peer& peer) {
    Named named{.routes = routes_,
                .entry = routes_->find(request.head),
                .started = loop_.now(),
                .request = std::move(request)};
    if (named.entry == nullptr)
        return refuse(404, "not_found", "No route of this gateway matches this method and path.");
    // The rules have changed while the body came: who calls is asked of the new ones.
    if (named.request.rules != rules_) {
        auto caller = caller_now(named.entry->route, named.request.head, peer);
        if (!caller)
            return answered(named, gateway::refuse(caller.error(), named.entry->route), {});
        named.request.caller = std::move(*caller);
    }
    if (const Status known = name(named, peer); !known)
        return answered(named, gateway::refuse(known.error(), named.entry->route), {});
    const Seat& seat = setup_.seats[seat_of(named.keyed.identity, setup_.seats.size())];
    if (&seat.home.loop() == &loop_) {
        const auto hit = seat.home.recall(named.keyed.identity, named.keyed.fingerprint,
                                          named.entry->fingerprint_digest);
        if (hit) return answered(named, reply_to(*hit, asked_of(named)), hit->fence);
    }
    return carry(std::move(named), peer);
}

Result<std::string> Gateway::caller_now(const policy::Route& route, const http::RequestHead& head,
                                        const http::Peer& peer) const {
    if (const Status plain = check_connection_lines(routes_->callers, route, head); !plain)
        return fail(plain.error());
    return caller_of(routes_->callers, route.caller, head, peer,
                     milliseconds_of(loop_.clock().wall()));
}

Status Gateway::name(Named& named, const http::Peer& peer) const {
    // A second name of the caller, for services that read `_` as `-`.
    if (const policy::CallerRule& rule = named.entry->route.caller;
        rule.source == policy::CallerRule::Source::header)
        std::erase_if(named.request.head.headers, [&rule](const auto& line) {
            return http::equal_like_cgi(line.first, rule.name) &&
                   !equal_ignoring_case(line.first, rule.name);
        });
    auto keyed = key_of(*named.entry, named.request, setup_.tenant, named.request.caller,
                        peer.address, loop_.entropy());
    if (!keyed) return fail(std::move(keyed.error()));
    named.keyed = std::move(*keyed);
    return {};
}

Asked Gateway::asked_of(const Named& named) {
    const policy::Route& route = named.entry->route;
    return {.key_header = route.key.header,
            .key_line = named.keyed.line,
            .identity = named.keyed.identity,
            .route = &route,
            .has_closing_probe = named.entry->close.has_value()};
}

http::Response Gateway::answered(const Named& named, Reply reply, record::Fence fence) {
    RequestNote note;
    note.method = named.request.head.method;
    note.path = path_of(named.request.head.target);
    note.route = named.entry->route.name;
    note.key = named.keyed.label;
    note.caller = named.request.caller;
    note.identity = named.keyed.identity;
    note.trace_id = named.trace_id;
    note.fence = fence.number;
    note.seen = reply.seen;
    if (reply.problem) note.code = name_of(reply.code);
    note.status = reply.response.status;
    note.elapsed = loop_.now() - named.started;
    RouteFigures& figures = named.routes->figures_of(*named.entry);
    figures.requests[static_cast<std::size_t>(reply.seen)].add();
    figures.latency.add(note.elapsed);
    observer_.answered(note);
    return std::move(reply.response);
}

Task<http::Response> Gateway::carry(Named asked_for, http::Peer peer) {
    const Trace trace = continue_trace(
        http::first_of(asked_for.request.head.headers, "traceparent"), loop_.entropy());
    asked_for.trace_id = trace.id;
    const auto named = std::make_shared<const Named>(std::move(asked_for));
    const Seat seat = setup_.seats[seat_of(named->keyed.identity, setup_.seats.size())];
    Operation operation = operation_of(named, trace);
    auto at_home = [](Seat home, std::shared_ptr<const Named> kept, http::Peer from,
                      Operation wanted) -> Task<std::shared_ptr<const Ended>> {
        std::shared_ptr<const http::Request> whole(kept, &kept->request);
        auto effect = home.effects.make(kept->entry->route, std::move(whole), std::move(from));
        co_return co_await home.home.run(std::move(wanted), std::move(effect));
    };
    const std::shared_ptr<const Ended> ended = co_await on_loop(
        loop_, seat.home.loop(), at_home(seat, named, std::move(peer), std::move(operation)));
    co_return answered(*named, reply_to(*ended, asked_of(*named)), ended->fence);
}

Operation Gateway::operation_of(const std::shared_ptr<const Named>& named,
                                const Trace& trace) const {
    const policy::CompiledRoute& entry = *named->entry;
    const Keyed& keyed = named->keyed;
    const policy::Route& route = entry.route;
    Operation operation;
    record::Claim& claim = operation.claim;
    claim.identity = keyed.identity;
    claim.fingerprint = keyed.fingerprint;
    claim.rule = entry.fingerprint_digest;
    claim.lease_ms = route.lease.count();
    claim.horizon_ms =
        route.uncertain.effect_horizon ? route.uncertain.effect_horizon->count() : -1;
    claim.rerunnable = route.rerunnable();
    claim.remembers_ms = route.upstream_remembers ? route.upstream_remembers->count() : -1;
    claim.tenant = setup_.tenant;
    claim.caller = record::caller_digest(setup_.tenant, named->request.caller);
    claim.operation = route.name;
    claim.key_label = keyed.label;
    claim.trace_id = trace.id;
    const bool natural = keyed.window.count() > 0;
    claim.keep.result_ms = natural ? keyed.window.count() : route.retention.result.count();
    claim.keep.key_ms = natural ? keyed.window.count() : keep_ms(route.retention.key);
    operation.window = keyed.window;
    operation.wait_until = loop_.now() + route.wait;
    if (route.tier)
        operation.own_wait_until =
            loop_.now() + std::min(route.wait, policy::timeout_of(*route.tier));
    operation.hold_max = route.hold_max;
    operation.traceparent = trace.traceparent;
    operation.fingerprint_under = [named](const Digest& rule) -> std::optional<Digest> {
        for (const policy::CompiledRoute& other : named->routes->table.routes()) {
            if (other.fingerprint_digest != rule) continue;
            const auto body = http::WholeBody::of(named->request);
            if (!body) return std::nullopt;
            const auto fingerprint = key::fingerprint(
                other.fingerprint,
                {named->request.head.method, named->request.head.target,
                 http::first_of(named->request.head.headers, "Content-Type"), body->view()});
            if (fingerprint) return *fingerprint;
            return std::nullopt;
        }
        return std::nullopt;
    };
    operation.classify = [named](const effect::Found& found) {
        return named->entry->classify({found.kind, found.answer.status, found.declared});
    };
    operation.kept = [named](const record::Answer& said) {
        return kept_answer(said, named->entry->route);
    };
    return operation;
}

http::Response Gateway::refuse(int status, std::string_view code, std::string_view detail) {
    return http::refusal(status, code, detail);
}

void Gateway::relayed(const http::RequestHead& head, int status) {
    const policy::CompiledRoute* compiled = routes_->find(head);
    RouteFigures& figures =
        compiled != nullptr ? routes_->figures_of(*compiled) : routes_->unmatched;
    if (!policy::is_safe_method(head.method)) {
        figures.unprotected_writes.add();
        unprotected_.add(head.method, head.target,
                         !http::values_of(head.headers, "Idempotency-Key").empty(),
                         compiled != nullptr ? compiled->route.name : std::string_view());
    }
    if (status >= 500) figures.requests[static_cast<std::size_t>(Seen::error)].add();
}

}  // namespace pawl::gateway
