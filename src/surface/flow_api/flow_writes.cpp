// SPDX-License-Identifier: Apache-2.0
// The writing calls: from a request to what is sent to the engine, and from what it says to an answer.
#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "gateway/roles.hpp"
#include "gateway/trace.hpp"
#include "net/http/body_file.hpp"
#include "net/http/problem.hpp"
#include "surface/flow_api/flow_service.hpp"

namespace pawl::flow_api {
namespace {

using gateway::Seen;

// The role of those who are given the first result of somebody else's event.
constexpr std::string_view kReader = "reader";

// `"7"`, as GET answered it, or 7; `*`: whatever it is. Errors: request_invalid.
Result<std::optional<std::uint64_t>> if_match_in(const http::Headers& headers) {
    const auto lines = http::values_of(headers, "If-Match");
    if (lines.empty() || (lines.size() == 1 && lines.front() == "*")) return std::nullopt;
    std::string_view text = lines.front();
    const bool quoted = text.size() > 2 && text.front() == '"' && text.back() == '"';
    if (quoted) text = text.substr(1, text.size() - 2);
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
    if (lines.size() > 1 || !digits)
        return fail(Code::request_invalid,
                    "If-Match holds one version as GET answers it in ETag, in quotes: \"7\".");
    std::uint64_t version = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), version);
    // No entity has come so far: it is another version.
    if (read.ec != std::errc{}) return std::numeric_limits<std::uint64_t>::max();
    return version;
}

store::FlowSubject subject_of(const FlowCall& call, const std::string& tenant) {
    return {tenant, call.flow, call.id, {}};
}

std::string code_of(const http::Response& response, const engine::Outcome& outcome) {
    if (response.status < 400) return {};
    if (outcome.told == engine::Told::refused && outcome.refusal)
        return std::string(flow::name_of(outcome.refusal->reason));
    return std::string(engine::name_of(outcome.told));
}

// The first request was no refusal: there is something to show, or to refuse to show again.
bool took_effect(const engine::Outcome& outcome) {
    return outcome.verdict && outcome.verdict->row.settled &&
           outcome.verdict->row.settled->status < 400;
}

Seen seen_of(const engine::Outcome& outcome) {
    using engine::Told;
    if (outcome.replayed) return Seen::replay;
    switch (outcome.told) {
        case Told::refused:
        case Told::contended:
            return Seen::refused;
        case Told::recorded:
            if (!outcome.verdict) return Seen::refused;
            if (outcome.verdict->outcome == record::Outcome::mismatch) return Seen::mismatch;
            if (outcome.verdict->outcome == record::Outcome::stale) return Seen::stale;
            if (outcome.verdict->outcome == record::Outcome::expired) return Seen::expired;
            return Seen::refused;
        default:
            return Seen::first;
    }
}

}  // namespace

Status FlowService::name(Begun& begun, const http::Peer& peer) const {
    if (!takes_key(begun.call.kind)) return {};
    http::Request& request = begun.request;
    // One operation, whichever way it is spelled and whatever the body is called.
    request.head.target = plain_target(request.head.target, begun.call);
    http::remove_all(request.head.headers, "Content-Type");
    request.head.headers.emplace_back("Content-Type", "application/json");
    auto keyed = gateway::key_of(begun.operation->compiled, request, request.admission.tenant,
                                 request.admission.caller, peer.address, loop_.entropy());
    if (!keyed) return fail(std::move(keyed.error()));
    begun.keyed = *std::move(keyed);
    const gateway::Trace trace = gateway::continue_trace(
        http::first_of(request.head.headers, "traceparent"), loop_.entropy());
    begun.trace_id = trace.id;
    begun.traceparent = trace.traceparent;
    return {};
}

record::Claim FlowService::claim_of(const Begun& begun) const {
    const policy::CompiledRoute& compiled = begun.operation->compiled;
    const http::Admission& from = begun.request.admission;
    record::Claim claim;
    claim.identity = begun.keyed.identity;
    claim.fingerprint = begun.keyed.fingerprint;
    claim.rule = compiled.fingerprint_digest;
    claim.stamp = begun.keyed.stamp;
    claim.owner = parts_.owner;
    claim.lease_ms = compiled.route.lease.count();
    claim.keep.result_ms = compiled.route.retention.result.count();
    claim.keep.key_ms =
        compiled.route.retention.key ? compiled.route.retention.key->count() : record::kForever;
    claim.tenant = from.tenant;
    claim.caller = record::caller_digest(from.tenant, from.caller);
    claim.operation = compiled.route.name;
    claim.key_label = begun.keyed.label;
    claim.trace_id = begun.trace_id;
    loop_.entropy().fill(std::as_writable_bytes(std::span{claim.claim.bytes}));
    return claim;
}

std::optional<Digest> FlowService::fingerprint_under(const Begun& begun, const Digest& rule) {
    const auto known = begun.operation->compiled.rule_named(rule);
    if (!known) return std::nullopt;
    const auto fingerprint =
        key::fingerprint(*known, gateway::fingerprinted(begun.request, begun.request.body));
    return fingerprint ? std::optional(*fingerprint) : std::nullopt;
}

flow::Event FlowService::event_of(const Begun& begun, Given given) const {
    const http::Admission& from = begun.request.admission;
    flow::Event event;
    event.name = begun.call.kind == Kind::create ? "create" : begun.call.name;
    event.values = std::move(given.values);
    event.items = std::move(given.items);
    event.sender = flow::Sender::caller;
    event.caller = from.caller;
    event.roles = roles_of(begun);
    event.stamp = begun.keyed.stamp;
    event.trace_context = begun.traceparent;
    return event;
}

std::vector<std::string> FlowService::roles_of(const Begun& begun) const {
    return gateway::roles_of(begun.rules->callers(), begun.rules->access().roles,
                             begun.request.head, begun.request.admission.caller,
                             milliseconds_of(loop_.clock().wall()));
}

// Read beside the writer, for whose commits new operations wait. What the flow answers repeats with instead, the
// engine knows.
Task<std::optional<FlowService::Said>> FlowService::known_result(BegunPtr begun) {
    const bool replays = on_repeat_of(*begun) == flow::OnRepeat::replay;
    if (!replays || begun->keyed.stamp || !parts_.records.may_know(begun->keyed.identity))
        co_return std::nullopt;
    auto stored = co_await parts_.records.read(begun->keyed.identity);
    if (!stored || !*stored || (*stored)->row.state != record::State::completed)
        co_return std::nullopt;
    gateway::Operation operation;
    operation.claim = claim_of(*begun);
    operation.fingerprint_under = [begun](const Digest& rule) {
        return fingerprint_under(*begun, rule);
    };
    store::Reply seen{record::Outcome::unchanged, std::move((*stored)->row),
                      std::move((*stored)->answer)};
    const gateway::Ended ended =
        gateway::ended_from_row(operation, std::move(seen), (*stored)->now_ms);
    if (ended.verdict != gateway::Verdict::replayed) co_return std::nullopt;
    const policy::Route& route = begun->operation->compiled.route;
    gateway::Reply reply = gateway::reply_to(ended, {.key_header = route.key.header,
                                                     .key_line = begun->keyed.line,
                                                     .identity = begun->keyed.identity,
                                                     .route = &route});
    co_return Said{std::move(reply.response), reply.seen, {}};
}

Task<FlowService::Said> FlowService::create(BegunPtr begun) {
    const flow::Machine* machine = begun->rules->machines().find(begun->call.flow);
    const flow::Definition& flow = machine->definition();
    auto given = read_given(begun->request.body, flow, flow.create);
    if (!given) co_return wrong(given.error());
    if (auto known = co_await known_result(begun)) co_return *std::move(known);
    engine::Sent sent{
        .subject = {begun->request.admission.tenant, flow.name, {}, given->business_key},
        .creates = true};
    sent.event = event_of(*begun, *std::move(given));
    co_return co_await send(std::move(begun), std::move(sent));
}

Task<FlowService::Said> FlowService::send_event(BegunPtr begun) {
    if (auto wrong = co_await settle_id(begun)) co_return *std::move(wrong);
    const auto if_match = if_match_in(begun->request.head.headers);
    if (!if_match) co_return said(if_match.error());
    const flow::Machine* machine = begun->rules->machines().find(begun->call.flow);
    auto given =
        read_given(begun->request.body, machine->definition(), *machine->event(begun->call.name));
    if (!given) co_return wrong(given.error());
    if (auto known = co_await known_result(begun)) co_return *std::move(known);
    engine::Sent sent{.subject = subject_of(begun->call, begun->request.admission.tenant)};
    sent.event = event_of(*begun, *std::move(given));
    sent.event.if_match = *if_match;
    co_return co_await send(std::move(begun), std::move(sent));
}

Task<FlowService::Said> FlowService::send(BegunPtr begun, engine::Sent sent) {
    sent.claim = claim_of(*begun);
    // Others are told who was first, and nothing else of it.
    sent.may_read = std::ranges::find(sent.event.roles, kReader) != sent.event.roles.end();
    sent.fingerprint_under = [begun](const Digest& rule) {
        return fingerprint_under(*begun, rule);
    };
    auto outcome = co_await parts_.committer.send(std::move(sent));
    if (!outcome) co_return said(outcome.error());
    co_return said(*std::move(outcome), *begun);
}

Task<FlowService::Said> FlowService::renew(BegunPtr begun) {
    if (auto wrong = co_await settle_id(begun)) co_return *std::move(wrong);
    auto outcome =
        co_await parts_.committer.renew(subject_of(begun->call, begun->request.admission.tenant),
                                        begun->call.name, roles_of(*begun));
    if (!outcome) co_return said(outcome.error());
    if (outcome->told == engine::Told::refused) co_return said(*std::move(outcome), *begun);
    co_return co_await read(std::move(begun));
}

Task<FlowService::Said> FlowService::change_stock(BegunPtr begun) {
    auto change = read_stock_change(begun->request.body, begun->call.id);
    if (!change) co_return wrong(change.error());
    if (const auto line = stock::merged({{change->sku, 1}}); !line)
        co_return wrong({true, fmt::format("The path names the SKU: {}.", line.error().text)});
    if (auto known = co_await known_result(begun)) co_return *std::move(known);
    auto outcome = co_await parts_.committer.change_stock(
        begun->request.admission.tenant, *change, claim_of(*begun),
        [begun](const Digest& rule) { return fingerprint_under(*begun, rule); });
    if (!outcome) co_return said(outcome.error());
    co_return said(*std::move(outcome), *begun);
}

Task<FlowService::Said> FlowService::notify(BegunPtr begun) {
    callback::Notification notification;
    for (auto& [name, value] : begun->request.head.headers)
        notification.headers.push_back({name, value});
    notification.body = std::move(begun->request.body);
    if (!parts_.notify)
        co_return said(Error{Code::not_found, "No callback account is configured.", {}, {}});
    auto taken =
        co_await parts_.notify(begun->call.flow, begun->call.name, std::move(notification));
    if (!taken) co_return said(taken.error());
    Said told;
    told.response.status = taken->status;
    for (callback::Header& header : taken->headers)
        told.response.headers.emplace_back(std::move(header.name), std::move(header.value));
    told.response.body = std::move(taken->body);
    co_return told;
}

FlowService::Said FlowService::wrong(const BodyError& error) {
    http::Problem problem;
    problem.code = Code::request_invalid;
    problem.detail = error.text;
    if (error.of_field) {
        problem.name = "field_invalid";
        problem.members["title"] = "A value is not as the flow declares it.";
    }
    return {http::to_response(problem), Seen::refused,
            error.of_field ? "field_invalid" : "request_invalid"};
}

FlowService::Said FlowService::said(engine::Outcome outcome, const Begun& begun) {
    Said told;
    told.seen = seen_of(outcome);
    if (!outcome.answer) {
        // Of a fact, which no caller sends; said all the same where one did.
        told.response.status = 202;
        return told;
    }
    told.response.status = outcome.answer->status;
    told.response.headers = std::move(outcome.answer->headers);
    told.response.body = std::move(outcome.answer->body);
    told.code = code_of(told.response, outcome);
    if (!outcome.replayed) return told;
    const policy::Route& route = begun.operation->compiled.route;
    const auto on_repeat = took_effect(outcome) ? on_repeat_of(begun) : flow::OnRepeat::replay;
    if (on_repeat != flow::OnRepeat::refuse)
        told.response.headers.emplace_back(route.replay_header, "true");
    if (on_repeat == flow::OnRepeat::current)
        told.response.headers.emplace_back("Pawl-Result-Source", "current");
    if (!begun.keyed.line.empty())
        told.response.headers.emplace_back(route.key.header, begun.keyed.line);
    return told;
}

flow::OnRepeat FlowService::on_repeat_of(const Begun& begun) {
    if (begun.call.kind == Kind::change_stock) return flow::OnRepeat::replay;
    const flow::Machine& machine = *begun.rules->machines().find(begun.call.flow);
    if (begun.call.kind == Kind::create) return machine.definition().create.on_repeat;
    return machine.event(begun.call.name)->on_repeat;
}

}  // namespace pawl::flow_api
