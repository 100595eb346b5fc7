// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/render_flow.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include "surface/cli/document.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;

std::string first_deadline(const json::object& entity) {
    const json::array& deadlines = list(entity, "deadlines");
    if (deadlines.empty() || !deadlines.front().is_object()) return {};
    const json::object& first = deadlines.front().get_object();
    return fmt::format("{} {}", text(first, "event"), time_text(text(first, "due_at")));
}

// As people copy it.
std::string id_of(const json::object& entity) {
    std::string checked = text(entity, "checked_id");
    return checked.empty() ? text(entity, "id") : checked;
}

// What an event brought along, moved and began: "amount 12.50, A -2 available".
std::string detail_of(const json::object& step) {
    std::string out;
    const auto add = [&out](const std::string& words) {
        out += fmt::format("{}{}", out.empty() ? "" : ", ", words);
    };
    if (const std::string type = text(step, "type"); !type.empty()) add("sends " + type);
    for (const json::value& one : list(step, "stock"))
        if (const json::object* move = one.if_object()) {
            std::string moved = text(*move, "sku");
            for (const std::string_view quantity : {"available", "reserved", "sold"})
                if (const std::string by = text(*move, quantity); by != "0" && !by.empty())
                    moved += fmt::format(" {}{} {}", by.starts_with('-') ? "" : "+", by, quantity);
            add(moved);
        }
    for (const json::value& one : list(step, "sagas"))
        if (const json::object* saga = one.if_object())
            add(fmt::format("begins {}", text(*saga, "saga")));
    return out;
}

}  // namespace

std::string render_entities(const json::object& document, const Paint& paint) {
    std::vector<std::vector<std::string>> rows{
        {"id", "state", "version", "created", "business key", "due next"}};
    for (const json::value& one : list(document, "entities")) {
        if (!one.is_object()) continue;
        const json::object& entity = one.get_object();
        rows.push_back({id_of(entity), text(entity, "state"), text(entity, "version"),
                        time_text(text(entity, "created_at")), text(entity, "business_key"),
                        first_deadline(entity)});
    }
    if (rows.size() == 1) return "There is none.\n";
    std::string out = table(rows, paint);
    if (const std::string next = text(document, "next"); !next.empty())
        out += paint.faint(fmt::format("there are more: --after {}", next)) + "\n";
    return out;
}

std::string render_found(const json::object& document, const Paint& paint) {
    std::vector<std::vector<std::string>> rows{
        {"found by", "flow", "id", "state", "created", "business key", "support id"}};
    for (const json::value& one : list(document, "found")) {
        if (!one.is_object()) continue;
        const json::object& entity = part(one.get_object(), "entity");
        rows.push_back({text(one.get_object(), "by"), text(entity, "flow"), id_of(entity),
                        text(entity, "state"), time_text(text(entity, "created_at")),
                        text(entity, "business_key"), text(one.get_object(), "support_id")});
    }
    std::string out = rows.size() > 1 ? table(rows, paint) : std::string();
    if (rows.size() > 1)
        out += paint.faint(fmt::format("all that happened: pawl flow timeline {} {}", rows[1][1],
                                       rows[1][2])) +
               "\n";
    for (const json::value& one : list(document, "waiting"))
        if (const json::object* fact = one.if_object())
            out += fmt::format("waits for its {}: `{}` of {}, until {}\n", text(*fact, "flow"),
                               text(*fact, "event"), text(*fact, "business_key"),
                               time_text(text(*fact, "until")));
    for (const json::value& one : list(document, "attention"))
        if (const json::object* entry = one.if_object())
            out += fmt::format("waits for a person, entry {}: `{}`, {}\n", text(*entry, "number"),
                               text(*entry, "event"), text(*entry, "reason"));
    return out;
}

std::string render_waiting(const json::object& document, const Paint& paint) {
    std::vector<std::vector<std::string>> rows{
        {"number", "event", "of", "says", "waits since", "until"}};
    for (const json::value& one : list(document, "facts")) {
        if (!one.is_object()) continue;
        const json::object& fact = one.get_object();
        const std::string key = text(fact, "business_key");
        std::string says;
        for (const auto& value : part(fact, "values"))
            if (value.value().is_string())
                says += fmt::format("{}{} {}", says.empty() ? "" : ", ", visible(value.key()),
                                    visible(value.value().get_string()));
        rows.push_back({text(fact, "number"), text(fact, "event"),
                        key.empty() ? text(fact, "id") : key, says, time_text(text(fact, "since")),
                        time_text(text(fact, "until"))});
    }
    if (rows.size() == 1) return "Nothing waits.\n";
    std::string out = table(rows, paint);
    out += paint.faint("then it is put before a person: `pawl attention list`") + "\n";
    if (const std::string next = text(document, "next"); !next.empty())
        out += paint.faint(fmt::format("there are more: --after {}", next)) + "\n";
    return out;
}

std::string render_entity(const json::object& document, const Paint& paint) {
    const json::object& entity = part(document, "entity");
    std::string out = fmt::format("{}  {} {}\n", paint.strong(id_of(entity)),
                                  text(document, "flow"), text(entity, "business_key"));
    out += fmt::format("{}, version {}\n", text(entity, "state"), text(entity, "version"));
    if (const std::string support = text(document, "support_id"); !support.empty())
        out += paint.faint(fmt::format("support id {}", support)) + "\n";
    out += '\n';
    for (const auto& field : part(entity, "fields"))
        out += fmt::format("  {}  {}\n", paint.faint(fmt::format("{:<11}", visible(field.key()))),
                           field.value().is_string() ? visible(field.value().get_string())
                                                     : json::serialize(field.value()));
    for (const json::value& one : list(entity, "deadlines"))
        if (const json::object* deadline = one.if_object())
            out += fmt::format("  {}  {} at {}\n", paint.faint("deadline   "),
                               text(*deadline, "event"), time_text(text(*deadline, "due_at")));
    std::vector<std::vector<std::string>> rows{
        {"", "at", "version", "event", "from", "to", "by", ""}};
    for (const json::value& one : list(document, "steps")) {
        if (!one.is_object()) continue;
        const json::object& step = one.get_object();
        const std::string caller = text(step, "caller");
        rows.push_back({"", time_text(text(step, "at")), text(step, "version"), text(step, "event"),
                        text(step, "from"), text(step, "to"),
                        caller.empty() ? text(step, "sender") : caller, detail_of(step)});
    }
    return out + fmt::format("\n  {}\n", paint.strong("timeline (UTC)")) + table(rows, paint);
}

}  // namespace pawl::cli
