// SPDX-License-Identifier: Apache-2.0
#include "surface/api/flow_lists.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "engine/checked_id.hpp"
#include "runtime/codec/text.hpp"
#include "surface/api/flow_view.hpp"
#include "surface/api/members.hpp"
#include "surface/api/support_id.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;

constexpr std::size_t kStepsShownMax = 1'000;

json::object shown(const flow::Event& event) {
    json::object values;
    for (const auto& [name, value] : event.values) values[to_utf8(name)] = to_utf8(value);
    json::object object{{"name", to_utf8(event.name)},
                        {"sender", flow::name_of(event.sender)},
                        {"values", std::move(values)}};
    if (!event.deadline.empty()) object["deadline"] = to_utf8(event.deadline);
    return object;
}

json::object shown(const store::AttentionEntry& entry) {
    json::object object{{"number", std::to_string(entry.number)}, {"flow", entry.subject.flow}};
    if (!entry.subject.tenant.empty()) object["tenant"] = to_utf8(entry.subject.tenant);
    if (!entry.subject.id.empty()) object["id"] = to_utf8(entry.subject.id);
    if (!entry.subject.business_key.empty())
        object["business_key"] = to_utf8(entry.subject.business_key);
    object["reason"] = to_utf8(entry.reason);
    object["judged_on"] = entry.judged_on;
    object["at"] = to_rfc3339(wall_time(entry.at_ms));
    if (entry.event) object["event"] = shown(*entry.event);
    json::array about;
    for (const flow::Fact& fact : entry.about) {
        json::object values;
        for (const auto& [name, value] : fact.values) values[to_utf8(name)] = to_utf8(value);
        about.emplace_back(std::move(values));
    }
    object["about"] = std::move(about);
    return object;
}

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

Task<Result<json::object>> explain_entity(store::Flows& flows,
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
    if (!steps->empty())
        if (const std::string support = support_id(entity, steps->front()); !support.empty())
            document["support_id"] = support;
    co_return document;
}

Task<Result<json::object>> list_attention(store::Flows& flows, std::uint64_t after,
                                          std::size_t limit) {
    limit = std::clamp<std::size_t>(limit, 1, kFlowsListedMax);
    const auto listed = co_await flows.attention(after, limit + 1);
    if (!listed) co_return fail(listed.error());
    json::array entries;
    for (const store::AttentionEntry& entry : *listed)
        if (entries.size() < limit) entries.emplace_back(shown(entry));
    co_return json::object{{"entries", std::move(entries)}, {"more", listed->size() > limit}};
}

Result<store::CloseAttention> parse_close(std::string_view body) {
    const auto value = parse_object(body);
    if (!value) return fail(value.error());
    Members members(value->get_object());
    store::CloseAttention word;
    const std::string number = members.text("number").value_or("");
    const auto read = std::from_chars(number.data(), number.data() + number.size(), word.number);
    if (read.ec != std::errc{} || read.ptr != number.data() + number.size())
        members.mistake("`number` is the entry's, as a string, as the list shows it.");
    word.by = members.text("by").value_or("");
    word.why = members.text("reason").value_or("");
    const std::string as = members.text("as").value_or("settled");
    if (word.by.empty()) members.mistake("`by` says who has seen to it.");
    if (word.why.empty()) members.mistake("`reason` says what is done.");
    if (as == "left")
        word.as = store::ClosedAs::left;
    else if (as != "settled")
        members.mistake(
            "`as` is `settled`: a person puts it right and nothing moves by it any more; or "
            "`left`: when it is told again, the flow may take it.");
    if (auto ended = members.end(); !ended) return fail(std::move(ended.error()));
    return word;
}

Task<Result<json::object>> close_attention(store::Flows* flows, store::CloseAttention word) {
    if (flows == nullptr) co_return fail(Code::not_found, "No flow is served.");
    const auto closed = co_await flows->close_attention(word);
    if (!closed) co_return fail(closed.error());
    if (*closed == store::Closing::taken)
        co_return fail(Code::conflict,
                       "Its fact is taken, by the flow or with another entry of the list. Do not "
                       "pay anything back by hand: `pawl flow timeline` shows what became of it.");
    if (*closed == store::Closing::by_another)
        co_return fail(Code::conflict,
                       "Somebody else has closed this entry; nothing was changed. Do not pay "
                       "anything back before you have asked who.");
    co_return json::object{
        {"number", std::to_string(word.number)}, {"closed", true}, {"as", store::name_of(word.as)}};
}

}  // namespace pawl::api
