// SPDX-License-Identifier: Apache-2.0
#include "surface/api/admin_service.hpp"

#include <fmt/format.h>
#include <boost/json/serialize.hpp>

#include "core/policy/limits.hpp"
#include "net/http/problem.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/task/on_loop.hpp"
#include "surface/api/admin_access.hpp"
#include "surface/api/attention_list.hpp"
#include "surface/api/attention_metrics.hpp"
#include "surface/api/coverage_report.hpp"
#include "surface/api/entity_looks.hpp"
#include "surface/api/errand_metrics.hpp"
#include "surface/api/flow_lists.hpp"
#include "surface/api/flow_metrics.hpp"
#include "surface/api/look_up.hpp"
#include "surface/api/notification_metrics.hpp"
#include "surface/api/shadow_report.hpp"
#include "surface/yaml/nearest.hpp"

namespace pawl::api {
namespace {

// A body given by hand is at most as large as an answer that can be kept, in base64, with its surroundings.
constexpr std::size_t kResolveBytesMax = policy::kAnswerBytesLimit / 3 * 4 + (1U << 20);
constexpr std::size_t kBodyBytesMax = 64U << 10;

http::Response text_response(std::string body, std::string type) {
    http::Response response;
    response.headers.emplace_back("Content-Type", std::move(type));
    response.headers.emplace_back("Cache-Control", "no-store");
    response.body = std::move(body);
    return response;
}

http::Response json_response(const boost::json::object& document, int status = 200) {
    http::Response response =
        text_response(boost::json::serialize(document) + "\n", "application/json");
    response.status = status;
    return response;
}

http::Response of_result(const Result<boost::json::object>& document) {
    return document ? json_response(*document) : http::to_response(document.error());
}

http::Response marked(http::Response response) {
    response.headers.emplace_back(kAdminHeader, "v1");
    return response;
}

Task<http::Response> now(http::Response response) { co_return response; }

struct Endpoint {
    std::string_view path;
    bool changes;  // POST, otherwise GET and HEAD
    std::vector<std::string_view> parameters;
};

const std::vector<Endpoint>& endpoints() {
    static const std::vector<Endpoint> kEndpoints{
        {"/healthz", false, {}},
        {"/readyz", false, {}},
        {"/metrics", false, {}},
        {"/admin/v1/explain", false, {"q", "key", "ref", "trace_id", "business_id", "caller"}},
        {"/admin/v1/uncertain", false, {"limit", "route", "older_ms", "open"}},
        {"/admin/v1/totals", false, {}},
        {"/admin/v1/shadow", false, {"route"}},
        {"/admin/v1/unprotected", false, {}},
        {"/admin/v1/flows", false, {"flow", "tenant", "after", "limit"}},
        {"/admin/v1/flows/find", false, {"q", "tenant"}},
        {"/admin/v1/flows/waiting", false, {"flow", "tenant", "after", "limit"}},
        {"/admin/v1/flows/timeline", false, {"flow", "tenant", "id", "business_key"}},
        {"/admin/v1/attention", false, {"after", "limit", "closed"}},
        {"/admin/v1/outbox", false, {"sink", "limit"}},
        {"/admin/v1/sagas", false, {"state", "after", "limit"}},
        {"/admin/v1/resolve", true, {}},
        {"/admin/v1/forget", true, {}},
        {"/admin/v1/attention/close", true, {}},
        {"/admin/v1/outbox/redrive", true, {}},
        {"/admin/v1/outbox/drop", true, {}},
        {"/admin/v1/sagas/move", true, {}}};
    return kEndpoints;
}

// What a request is answered that no endpoint takes. A parameter that means nothing here would be a filter
// that silently does not filter; probes may add theirs to the health paths.
std::optional<http::Response> look_for(std::string_view method, const Query& query) {
    const auto found = std::ranges::find(endpoints(), query.path, &Endpoint::path);
    if (found == endpoints().end()) {
        std::string known;
        for (const Endpoint& one : endpoints())
            known += fmt::format("{}{} {}", known.empty() ? "" : ", ", one.changes ? "POST" : "GET",
                                 one.path);
        return http::refusal(404, "not_found", fmt::format("The admin port knows {}.", known));
    }
    const bool fits = found->changes ? method == "POST" : method == "GET" || method == "HEAD";
    if (!fits) {
        const std::string_view allowed = found->changes ? "POST" : "GET, HEAD";
        auto response = http::refusal(405, "method_not_allowed",
                                      fmt::format("{} takes {}.", found->path, allowed));
        response.headers.emplace_back("Allow", allowed);
        return response;
    }
    if (!query.path.starts_with("/admin/")) return std::nullopt;
    for (const auto& [name, value] : query.parameters) {
        if (std::ranges::find(found->parameters, name) != found->parameters.end()) continue;
        return http::to_response(
            Error{Code::request_invalid,
                  found->parameters.empty()
                      ? fmt::format("`{}` is not known here; {} takes no parameters.",
                                    to_utf8(name), found->path)
                      : fmt::format("`{}` is not known here; {} takes {}.", to_utf8(name),
                                    found->path, fmt::join(found->parameters, ", ")),
                  {},
                  {}});
    }
    return std::nullopt;
}

bool is_of_errands(std::string_view path) {
    return path.starts_with("/admin/v1/outbox") || path.starts_with("/admin/v1/sagas");
}

http::Response no_flows() {
    return http::refusal(
        404, "not_found",
        "No flows are served here; `flows: [order]` in the configuration serves one.");
}

bool is_open_to_all(std::string_view path) { return path == "/healthz" || path == "/readyz"; }

Result<Sought> sought_in(const Query& query) {
    using By = Sought::By;
    static constexpr std::array kNames{
        std::pair{"q", By::anything}, std::pair{"ref", By::reference}, std::pair{"key", By::key},
        std::pair{"trace_id", By::trace_id}, std::pair{"business_id", By::business_id}};
    for (const auto& [name, by] : kNames)
        if (auto value = query.parameter(name))
            return Sought{by, std::move(*value), query.parameter("caller").value_or("")};
    return fail(
        Code::request_invalid,
        "Say what to look for: ?key=, ?ref=, ?trace_id=, ?business_id= or ?q= for any of them.");
}

}  // namespace

AdminService::AdminService(Loop& loop, TaskGroup& group, store::Records& records, AdminSetup setup,
                           std::shared_ptr<const gateway::Routes> routes)
    : loop_(loop),
      records_(records),
      setup_(std::move(setup)),
      routes_(std::move(routes)),
      readiness_{loop, group, records, setup_.figures},
      desk_{loop, records, setup_.homes, routes_, setup_.takes_word_at_once, setup_.note_patience},
      started_(loop.clock().wall()) {
    sample();
}

http::Plan AdminService::plan(const http::RequestHead& head, const http::Peer&) {
    const auto refused = [](const Error& error) -> http::Plan {
        http::Response response = marked(http::to_response(error));
        if (error.code == Code::caller_unknown)
            response.headers.emplace_back("WWW-Authenticate", "Bearer");
        return {std::move(response)};
    };
    const auto query = parse_query(head.target);
    if (!query) return refused(query.error());
    if (const auto access = check_access(setup_.token, head);
        !access && !is_open_to_all(query->path))
        return refused(access.error());
    const bool resolves = query->path == "/admin/v1/resolve";
    return {http::Whole{.body_bytes_max = resolves ? kResolveBytesMax : kBodyBytesMax}};
}

http::Serving AdminService::serve(http::Request request, const http::Peer& peer) {
    auto query = parse_query(request.head.target);
    if (!query) return marked(http::to_response(query.error()));
    if (auto misdirected = look_for(request.head.method, *query))
        return marked(std::move(*misdirected));
    auto marked_later = [](Task<http::Response> answer) -> Task<http::Response> {
        co_return marked(co_await std::move(answer));
    };
    return marked_later(request.head.method == "POST"
                            ? post(std::move(*query), std::move(request.body), peer.address)
                            : get(std::move(*query)));
}

Task<http::Response> AdminService::get(Query query) {
    if (query.path == "/healthz") return now(text_response("ok\n", "text/plain"));
    if (query.path == "/readyz") return ready();
    if (query.path == "/metrics") return metrics();
    if (query.path == "/admin/v1/totals") return totals();
    if (query.path == "/admin/v1/unprotected") return unprotected();
    if (query.path == "/admin/v1/shadow") return now(shadow(query));
    if (query.path == "/admin/v1/explain") return explain(std::move(query));
    if (query.path.starts_with("/admin/v1/flows")) return flows(std::move(query));
    if (query.path == "/admin/v1/attention") return attention(std::move(query));
    if (is_of_errands(query.path)) return look_at_errands(std::move(query));
    return uncertain(std::move(query));
}

Task<http::Response> AdminService::look_at_errands(Query query) {
    if (setup_.errands == nullptr) return now(no_flows());
    if (query.path == "/admin/v1/outbox") return list_outbox(*setup_.errands, std::move(query));
    return list_sagas(*setup_.errands, std::move(query));
}

Task<http::Response> AdminService::speak_of_errands(Query query, std::string body,
                                                    std::string from) {
    if (setup_.errands == nullptr) co_return no_flows();
    if (query.path != "/admin/v1/sagas/move") {
        auto asked = parse_sink_word(body);
        if (!asked) co_return http::to_response(asked.error());
        asked->word.from = std::move(from);
        co_return co_await (query.path == "/admin/v1/outbox/drop"
                                ? drop_sink(*setup_.errands, std::move(*asked))
                                : redrive(*setup_.errands, std::move(*asked)));
    }
    auto asked = parse_saga_word(body);
    if (!asked) co_return http::to_response(asked.error());
    asked->word.from = std::move(from);
    co_return co_await move_saga(*setup_.errands, std::move(*asked));
}

Task<http::Response> AdminService::post(Query query, std::string body, std::string from) {
    if (query.path == "/admin/v1/attention/close")
        co_return co_await close_attention(std::move(body));
    if (is_of_errands(query.path))
        co_return co_await speak_of_errands(std::move(query), std::move(body), std::move(from));
    if (query.path == "/admin/v1/resolve") {
        auto asked = parse_resolve(body);
        if (!asked) co_return http::to_response(asked.error());
        asked->word.from = std::move(from);
        co_return co_await resolve(desk_, std::move(*asked));
    }
    auto asked = parse_forget(body);
    if (!asked) co_return http::to_response(asked.error());
    asked->from = std::move(from);
    co_return co_await forget(desk_, std::move(*asked));
}

Task<http::Response> AdminService::ready() {
    const Readiness found = co_await readiness(readiness_, leaving_);
    boost::json::object document = readiness_json(found);
    boost::json::array notes(notes_.begin(), notes_.end());
    if (!upkeep_fault_.empty()) notes.emplace_back(upkeep_fault_);
    if (!notes.empty()) document["notes"] = std::move(notes);
    co_return json_response(document, found.ready() ? 200 : 503);
}

Task<http::Response> AdminService::metrics() {
    Measured measured;
    const auto totals = co_await records_.totals();
    if (totals) measured.totals = *totals;
    const std::shared_ptr<const gateway::Routes> routes = routes_;
    measured.routes = routes.get();
    const ServedFlows served = served_;
    for (const auto& [name, figures] : served.figures)
        measured.flows.emplace_back(name, figures.get());
    if (setup_.deadlines) measured.deadlines = setup_.deadlines();
    if (setup_.parking) measured.parking = setup_.parking();
    measured.hit_rate = &hit_rate_;
    measured.homes = setup_.figures;
    measured.callbacks = setup_.callbacks;
    measured.store = setup_.store;
    measured.process = figures_of_process();
    measured.version = setup_.version;
    measured.started = started_;
    std::string more = notification_metrics(*served.accounts) +
                       co_await attention_metrics(setup_.flows, setup_.facts, loop_) +
                       co_await errand_metrics(setup_.errands);
    if (!setup_.desks.empty()) more += flow_metrics(co_await decided());
    co_return text_response(metrics_text(measured) + more,
                            "text/plain; version=0.0.4; charset=utf-8");
}

Task<engine::DeskFigures> AdminService::decided() {
    engine::DeskFigures all;
    auto counted = [](const engine::Desk& there) -> Task<engine::DeskFigures> {
        co_return there.figures();
    };
    for (const engine::Desk* one : setup_.desks)
        all.add(co_await on_loop(loop_, one->loop(), counted(*one)));
    co_return all;
}

Task<http::Response> AdminService::totals() {
    const auto totals = co_await records_.totals();
    if (!totals) co_return http::to_response(totals.error());
    co_return json_response({{"in_progress", totals->in_progress},
                             {"open", totals->open},
                             {"uncertain", totals->uncertain},
                             {"oldest_uncertain_seconds", totals->oldest_uncertain_ms / 1'000}});
}

Task<http::Response> AdminService::explain(Query query) {
    auto sought = sought_in(query);
    if (!sought) co_return http::to_response(sought.error());
    co_return of_result(co_await api::explain(records_, std::move(*sought), loop_.clock().wall()));
}

Task<http::Response> AdminService::uncertain(Query query) {
    const auto limit = number_in(query, "limit", 100, 1);
    const auto older_ms = number_in(query, "older_ms", 0);
    if (!limit) co_return http::to_response(limit.error());
    if (!older_ms) co_return http::to_response(older_ms.error());
    store::UnresolvedQuery asked;
    asked.operation = query.parameter("route").value_or("");
    asked.older_than_ms = *older_ms;
    asked.limit = static_cast<std::size_t>(*limit);
    const auto open = flag_in(query, "open");
    if (!open) co_return http::to_response(open.error());
    asked.uncertain_only = !*open;
    const std::string route = asked.operation;
    auto listed = co_await list_unresolved(records_, std::move(asked), loop_.clock().wall());
    // A route that is configured no more may still have operations; without any it is a slip.
    if (listed && !route.empty() && listed->at("records").as_array().empty() &&
        routes_->named(route) == nullptr)
        co_return http::to_response(Error{Code::not_found, no_such_route(route), {}, {}});
    co_return of_result(listed);
}

http::Response AdminService::shadow(const Query& query) const {
    const std::string route = query.parameter("route").value_or("");
    if (!route.empty() && routes_->named(route) == nullptr)
        return http::to_response(Error{Code::not_found, no_such_route(route), {}, {}});
    static const gateway::ShadowBook kNone;
    return of_result(
        shadow_report(setup_.shadows == nullptr ? kNone : *setup_.shadows, *routes_, route));
}

Task<http::Response> AdminService::unprotected() {
    policy::WriteCounts all;
    auto counted = [](gateway::Gateway& there) -> Task<policy::WriteCounts> {
        co_return there.unprotected_writes();
    };
    for (gateway::Gateway* one : setup_.gateways)
        all.add(co_await on_loop(loop_, one->loop(), counted(*one)));
    co_return json_response(coverage_report(all, *routes_));
}

Task<http::Response> AdminService::flows(Query query) {
    co_return of_result(co_await look_at_entities(
        setup_.flows, setup_.errands == nullptr ? nullptr : &setup_.errands->sagas, records_,
        served_.machines, std::move(query)));
}

Task<http::Response> AdminService::attention(Query query) {
    const auto limit = number_in(query, "limit", 100, 1);
    if (!limit) co_return http::to_response(limit.error());
    const auto after = number_in(query, "after", 0);
    if (!after) co_return http::to_response(after.error());
    const auto closed = flag_in(query, "closed");
    if (!closed) co_return http::to_response(closed.error());
    if (setup_.flows == nullptr)
        co_return json_response({{"entries", boost::json::array{}}, {"more", false}});
    const auto list = *closed ? list_closed : list_attention;
    co_return of_result(co_await list(*setup_.flows, static_cast<std::uint64_t>(*after),
                                      static_cast<std::size_t>(*limit)));
}

Task<http::Response> AdminService::close_attention(std::string body) {
    auto word = parse_close(body);
    if (!word) co_return http::to_response(word.error());
    co_return of_result(co_await api::close_attention(setup_.flows, *std::move(word)));
}

std::string AdminService::no_such_route(const std::string& route) const {
    std::vector<std::string> names;
    for (const policy::CompiledRoute& compiled : routes_->table.routes())
        names.push_back(compiled.route.name);
    const auto meant = yaml::nearest(route, names);
    return fmt::format(
        "No route is called `{}`{}", to_utf8(route),
        meant ? fmt::format("; did you mean `{}`?", *meant) : ", and no operation has this name.");
}

http::Response AdminService::refuse(int status, std::string_view code, std::string_view detail) {
    return marked(http::refusal(status, code, detail));
}

}  // namespace pawl::api
