// SPDX-License-Identifier: Apache-2.0
// The reading calls: from the store as it is now, never from a cache that nobody checks.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>

#include "core/flow/diagram.hpp"
#include "core/id/check_code.hpp"
#include "engine/present.hpp"
#include "net/http/list.hpp"
#include "net/http/problem.hpp"
#include "surface/api/flow_view.hpp"
#include "surface/api/query.hpp"
#include "surface/flow_api/flow_service.hpp"
#include "surface/flow_api/machine_view.hpp"
#include "surface/flow_api/openapi.hpp"

namespace pawl::flow_api {
namespace {

namespace json = boost::json;
using gateway::Seen;

constexpr std::size_t kPageDefault = 50;
constexpr std::size_t kPageMax = 500;

http::Response text_response(std::string body, std::string_view type) {
    http::Response response;
    response.headers.emplace_back("Content-Type", type);
    response.headers.emplace_back("Cache-Control", "no-store");
    response.body = std::move(body);
    return response;
}

http::Response json_response(const json::object& document) {
    return text_response(json::serialize(document) + "\n", "application/json");
}

Error invalid(std::string text) { return {Code::request_invalid, std::move(text), {}, {}}; }

// Errors: request_invalid for a parameter that means nothing here.
Result<api::Query> query_of(const http::RequestHead& head,
                            std::initializer_list<std::string_view> known) {
    auto query = api::parse_query(head.target);
    if (!query) return query;
    for (const auto& [name, value] : query->parameters)
        if (std::ranges::find(known, name) == known.end())
            return fail(invalid(known.size() == 0
                                    ? std::string("This path takes no parameters.")
                                    : fmt::format("This path takes the parameters {}, and no "
                                                  "others.",
                                                  fmt::join(known, ", "))));
    return query;
}

// Errors: request_invalid.
Result<std::uint64_t> number_in(const api::Query& query, std::string_view name,
                                std::uint64_t otherwise, std::uint64_t most) {
    const auto text = query.parameter(name);
    if (!text) return otherwise;
    std::uint64_t number = 0;
    const auto read = std::from_chars(text->data(), text->data() + text->size(), number);
    if (read.ec != std::errc{} || read.ptr != text->data() + text->size() || number > most)
        return fail(invalid(fmt::format("`{}` is a whole number, {} at most.", name, most)));
    return number;
}

// Errors: request_invalid.
Result<std::size_t> limit_in(const api::Query& query) {
    auto limit = number_in(query, "limit", kPageDefault, kPageMax);
    if (!limit) return fail(std::move(limit.error()));
    if (*limit == 0) return fail(invalid("`limit` is 1 or more."));
    return static_cast<std::size_t>(*limit);
}

Error no_entity(const FlowCall& call) {
    return {Code::not_found,
            fmt::format("Flow `{}` has no entity {} here.", call.flow, call.id),
            {},
            {}};
}

bool matches(const http::Headers& headers, std::string_view etag) {
    bool found = false;
    for (const std::string_view line : http::values_of(headers, "If-None-Match"))
        http::for_each_member(line, [&](std::string_view member) {
            if (member.starts_with("W/")) member.remove_prefix(2);
            if (member == "*" || member == etag) found = true;
        });
    return found;
}

void add_next(http::Response& response, json::object& document, const std::string& target) {
    response.headers.emplace_back("Link", fmt::format("<{}>; rel=\"next\"", target));
    document["next"] = target;
}

// What `next` and `Link` name, as the client spelled the path.
std::string path_of(const http::RequestHead& head) {
    return std::string(std::string_view(head.target).substr(0, head.target.find('?')));
}

}  // namespace

Task<FlowService::Said> FlowService::read(BegunPtr begun) {
    const FlowCall& call = begun->call;
    if (auto wrong = co_await settle_id(begun)) co_return *std::move(wrong);
    if (call.kind == Kind::read)
        if (const auto query = query_of(begun->request.head, {}); !query)
            co_return said(query.error());
    auto loaded =
        co_await parts_.flows.load({begun->request.admission.tenant, call.flow, call.id, {}});
    if (!loaded) co_return said(loaded.error());
    if (!loaded->entity) co_return said(no_entity(call));
    const std::string etag = fmt::format("\"{}\"", loaded->entity->version);
    Said told;
    if (call.kind == Kind::read && matches(begun->request.head.headers, etag)) {
        told.response.status = 304;
        told.response.headers.emplace_back("ETag", etag);
        co_return told;
    }
    told.response =
        json_response(api::entity_view(*loaded->entity, begun->rules->machines().find(call.flow)));
    told.response.headers.emplace_back("ETag", etag);
    co_return told;
}

Task<FlowService::Said> FlowService::list(BegunPtr begun) {
    const auto query = query_of(begun->request.head, {"after", "limit"});
    if (!query) co_return said(query.error());
    const auto limit = limit_in(*query);
    if (!limit) co_return said(limit.error());
    store::PageQuery asked{begun->request.admission.tenant, begun->call.flow,
                           query->parameter("after").value_or(""), *limit + 1};
    if (query->parameter("after")) {
        // A place in the list is nobody's entity: its code is not compared.
        const auto behind = id::parse_written_id(asked.after);
        if (!behind) co_return said(behind.error());
        asked.after = id::to_text(behind->id);
    }
    auto page = co_await parts_.flows.page(std::move(asked));
    if (!page) co_return said(page.error());
    const bool more = page->size() > *limit;
    if (more) page->resize(*limit);
    const flow::Machine* machine = begun->rules->machines().find(begun->call.flow);
    json::array entities;
    for (const flow::Entity& entity : *page)
        entities.emplace_back(api::entity_view(entity, machine));
    json::object document{{"entities", std::move(entities)}};
    Said told{.response = text_response({}, "application/json")};
    if (more)
        add_next(told.response, document,
                 fmt::format("{}?after={}&limit={}", path_of(begun->request.head), page->back().id,
                             *limit));
    told.response.body = json::serialize(document) + "\n";
    co_return told;
}

Task<FlowService::Said> FlowService::timeline(BegunPtr begun) {
    const FlowCall& call = begun->call;
    if (auto wrong = co_await settle_id(begun)) co_return *std::move(wrong);
    const auto query = query_of(begun->request.head, {"after", "limit"});
    if (!query) co_return said(query.error());
    const auto limit = limit_in(*query);
    if (!limit) co_return said(limit.error());
    const auto after = number_in(*query, "after", 0, std::uint64_t{1} << 62);
    if (!after) co_return said(after.error());
    const store::FlowSubject subject{begun->request.admission.tenant, call.flow, call.id, {}};
    const auto steps = co_await parts_.flows.history(subject, *after, *limit + 1);
    if (!steps) co_return said(steps.error());
    if (steps->empty()) {
        const auto loaded = co_await parts_.flows.load(subject);
        if (!loaded) co_return said(loaded.error());
        if (!loaded->entity) co_return said(no_entity(call));
    }
    json::object document = api::timeline_view(
        call.flow, call.id, std::span(*steps).first(std::min(steps->size(), *limit)));
    Said told{.response = text_response({}, "application/json")};
    if (steps->size() > *limit)
        add_next(told.response, document,
                 fmt::format("{}?after={}&limit={}", path_of(begun->request.head),
                             (*steps)[*limit - 1].history.version, *limit));
    told.response.body = json::serialize(document) + "\n";
    co_return told;
}

Task<FlowService::Said> FlowService::read_stock(BegunPtr begun) {
    const auto query = query_of(begun->request.head, {"kind"});
    if (!query) co_return said(query.error());
    const auto kind = stock::kind_from(query->parameter("kind").value_or("goods"));
    if (!kind) co_return said(invalid("`kind` is `goods` or `voucher`."));
    const stock::Sku sku{*kind, begun->call.id};
    const auto level = co_await parts_.flows.level(begun->request.admission.tenant, sku);
    if (!level) co_return said(level.error());
    if (!*level)
        co_return said(Error{Code::not_found,
                             "There is no stock of this SKU; POST {\"set\": 100} here says how "
                             "much there is.",
                             {},
                             {}});
    co_return Said{.response = json_response(engine::shown(sku, **level))};
}

FlowService::Said FlowService::machine(const Begun& begun) {
    const auto query = query_of(begun.request.head, {"format"});
    if (!query) return said(query.error());
    const flow::Definition& flow = begun.rules->machines().find(begun.call.flow)->definition();
    const std::string format = query->parameter("format").value_or("json");
    if (format == "mermaid")
        return {.response = text_response(flow::mermaid(flow), "text/vnd.mermaid")};
    if (format != "json") return said(invalid("`format` is `json` or `mermaid`."));
    return {.response = json_response(machine_view(flow))};
}

FlowService::Said FlowService::describe(const Begun& begun) {
    return {.response = json_response(openapi(*begun.rules))};
}

}  // namespace pawl::flow_api
