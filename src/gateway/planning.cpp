// SPDX-License-Identifier: Apache-2.0
// What is done with a request, decided by its head: which route, who calls, whether it is permitted, and whether
// its key is well-formed, in this order and before a byte of its body is taken.
#include <algorithm>

#include "core/policy/path.hpp"
#include "gateway/cors.hpp"
#include "gateway/gateway.hpp"
#include "gateway/keying.hpp"
#include "gateway/path_readings.hpp"
#include "gateway/who.hpp"
#include "net/http/forwarding.hpp"
#include "net/http/limits.hpp"

namespace pawl::gateway {
namespace {

// What a request of this route goes through before anybody sees it.
bool is_guarded(const policy::CompiledRoute& compiled, std::string_view method) {
    return compiled.protects(method) || compiled.route.authorize;
}

// True when a service that reads the path less strictly would take it for one of another, guarded route.
bool is_disguised(const Routes& routes, const http::RequestHead& head,
                  const policy::CompiledRoute* found) {
    return std::ranges::any_of(
        lenient_readings(policy::path_of(head.target)), [&](const std::string& reading) {
            const policy::CompiledRoute* other =
                routes.table.find(head.method, http::first_of(head.headers, "Host"), reading);
            return other != nullptr && other != found && is_guarded(*other, head.method);
        });
}

bool has_key_header(const policy::Route& route, const http::RequestHead& head) {
    return !http::values_of(head.headers, route.key.header).empty();
}

}  // namespace

// A request with the rules that it began with.
struct Gateway::Begun {
    std::shared_ptr<const Routes> routes;
    const policy::CompiledRoute* entry = nullptr;
    std::uint64_t rules = 0;
    Who who;
    MonotonicTime permitted_until = kNever;
};

http::Plan Gateway::plan(const http::RequestHead& head, const http::Peer& peer) {
    const policy::CompiledRoute* found = routes_->find(head);
    // A preflight asks about the request that follows it. Nobody is asked who sends it: browsers do not say.
    if (const std::string_view method = preflighted_method(head); !method.empty()) {
        const policy::CompiledRoute* meant =
            routes_->table.find(method, http::first_of(head.headers, "Host"), head.target);
        if (const auto& cors = meant != nullptr ? meant->route.cors : routes_->cors)
            return {preflight_answer(*cors, meant, routes_->callers, head)};
    }
    http::Plan plan = plan_here(found, head, peer);
    if (const auto& cors = found != nullptr ? found->route.cors : routes_->cors)
        plan.edit = cors_edit(*cors, found, head);
    return plan;
}

http::Plan Gateway::plan_here(const policy::CompiledRoute* found, const http::RequestHead& head,
                              const http::Peer& peer) {
    Begun begun{.routes = routes_, .entry = found, .rules = rules_};
    if (is_disguised(*routes_, head, begun.entry))
        return {refuse(400, "request_invalid",
                       "Services read this spelling of the path in different ways, and one of "
                       "them is a protected route. Send the path in its plain form.")};
    if (begun.entry == nullptr) {
        if (routes_->default_upstream)
            return {http::Onward{.target = target_of(*routes_->default_upstream)}};
        return {no_route(head)};
    }
    const policy::Route& route = begun.entry->route;
    if (!is_guarded(*begun.entry, head.method)) {
        // The service may go by the same header where nothing is protected. A shadow refuses nothing.
        const Status plain = check_connection_lines(routes_->callers, route, head);
        if (!plain && !route.shadow)
            return refused(begun, head, gateway::refuse(plain.error(), route));
        return plan_permitted(std::move(begun), head, peer);
    }
    auto who = who_now(route, head, peer, begun.entry->protects(head.method));
    if (!who) {
        const bool unknown = who.error().code == Code::caller_unknown;
        const std::string challenge =
            unknown ? challenge_of(routes_->callers, route.caller) : std::string();
        return refused(begun, head,
                       gateway::refuse(who.error(), route,
                                       challenge.empty() ? std::vector<std::string>{}
                                                         : std::vector{challenge}));
    }
    begun.who = std::move(*who);
    if (!route.authorize) return plan_permitted(std::move(begun), head, peer);
    const Permit* permit = permissions_.recall(question_name(route, head, peer, begun.who));
    if (permit != nullptr) return plan_judged(std::move(begun), head, peer, *permit);
    return {ask_and_plan(std::move(begun), head, peer)};
}

Task<http::Plan> Gateway::ask_and_plan(Begun begun, http::RequestHead head, http::Peer peer) {
    const auto permit =
        co_await permissions_.ask(question_of(begun.entry->route, head, peer, begun.who));
    co_return plan_judged(std::move(begun), head, peer, *permit);
}

http::Plan Gateway::plan_judged(Begun begun, const http::RequestHead& head, const http::Peer& peer,
                                const Permit& permit) {
    const policy::Route& route = begun.entry->route;
    if (permit.word != Permit::Word::allowed)
        return refused(begun, head, gateway::refuse(permit.error, route, permit.challenges));
    if (!route.authorize->caller_header.empty()) begun.who.caller = permit.caller;
    begun.permitted_until = permit.good_until();
    return plan_permitted(std::move(begun), head, peer);
}

http::Plan Gateway::plan_permitted(Begun begun, const http::RequestHead& head,
                                   const http::Peer& peer) {
    const policy::CompiledRoute& compiled = *begun.entry;
    const policy::Route& route = compiled.route;
    if (!compiled.protects(head.method) ||
        (compiled.runs_without_key && !has_key_header(route, head))) {
        return pass_on(begun, head, peer);
    }
    if (const Status key = check_key_in_head(route, head); !key)
        return refused(begun, head, gateway::refuse(key.error(), route));
    return {http::Whole{.body_bytes_max = route.body_bytes_max,
                        .body_in_memory_max = http::kBodyInMemoryMax,
                        .admission = {.caller = std::move(begun.who.caller),
                                      .tenant = std::move(begun.who.tenant),
                                      .rules = begun.rules,
                                      .route = begun.routes->number_of(compiled),
                                      .permitted_until = begun.permitted_until}}};
}

http::Plan Gateway::pass_on(const Begun& begun, const http::RequestHead& head,
                            const http::Peer& peer) const {
    const policy::Route& route = begun.entry->route;
    http::Onward onward{.target = target_of(route.upstream), .host = route.host_rewrite};
    if (route.authorize) {
        onward.head = head;
        http::remove_pawl_headers(onward.head->headers);
        mark_permitted(*route.authorize, begun.who.caller, onward.head->headers);
    }
    if (!http::first_of(head.headers, "Transfer-Encoding").empty())
        for (const std::string_view name : headers_gone_by(begun.routes->callers, route))
            onward.head_only.emplace_back(name);
    if (!route.shadow || setup_.shadows == nullptr || policy::is_safe_method(head.method))
        return {std::move(onward)};
    const bool by_permission = route.caller.source == policy::CallerRule::Source::authorize;
    Result<Who> who = who_now(route, head, peer, !by_permission);
    if (who && by_permission) who->caller = begun.who.caller;
    onward.watcher = watch_in_shadow(
        *setup_.shadows, loop_,
        {begun.routes, begun.entry, who ? who->tenant : std::string(),
         who ? Result<std::string>(who->caller) : fail(who.error()), head, peer.address});
    return {std::move(onward)};
}

http::Plan Gateway::refused(const Begun& begun, const http::RequestHead& head, Reply reply) {
    RequestNote note;
    note.method = head.method;
    note.path = policy::path_of(head.target);
    note.route = begun.entry->route.name;
    note.seen = reply.seen;
    note.code = name_of(reply.code);
    note.status = reply.response.status;
    begun.routes->figures_of(*begun.entry).requests[static_cast<std::size_t>(reply.seen)].add();
    observer_.answered(note);
    return {std::move(reply.response)};
}

}  // namespace pawl::gateway
