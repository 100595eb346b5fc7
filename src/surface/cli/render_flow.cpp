// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/render_flow.hpp"

#include <map>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "surface/cli/document.hpp"
#include "surface/cli/entry_words.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;

// In a line of the timeline; --json has it whole.
constexpr std::size_t kValueShownMax = 48;

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

// What became of a compensation: "begins refund (saga 17 is done: its service answered 200 at ...)".
std::string saga_words(const json::object& begun, const json::array& sagas) {
    std::string out = fmt::format("begins {}", text(begun, "saga"));
    for (const json::value& one : sagas) {
        const json::object* saga = one.if_object();
        if (saga == nullptr || text(*saga, "key") != text(begun, "key")) continue;
        const std::string state = text(*saga, "state");
        const std::string said = text(*saga, "said");
        const std::string next = time_text(text(*saga, "next_at"));
        out += fmt::format(" (saga {} {}", text(*saga, "saga"),
                           state == "needs_attention" ? "needs a person" : "is " + state);
        if (!next.empty()) out += fmt::format(", tries {}, next {}", text(*saga, "tries"), next);
        out += said.empty() ? ")" : fmt::format(": {})", said);
    }
    return out;
}

// What an event brought along, moved and began: "amount 12.50, A -2 available".
std::string detail_of(const json::object& step, const json::array& sagas) {
    std::string out = value_words(part(step, "values"), kValueShownMax);
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
        if (const json::object* saga = one.if_object()) add(saga_words(*saga, sagas));
    return out;
}

// What stands before a person, in a line.
std::string told_of(const json::object& entry) {
    const std::string event = event_words(entry);
    return event.empty() ? reason_words(entry) : fmt::format("{} ({})", reason_words(entry), event);
}

std::string line_of(const json::object& entry, const Paint& paint) {
    const std::string closing = closing_words(entry);
    return fmt::format("{} {}, {}: {}{}\n",
                       closing.empty() ? paint.warn("waits for a person, entry") : "entry",
                       text(entry, "number"), time_text(text(entry, "at")), told_of(entry),
                       closing.empty() ? "" : "; " + closing);
}

using Row = std::vector<std::string>;

Row row_of(const json::object& step, const json::array& sagas) {
    const std::string caller = text(step, "caller");
    return {"",
            time_text(text(step, "at")),
            text(step, "version"),
            text(step, "event"),
            text(step, "from"),
            text(step, "to"),
            caller.empty() ? text(step, "sender") : caller,
            detail_of(step, sagas)};
}

// Steps, and between them what came before a person and what became of it, by the store's time.
std::vector<Row> timeline_of(const json::object& document) {
    std::multimap<std::string, Row> by_time;  // in the order of insertion where times are equal
    const auto add = [&by_time](Row row) { by_time.emplace(row[1], std::move(row)); };
    for (const json::value& one : list(document, "steps"))
        if (const json::object* step = one.if_object()) add(row_of(*step, list(document, "sagas")));
    for (const json::value& one : list(document, "entries")) {
        const json::object* entry = one.if_object();
        if (entry == nullptr) continue;
        const std::string named = "entry " + text(*entry, "number");
        add({"", time_text(text(*entry, "at")), "", named, "", "", "",
             "for a person: " + told_of(*entry)});
        const json::object& closed = part(*entry, "closed");
        if (!closed.empty())
            add({"", time_text(text(closed, "at")), "", named, "", "", text(closed, "by"),
                 closing_words(*entry)});
    }
    std::vector<Row> rows{{"", "at", "version", "event", "from", "to", "by", ""}};
    for (auto& [at, row] : by_time) rows.push_back(std::move(row));
    return rows;
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
    for (const json::value& one : list(document, "found"))
        if (const json::object* found = one.if_object())
            for (const json::value& told : list(*found, "entries"))
                if (const json::object* entry = told.if_object())
                    out += fmt::format("{} {}: {}", text(*entry, "flow"),
                                       id_of(part(*found, "entity")), line_of(*entry, paint));
    for (const json::value& one : list(document, "waiting"))
        if (const json::object* fact = one.if_object())
            out += fmt::format("waits for its {}: `{}` of {}, until {}\n", text(*fact, "flow"),
                               text(*fact, "event"), text(*fact, "business_key"),
                               time_text(text(*fact, "until")));
    for (const json::value& one : list(document, "attention"))
        if (const json::object* entry = one.if_object()) out += line_of(*entry, paint);
    return out;
}

std::string render_waiting(const json::object& document, const Paint& paint) {
    std::vector<std::vector<std::string>> rows{
        {"number", "event", "of", "says", "waits since", "until"}};
    for (const json::value& one : list(document, "facts")) {
        if (!one.is_object()) continue;
        const json::object& fact = one.get_object();
        const std::string key = text(fact, "business_key");
        rows.push_back({text(fact, "number"), text(fact, "event"),
                        key.empty() ? text(fact, "id") : key, value_words(part(fact, "values")),
                        time_text(text(fact, "since")), time_text(text(fact, "until"))});
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
            out += fmt::format("  {}  {}: {} at {}\n", paint.faint("deadline   "),
                               text(*deadline, "name"), text(*deadline, "event"),
                               time_text(text(*deadline, "due_at")));
    for (const json::value& one : list(document, "entries"))
        if (const json::object* entry = one.if_object())
            if (closing_words(*entry).empty()) out += "  " + line_of(*entry, paint);
    out += fmt::format("\n  {}\n", paint.strong("timeline (UTC)")) +
           table(timeline_of(document), paint);
    if (text(document, "more") == "true") {
        const json::array& steps = list(document, "steps");
        const json::value& last = steps.back();
        out +=
            paint.faint(fmt::format("there are later steps: GET /v1/flows/{}/{}/timeline?after={}",
                                    text(document, "flow"), text(document, "id"),
                                    last.is_object() ? text(last.get_object(), "version") : "0")) +
            "\n";
    }
    if (text(document, "entries_more") == "true")
        out +=
            paint.faint("there are earlier entries: `pawl attention list`, also --closed") + "\n";
    return out;
}

}  // namespace pawl::cli
