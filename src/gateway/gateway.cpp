// SPDX-License-Identifier: Apache-2.0
#include "gateway/gateway.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/policy/names.hpp"
#include "core/policy/path.hpp"
#include "core/policy/replay_headers.hpp"
#include "gateway/keying.hpp"
#include "gateway/present.hpp"
#include "gateway/trace.hpp"
#include "gateway/version.hpp"
#include "gateway/who.hpp"
#include "net/http/body_file.hpp"
#include "net/http/forwarding.hpp"
#include "net/http/limits.hpp"
#include "net/http/problem.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/plant/planted.hpp"
#include "runtime/result/assert.hpp"
#include "runtime/task/on_loop.hpp"

namespace pawl::gateway {
namespace {

// A repeat waits no longer than this for the reading of what the first one made.
constexpr std::chrono::milliseconds kReadPresentMax{5'000};

record::Answer kept_answer(const record::Answer& said, const policy::Route& route) {
    record::Answer kept;
    kept.status = said.status;
    kept.headers = policy::replay_headers(said.headers, route.replay_headers);
    kept.body_kept = said.body_kept && said.body.size() <= route.answer_bytes_max;
    if (kept.body_kept) kept.body = said.body;
    if (is_planted(Plant::replay_cut)) kept.body.resize(kept.body.size() / 2);
    return kept;
}

bool is_named_by_permission(const policy::Route& route) {
    return route.caller.source == policy::CallerRule::Source::authorize;
}

// nullopt: the rule is not known any more, or does not fit the request.
std::optional<Digest> fingerprint_under(const Routes& routes, const http::Request& request,
                                        const Digest& rule) {
    std::optional<key::FingerprintRule> known;
    for (const policy::CompiledRoute& route : routes.table.routes())
        if (!known) known = route.rule_named(rule);
    if (!known) return std::nullopt;
    const auto body = http::WholeBody::of(request);
    if (!body) return std::nullopt;
    const auto fingerprint = key::fingerprint(*known, fingerprinted(request, body->view()));
    return fingerprint ? std::optional(*fingerprint) : std::nullopt;
}

// What a newer version replaces is not answered from memory: another node may have replaced it.
bool uses_cache(const policy::Route& route) {
    return !route.has_versions() || is_planted(Plant::cached_stamp);
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
    : loop_(loop),
      setup_(std::move(setup)),
      routes_(std::move(routes)),
      observer_(observer),
      permissions_(loop, setup_.asker) {}

void Gateway::reload(std::shared_ptr<const Routes> routes) {
    routes_ = std::move(routes);
    ++rules_;
    permissions_.forget();
}

std::size_t seat_of(const Digest& identity, std::size_t seats) {
    return record::bucket_of(identity) % seats;
}

http::Serving Gateway::serve(http::Request request, const http::Peer& peer) {
    // The rules have changed while the body came: the request is judged by the new ones.
    const bool anew = request.admission.rules != rules_;
    Named named{.routes = routes_,
                .entry = anew ? routes_->find(request.head)
                              : &routes_->table.routes()[request.admission.route],
                .started = loop_.now(),
                .request = std::move(request)};
    if (named.entry == nullptr) return no_route(named.request.head);
    const policy::Route& route = named.entry->route;
    if (anew) {
        auto who = who_now(route, named.request.head, peer, true);
        if (!who) return answered(named, gateway::refuse(who.error(), route), {});
        named.request.admission.caller = std::move(who->caller);
        named.request.admission.tenant = std::move(who->tenant);
    }
    if (route.authorize && (anew || loop_.now() >= named.request.admission.permitted_until))
        return permit_and_take(std::move(named), peer);
    return take(std::move(named), peer);
}

// The body took longer than a permission lasts.
Task<http::Response> Gateway::permit_and_take(Named named, http::Peer peer) {
    const auto permit = co_await permissions_.ask(question_again(named, peer));
    if (permit->word != Permit::Word::allowed) co_return not_permitted(named, *permit);
    if (is_named_by_permission(named.entry->route)) named.request.admission.caller = permit->caller;
    named.request.admission.permitted_until = permit->good_until();
    co_return co_await take(std::move(named), peer).wait();
}

Question Gateway::question_again(const Named& named, const http::Peer& peer) {
    const policy::Route& route = named.entry->route;
    Who known{named.request.admission.tenant, named.request.admission.caller};
    if (is_named_by_permission(route)) known.caller.clear();
    return question_of(route, named.request.head, peer, known);
}

http::Response Gateway::not_permitted(const Named& named, const Permit& permit) {
    return answered(named, gateway::refuse(permit.error, named.entry->route, permit.challenges),
                    {});
}

http::Serving Gateway::take(Named&& named, const http::Peer& peer) {
    if (const Status known = name(named, peer); !known)
        return answered(named, gateway::refuse(known.error(), named.entry->route), {});
    const Seat& seat = setup_.seats[seat_of(named.keyed.identity, setup_.seats.size())];
    const bool at_hand = !named.entry->read && uses_cache(named.entry->route);
    if (&seat.home.loop() == &loop_ && at_hand) {
        const auto hit = seat.home.recall(named.keyed.identity, named.keyed.fingerprint,
                                          named.entry->fingerprint_digest);
        if (hit) return answered(named, reply_to(*hit, asked_of(named)), hit->fence);
    }
    return carry(std::move(named), peer);
}

Result<Who> Gateway::who_now(const policy::Route& route, const http::RequestHead& head,
                             const http::Peer& peer, bool and_caller) const {
    const std::int64_t now_ms = milliseconds_of(loop_.clock().wall());
    if (const Status plain = check_connection_lines(routes_->callers, route, head); !plain)
        return fail(plain.error());
    Who who{setup_.tenant, {}};
    if (route.tenant) {
        auto tenant = tenant_of(routes_->callers, *route.tenant, head, now_ms);
        if (!tenant) return fail(std::move(tenant.error()));
        who.tenant = std::move(*tenant);
    }
    if (!and_caller) return who;
    auto caller = caller_of(routes_->callers, route.caller, head, peer, now_ms);
    if (!caller) return fail(std::move(caller.error()));
    who.caller = std::move(*caller);
    return who;
}

Status Gateway::name(Named& named, const http::Peer& peer) const {
    // A second name of the caller or the tenant, for services that read `_` as `-`.
    const auto take_out_other_spellings = [&named](const std::string& of) {
        std::erase_if(named.request.head.headers, [&of](const auto& line) {
            return http::equal_like_cgi(line.first, of) && !equal_ignoring_case(line.first, of);
        });
    };
    const policy::Route& route = named.entry->route;
    if (route.caller.source == policy::CallerRule::Source::header)
        take_out_other_spellings(route.caller.name);
    if (route.tenant && route.tenant->source == policy::TenantRule::Source::header)
        take_out_other_spellings(route.tenant->name);
    if (named.entry->route.authorize)
        mark_permitted(*named.entry->route.authorize, named.request.admission.caller,
                       named.request.head.headers);
    auto keyed = key_of(*named.entry, named.request, named.request.admission.tenant,
                        named.request.admission.caller, peer.address, loop_.entropy());
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
    note.path = policy::path_of(named.request.head.target);
    note.route = named.entry->route.name;
    note.key = named.keyed.label;
    note.caller = named.request.admission.caller;
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
    const std::shared_ptr<const Ended> ended =
        co_await on_loop(loop_, seat.home.loop(), at_home(seat, named, peer, std::move(operation)));
    // Who waited for a result of others may have lost the right to it meanwhile.
    const bool is_late = loop_.now() >= named->request.admission.permitted_until;
    if (named->entry->route.authorize && is_late && ended->verdict == Verdict::replayed) {
        const auto permit = co_await permissions_.ask(question_again(*named, peer));
        if (permit->word != Permit::Word::allowed) co_return not_permitted(*named, *permit);
    }
    std::optional<Reply> present;
    if (named->entry->read) present = co_await read_present(named, ended, std::move(peer));
    Reply reply = present ? std::move(*present) : reply_to(*ended, asked_of(*named));
    if (named->keyed.stamp) add_version_decision(reply.response, *ended);
    co_return answered(*named, std::move(reply), ended->fence);
}

Task<std::optional<Reply>> Gateway::read_present(std::shared_ptr<const Named> named,
                                                 std::shared_ptr<const Ended> ended,
                                                 http::Peer peer) {
    const policy::Route& route = named->entry->route;
    const http::RequestHead& head = named->request.head;
    policy::PathParameters parameters;
    named->routes->table.find(head.method, http::first_of(head.headers, "Host"), head.target,
                              &parameters);
    std::optional<http::Request> question =
        reading_of(*named->entry, *ended, head, peer, parameters, named->keyed.label);
    if (!question) co_return std::nullopt;
    PAWL_ASSERT(setup_.asker != nullptr);
    effect::Found found =
        co_await setup_.asker->ask(target_of(route.upstream), *std::move(question),
                                   loop_.now() + std::min(route.wait, kReadPresentMax));
    co_return reply_with_present(*ended, asked_of(*named), std::move(found));
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
    claim.stamp = keyed.stamp;
    operation.use_cache = uses_cache(route);
    claim.lease_ms = route.lease.count();
    claim.horizon_ms =
        route.uncertain.effect_horizon ? route.uncertain.effect_horizon->count() : -1;
    claim.rerunnable = route.rerunnable();
    claim.remembers_ms = route.upstream_remembers ? route.upstream_remembers->count() : -1;
    claim.tenant = named->request.admission.tenant;
    claim.caller =
        record::caller_digest(named->request.admission.tenant, named->request.admission.caller);
    claim.operation = route.name;
    claim.key_label = keyed.label;
    claim.trace_id = trace.id;
    const bool natural = keyed.window.count() > 0;
    claim.keep.result_ms = natural ? keyed.window.count() : route.retention.result.count();
    claim.keep.key_ms = natural ? keyed.window.count() : keep_ms(route.retention.key);
    // A natural key's window bounds a refusal as it bounds a result.
    if (!natural && route.retention.refused)
        operation.refused_keep_ms = route.retention.refused->count();
    operation.window = keyed.window;
    operation.wait_until = loop_.now() + route.wait;
    if (route.tier)
        operation.own_wait_until =
            loop_.now() + std::min(route.wait, policy::timeout_of(*route.tier));
    operation.hold_max = route.hold_max;
    operation.traceparent = trace.traceparent;
    operation.fingerprint_under = [named](const Digest& rule) -> std::optional<Digest> {
        return fingerprint_under(*named->routes, named->request, rule);
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

http::Response Gateway::no_route(const http::RequestHead& head) {
    observer_.passed({head.method, policy::path_of(head.target), false, 404});
    return refuse(404, "not_found", "No route of this gateway matches this method and path.");
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
    observer_.passed({head.method, policy::path_of(head.target), true, status});
}

}  // namespace pawl::gateway
