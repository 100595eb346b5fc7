// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_api/flow_service.hpp"

#include <fmt/format.h>

#include "core/policy/path.hpp"
#include "engine/notifications.hpp"
#include "gateway/cors.hpp"
#include "gateway/trace.hpp"
#include "net/http/problem.hpp"

namespace pawl::flow_api {
namespace {

http::Response response_of(const Misdirected& wrong) {
    http::Response response = http::refusal(wrong.status, wrong.code, wrong.text);
    if (!wrong.allow.empty()) response.headers.emplace_back("Allow", wrong.allow);
    return response;
}

}  // namespace

FlowService::FlowService(Loop& loop, Parts parts, std::shared_ptr<const FlowRules> rules,
                         gateway::Observer& observer, http::Service& rest)
    : loop_(loop),
      parts_(std::move(parts)),
      rules_(std::move(rules)),
      observer_(observer),
      rest_(rest) {}

void FlowService::reload(std::shared_ptr<const FlowRules> rules) {
    rules_ = std::move(rules);
    ++rules_count_;
}

http::Plan FlowService::plan(const http::RequestHead& head, const http::Peer& peer) {
    const auto path = below(head.target, rules_->alias());
    if (!path) return rest_.plan(head, peer);
    const std::string_view asked_for = gateway::preflighted_method(head);
    const auto call = flow_call(asked_for.empty() ? head.method : asked_for, *path);
    if (!call) return {response_of(call.error())};
    const Operation* operation = nullptr;
    const bool has_operation = call->kind != Kind::notify && call->kind != Kind::describe;
    if (has_operation) operation = rules_->find(*call);
    const auto& cors = rules_->cors();
    const policy::CompiledRoute* route = operation != nullptr ? &operation->compiled : nullptr;
    if (!asked_for.empty() && cors)
        return {gateway::preflight_answer(*cors, route, rules_->callers(), head)};
    http::Plan plan = has_operation && operation == nullptr
                          ? http::Plan{response_of(rules_->why_not(*call))}
                          : plan_call(*call, head, peer);
    if (cors) plan.edit = gateway::cors_edit(*cors, route, head);
    return plan;
}

http::Plan FlowService::plan_call(FlowCall call, const http::RequestHead& head,
                                  const http::Peer& peer) {
    if (call.kind == Kind::describe) return {http::Whole{}};
    // Verified by its signature, over the bytes as they came.
    if (call.kind == Kind::notify)
        return {http::Whole{.body_bytes_max = engine::kNotificationBytesMax,
                            .admission = {.rules = rules_count_}}};
    const Operation& operation = *rules_->find(call);
    auto who = who_now(operation, head, peer);
    if (!who) return {refused(operation, head, who.error())};
    if (takes_key(call.kind))
        if (const Status key = gateway::check_key_in_head(operation.compiled.route, head); !key)
            return {refused(operation, head, key.error())};
    return {http::Whole{.body_bytes_max = is_write(call.kind) ? kBodyBytesMax : 0,
                        .admission = {.caller = std::move(who->caller),
                                      .tenant = std::move(who->tenant),
                                      .rules = rules_count_}}};
}

Result<gateway::Who> FlowService::who_now(const Operation& operation, const http::RequestHead& head,
                                          const http::Peer& peer) const {
    const policy::Route& route = operation.compiled.route;
    const caller::Callers& callers = rules_->callers();
    const std::int64_t now_ms = milliseconds_of(loop_.clock().wall());
    if (const Status plain = gateway::check_connection_lines(callers, route, head); !plain)
        return fail(plain.error());
    gateway::Who who{rules_->access().tenant, {}};
    if (route.tenant) {
        auto tenant = gateway::tenant_of(callers, *route.tenant, head, now_ms);
        if (!tenant) return fail(std::move(tenant.error()));
        who.tenant = std::move(*tenant);
    }
    auto caller = gateway::caller_of(callers, route.caller, head, peer, now_ms);
    if (!caller) return fail(std::move(caller.error()));
    who.caller = std::move(*caller);
    return who;
}

http::Response FlowService::refused(const Operation& operation, const http::RequestHead& head,
                                    const Error& error) {
    const policy::Route& route = operation.compiled.route;
    std::vector<std::string> challenges;
    if (error.code == Code::caller_unknown)
        if (auto challenge = gateway::challenge_of(rules_->callers(), route.caller);
            !challenge.empty())
            challenges.push_back(std::move(challenge));
    gateway::Reply reply = gateway::refuse(error, route, challenges);
    gateway::RequestNote note;
    note.method = head.method;
    note.path = policy::path_of(head.target);
    note.route = route.name;
    note.seen = reply.seen;
    note.code = name_of(error.code);
    note.status = reply.response.status;
    operation.figures.requests[static_cast<std::size_t>(reply.seen)].add();
    observer_.answered(note);
    return std::move(reply.response);
}

http::Serving FlowService::serve(http::Request request, const http::Peer& peer) {
    const auto path = below(request.head.target, rules_->alias());
    if (!path) return rest_.serve(std::move(request), peer);
    auto call = flow_call(request.head.method, *path);
    if (!call) return response_of(call.error());
    auto begun = std::make_shared<Begun>(Begun{.rules = rules_,
                                               .call = *std::move(call),
                                               .request = std::move(request),
                                               .started = loop_.now()});
    http::Request& whole = begun->request;
    if (begun->call.kind != Kind::notify && begun->call.kind != Kind::describe) {
        begun->operation = rules_->find(begun->call);
        if (begun->operation == nullptr) return response_of(rules_->why_not(begun->call));
        if (whole.admission.rules != rules_count_) {
            // The rules have changed while the body came: the request is judged by the new ones.
            auto who = who_now(*begun->operation, whole.head, peer);
            if (!who) return refused(*begun->operation, whole.head, who.error());
            whole.admission.caller = std::move(who->caller);
            whole.admission.tenant = std::move(who->tenant);
        }
        if (const Status named = name(*begun, peer); !named)
            return refused(*begun->operation, whole.head, named.error());
    }
    return answer(std::move(begun));
}

Task<http::Response> FlowService::answer(BegunPtr begun) {
    Said said = co_await say(begun);
    place_links(*begun, said.response);
    note(*begun, said);
    co_return std::move(said.response);
}

Task<FlowService::Said> FlowService::say(BegunPtr begun) {
    auto at_once = [](Said there) -> Task<Said> { co_return there; };
    switch (begun->call.kind) {
        case Kind::create:
            return create(std::move(begun));
        case Kind::send:
            return send_event(std::move(begun));
        case Kind::renew:
            return renew(std::move(begun));
        case Kind::change_stock:
            return change_stock(std::move(begun));
        case Kind::notify:
            return notify(std::move(begun));
        case Kind::read:
            return read(std::move(begun));
        case Kind::list:
            return list(std::move(begun));
        case Kind::timeline:
            return timeline(std::move(begun));
        case Kind::read_stock:
            return read_stock(std::move(begun));
        case Kind::machine:
            return at_once(machine(*begun));
        case Kind::describe:
            break;
    }
    return at_once(describe(*begun));
}

FlowService::Said FlowService::said(const Error& error) {
    http::Problem problem;
    problem.code = error.code;
    problem.detail = error.text;
    if (row_of(error.code).retryable) problem.retry_after = std::chrono::seconds{1};
    const bool refused = row_of(error.code).http_status < 500;
    return {http::to_response(problem), refused ? gateway::Seen::refused : gateway::Seen::error,
            std::string(name_of(error.code))};
}

void FlowService::place_links(const Begun& begun, http::Response& response) {
    if (begun.rules->alias()) return;
    for (auto& [name, value] : response.headers) {
        if (name != "Location" && name != "Content-Location" && name != "Link") continue;
        const std::size_t at = name == "Link" ? 1 : 0;  // behind "<"
        if (std::string_view(value).substr(std::min(at, value.size())).starts_with("/v1/"))
            value.insert(at, kReserved.substr(0, kReserved.size() - kAlias.size()));
    }
}

void FlowService::note(const Begun& begun, const Said& said) {
    const http::RequestHead& head = begun.request.head;
    if (begun.operation == nullptr || !takes_key(begun.call.kind)) {
        observer_.passed(
            {head.method, policy::path_of(head.target), true, said.response.status, true});
        return;
    }
    gateway::RequestNote note;
    note.method = head.method;
    note.path = policy::path_of(head.target);
    note.route = begun.operation->compiled.route.name;
    note.key = begun.keyed.label;
    note.caller = begun.request.admission.caller;
    note.identity = begun.keyed.identity;
    note.trace_id = begun.trace_id;
    note.seen = said.seen;
    note.code = said.code;
    note.status = said.response.status;
    note.elapsed = loop_.now() - begun.started;
    begun.operation->figures.requests[static_cast<std::size_t>(said.seen)].add();
    begun.operation->figures.latency.add(note.elapsed);
    observer_.answered(note);
}

}  // namespace pawl::flow_api
