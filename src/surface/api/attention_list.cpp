// SPDX-License-Identifier: Apache-2.0
#include "surface/api/attention_list.hpp"

#include <algorithm>
#include <charconv>

#include "runtime/codec/text.hpp"
#include "surface/api/members.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;

// Of one entity.
constexpr std::size_t kEntriesShownMax = 200;

json::object shown(const flow::Event& event) {
    json::object values;
    for (const auto& [name, value] : event.values) values[to_utf8(name)] = to_utf8(value);
    json::object object{{"name", to_utf8(event.name)},
                        {"sender", flow::name_of(event.sender)},
                        {"values", std::move(values)}};
    if (!event.deadline.empty()) object["deadline"] = to_utf8(event.deadline);
    return object;
}

json::object closing(const store::AttentionEntry& entry) {
    json::object closed{{"at", to_rfc3339(wall_time(entry.closed_ms))},
                        {"as", store::name_of(entry.closed_as)}};
    if (!entry.closed_by.empty()) closed["by"] = to_utf8(entry.closed_by);
    if (!entry.why.empty()) closed["reason"] = to_utf8(entry.why);
    return closed;
}

json::object page_of(const std::vector<store::AttentionEntry>& listed, std::size_t limit) {
    json::array entries;
    for (const store::AttentionEntry& entry : listed)
        if (entries.size() < limit) entries.emplace_back(entry_view(entry));
    return {{"entries", std::move(entries)}, {"more", listed.size() > limit}};
}

}  // namespace

json::object entry_view(const store::AttentionEntry& entry) {
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
    if (entry.closed_ms != 0) object["closed"] = closing(entry);
    return object;
}

// Under a business key an entity of before may have left some.
Task<Result<EntriesShown>> entries_of(store::Flows& flows, store::FlowSubject entity) {
    const std::string id = entity.id;
    auto own = co_await flows.entries({.of = std::move(entity), .limit = kEntriesShownMax + 1});
    if (!own) co_return fail(own.error());
    EntriesShown shown;
    shown.more = own->size() > kEntriesShownMax;
    if (shown.more) own->pop_back();
    std::ranges::reverse(*own);
    for (const store::AttentionEntry& entry : *own)
        if (entry.subject.id.empty() || entry.subject.id == id)
            shown.entries.emplace_back(entry_view(entry));
    co_return shown;
}

Task<Result<json::object>> list_attention(store::Flows& flows, std::uint64_t after,
                                          std::size_t limit) {
    limit = std::clamp<std::size_t>(limit, 1, kEntriesListedMax);
    const auto listed = co_await flows.attention(after, limit + 1);
    if (!listed) co_return fail(listed.error());
    co_return page_of(*listed, limit);
}

Task<Result<json::object>> list_closed(store::Flows& flows, std::uint64_t after,
                                       std::size_t limit) {
    limit = std::clamp<std::size_t>(limit, 1, kEntriesListedMax);
    const auto listed = co_await flows.entries({.behind = after, .limit = limit + 1});
    if (!listed) co_return fail(listed.error());
    co_return page_of(*listed, limit);
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
