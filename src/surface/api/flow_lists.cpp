// SPDX-License-Identifier: Apache-2.0
#include "surface/api/flow_lists.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "engine/checked_id.hpp"
#include "runtime/codec/text.hpp"
#include "surface/api/attention_list.hpp"
#include "surface/api/flow_view.hpp"
#include "surface/api/saga_view.hpp"
#include "surface/api/support_id.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;

constexpr std::size_t kStepsShownMax = 1'000;

// A code that nobody can judge is believed no more than a wrong one.
bool is_of(const flow::Entity& entity, const flow::Machine* machine, const id::WrittenId& written) {
    return machine != nullptr && engine::has_code(machine->definition(), entity, written);
}

json::object shown(const store::WaitingEntry& entry) {
    const flow::Event& event = entry.fact.event;
    json::object object{{"number", std::to_string(entry.number)}};
    if (!entry.subject.tenant.empty()) object["tenant"] = to_utf8(entry.subject.tenant);
    if (!entry.subject.id.empty()) object["id"] = to_utf8(entry.subject.id);
    if (!entry.subject.business_key.empty())
        object["business_key"] = to_utf8(entry.subject.business_key);
    json::object values;
    for (const auto& [name, value] : event.values) values[to_utf8(name)] = to_utf8(value);
    object["event"] = to_utf8(event.name);
    object["sender"] = flow::name_of(event.sender);
    object["values"] = std::move(values);
    object["since"] = to_rfc3339(wall_time(event.now_ms));
    object["until"] = to_rfc3339(wall_time(entry.fact.until_ms));
    return object;
}

}  // namespace

Task<Result<json::object>> list_waiting(store::Flows& flows, store::PageQuery query,
                                        std::uint64_t after) {
    const std::size_t limit = std::clamp<std::size_t>(query.limit, 1, kFlowsListedMax);
    const auto is_wanted = [&query](const store::FlowSubject& subject) {
        return subject.flow == query.flow &&
               (query.tenant.empty() || subject.tenant == query.tenant);
    };
    json::array facts;
    for (bool more = true; more;) {
        const auto page = co_await flows.waiting(after, kFlowsListedMax);
        if (!page) co_return fail(page.error());
        more = page->size() == kFlowsListedMax;
        for (const store::WaitingEntry& entry : *page) {
            if (is_wanted(entry.subject) && facts.size() == limit)
                co_return json::object{{"facts", std::move(facts)},
                                       {"next", std::to_string(after)}};
            after = entry.number;
            if (is_wanted(entry.subject)) facts.emplace_back(shown(entry));
        }
    }
    co_return json::object{{"facts", std::move(facts)}};
}

Task<Result<json::object>> list_flow(store::Flows& flows,
                                     std::shared_ptr<const engine::Machines> machines,
                                     store::PageQuery query) {
    if (!query.after.empty()) {
        // A place in the list is nobody's entity: its code is not compared.
        const auto behind = id::parse_written_id(query.after);
        if (!behind) co_return fail(behind.error());
        query.after = id::to_text(behind->id);
    }
    const std::size_t limit = std::clamp<std::size_t>(query.limit, 1, kFlowsListedMax);
    const std::string flow = query.flow;
    query.limit = limit + 1;
    const auto page = co_await flows.page(std::move(query));
    if (!page) co_return fail(page.error());
    if (page->empty() && machines->find(flow) == nullptr)
        co_return fail(Code::not_found,
                       fmt::format("No flow is called `{}`, and there is nothing of that name.",
                                   to_utf8(flow)));
    json::array entities;
    for (const flow::Entity& entity : *page)
        if (entities.size() < limit)
            entities.emplace_back(entity_view(entity, machines->find(flow)));
    json::object document{{"entities", std::move(entities)}};
    if (page->size() > limit) document["next"] = (*page)[limit - 1].id;
    co_return document;
}

Task<Result<json::object>> explain_entity(store::Flows& flows, store::Sagas* sagas,
                                          std::shared_ptr<const engine::Machines> machines,
                                          store::FlowSubject subject) {
    id::WrittenId written;
    if (!subject.id.empty()) {
        auto read = id::parse_written_id(subject.id);
        if (!read) co_return fail(std::move(read.error()));
        written = *std::move(read);
        subject.id = id::to_text(written.id);
    }
    const auto loaded = co_await flows.load(subject);
    if (!loaded) co_return fail(loaded.error());
    if (!loaded->entity)
        co_return fail(Code::not_found,
                       fmt::format("Flow `{}` has no entity with this id or business key.",
                                   to_utf8(subject.flow)));
    const flow::Entity& entity = *loaded->entity;
    if (!written.code.empty() && !is_of(entity, machines->find(entity.flow), written))
        co_return fail(Code::not_found,
                       fmt::format("The check code does not belong to id {}: a digit or a letter "
                                   "was mistyped.",
                                   written.id));
    const auto steps = co_await flows.history(store::subject_of(entity), 0, kStepsShownMax + 1);
    if (!steps) co_return fail(steps.error());
    json::object document = timeline_view(
        entity.flow, entity.id, std::span(*steps).first(std::min(steps->size(), kStepsShownMax)));
    document["entity"] = entity_view(entity, machines->find(entity.flow));
    document["more"] = steps->size() > kStepsShownMax;
    auto entries = co_await entries_of(flows, store::subject_of(entity));
    if (!entries) co_return fail(entries.error());
    document["entries"] = std::move(entries->entries);
    document["entries_more"] = entries->more;
    if (sagas != nullptr) {
        auto began = co_await sagas_of(*sagas, *steps);
        if (!began) co_return fail(began.error());
        document["sagas"] = *std::move(began);
    }
    add_support_id(document, entity, *steps);
    co_return document;
}

}  // namespace pawl::api
