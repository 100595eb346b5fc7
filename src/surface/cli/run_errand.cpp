// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/run_errand.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <boost/json.hpp>

#include "surface/api/query.hpp"
#include "surface/cli/admin_answer.hpp"
#include "surface/cli/admin_client.hpp"
#include "surface/cli/document.hpp"
#include "surface/cli/entry_words.hpp"
#include "surface/cli/resolving.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;

std::string text(const json::value& of, std::string_view name) {
    const json::value* value = of.is_object() ? of.get_object().if_contains(name) : nullptr;
    if (value == nullptr) return {};
    return value->is_string() ? visible(value->get_string()) : json::serialize(*value);
}

json::array list_in(const json::object& document, std::string_view name) {
    const json::value* list = document.if_contains(name);
    return list != nullptr && list->is_array() ? list->get_array() : json::array{};
}

std::vector<std::string> cells(const json::value& of,
                               std::initializer_list<std::string_view> names) {
    std::vector<std::string> row;
    for (const std::string_view name : names) row.push_back(text(of, name));
    return row;
}

int show(AdminClient& client, std::string target, std::string_view member, bool as_json,
         std::string (*render)(const json::object&, const Paint&)) {
    const auto response = client.get(std::move(target));
    if (!response) return show_error(response.error(), as_json);
    const auto document = admin_document(*response, client.place(), member);
    if (!document) return show_error(document.error(), as_json);
    if (document->contains("code")) return show_problem(*document, as_json);
    if (as_json)
        fmt::print("{}\n", json::serialize(*document));
    else
        fmt::print("{}", render(*document, Paint{wants_colour(STDOUT_FILENO)}));
    return 0;
}

// `looked_at` is asked first: a stranger would take a POST for something of its own.
int speak(AdminClient& client, std::string looked_at, std::string_view member, std::string target,
          const json::object& document, bool as_json, std::string_view answered = "outcome") {
    const auto met = client.get(std::move(looked_at));
    if (!met) return show_error(met.error(), as_json);
    const auto known = admin_document(*met, client.place(), member);
    if (!known) return show_error(known.error(), as_json);
    if (known->contains("code")) return show_problem(*known, as_json);
    const auto response = client.post(std::move(target), json::serialize(document));
    if (!response) return show_error(response.error(), as_json);
    const auto answer = admin_document(*response, client.place(), answered);
    if (!answer) return show_error(answer.error(), as_json);
    if (answer->contains("code")) return show_problem(*answer, as_json);
    if (as_json)
        fmt::print("{}\n", json::serialize(*answer));
    else if (text(*answer, "as") == "settled")
        fmt::print("entry {} is closed: now put it right by hand, nothing else will\n",
                   text(*answer, "number"));
    else if (text(*answer, "as") == "left")
        fmt::print("entry {} is closed: do nothing by hand, the flow may take the fact yet\n",
                   text(*answer, "number"));
    else if (answer->contains("rows"))
        fmt::print("{} parked events go out again\n", text(*answer, "rows"));
    else if (text(*answer, "outcome") == "dropped")
        fmt::print("nothing is kept for {} any more\n", text(*answer, "sink"));
    else
        fmt::print("saga {} is {}\n", text(answer->at("saga"), "saga"),
                   text(answer->at("saga"), "state"));
    return 0;
}

int run(const ListOutbox& list, bool as_json, AdminClient& client, const std::string&) {
    return show(client, target_of(list), "sinks", as_json, render_outbox);
}

int run(const ListSagas& list, bool as_json, AdminClient& client, const std::string&) {
    return show(client, target_of(list), "sagas", as_json, render_sagas);
}

int run(const SpeakOfSink& word, bool as_json, AdminClient& client, const std::string& user) {
    return speak(client, target_of(ListOutbox{{}, 1}), "sinks",
                 word.drops ? "/admin/v1/outbox/drop" : "/admin/v1/outbox/redrive",
                 {{"sink", word.sink}, {"reason", word.reason}, {"by", user}}, as_json);
}

int run(const MoveSaga& move, bool as_json, AdminClient& client, const std::string& user) {
    return speak(client, target_of(ListSagas{{}, 1}), "sagas", "/admin/v1/sagas/move",
                 {{"saga", std::to_string(move.number)},
                  {"outcome", move.skips ? "skip" : "retry"},
                  {"reason", move.reason},
                  {"by", user}},
                 as_json);
}

int run(const ListAttention& list, bool as_json, AdminClient& client, const std::string&) {
    return show(client, target_of(list), "entries", as_json, render_attention);
}

int run(const CloseEntry& entry, bool as_json, AdminClient& client, const std::string& user) {
    return speak(client, target_of(ListAttention{.limit = 1}), "entries",
                 "/admin/v1/attention/close",
                 {{"number", std::to_string(entry.number)},
                  {"as", entry.leaves ? "left" : "settled"},
                  {"reason", entry.reason},
                  {"by", user.empty() ? "someone" : user}},
                 as_json, "closed");
}

}  // namespace

std::string target_of(const ListOutbox& list) {
    std::string target = fmt::format("/admin/v1/outbox?limit={}", list.limit);
    if (!list.sink.empty()) target += "&sink=" + api::percent_encoded(list.sink);
    return target;
}

std::string target_of(const ListSagas& list) {
    std::string target = fmt::format("/admin/v1/sagas?limit={}", list.limit);
    const std::string state = list.state.empty() ? "open" : list.state;
    if (state != "all") target += "&state=" + state;
    return target;
}

std::string render_outbox(const json::object& document, const Paint& paint) {
    const json::array sinks = list_in(document, "sinks");
    if (sinks.empty())
        return "No sink is configured. Write `sinks:` into the configuration; docs/events.md says "
               "how.\n";
    std::vector<std::vector<std::string>> rows{
        {"sink", "stands", "unsent", "oldest", "parked", "sent", "why"}};
    for (const json::value& sink : sinks)
        rows.push_back(cells(sink, {"sink", "standing", "unsent", "oldest_unsent_at", "parked",
                                    "sent_since_start", "said"}));
    std::string out = table(rows, paint);
    const json::array parked = list_in(document, "parked");
    if (parked.empty()) return out;
    std::vector<std::vector<std::string>> lines{
        {"sink", "event", "type", "flow", "id", "version", "tries", "why"}};
    for (const json::value& row : parked)
        lines.push_back(
            cells(row, {"sink", "event_id", "type", "flow", "id", "version", "tries", "said"}));
    return out + "\n" + paint.warn("parked; later events of their entities wait behind them") +
           "\n" + table(lines, paint);
}

std::string render_sagas(const json::object& document, const Paint& paint) {
    const json::array sagas = list_in(document, "sagas");
    if (sagas.empty()) return "None.\n";
    std::vector<std::vector<std::string>> rows{
        {"saga", "name", "state", "flow", "id", "tries", "next", "why"}};
    for (const json::value& saga : sagas)
        rows.push_back(
            cells(saga, {"saga", "name", "state", "flow", "id", "tries", "next_at", "said"}));
    std::string out = table(rows, paint);
    if (text(document, "more") == "true") out += paint.faint("there are more; see --limit") + "\n";
    return out;
}

std::string target_of(const ListAttention& list) {
    std::string target = fmt::format("/admin/v1/attention?limit={}", list.limit);
    if (list.after != 0) target += fmt::format("&after={}", list.after);
    if (list.closed) target += "&closed=true";
    return target;
}

std::string render_attention(const json::object& document, const Paint& paint) {
    const json::array entries = list_in(document, "entries");
    if (entries.empty()) return "None.\n";
    std::string out;
    bool any_open = false;
    for (const json::value& one : entries) {
        const json::object* entry = one.if_object();
        if (entry == nullptr) continue;
        const std::string id = text(*entry, "id");
        const std::string named = id.empty() ? text(*entry, "business_key") : id;
        out +=
            fmt::format("{}  {}  {} {}\n", paint.strong(text(*entry, "number")), text(*entry, "at"),
                        text(*entry, "flow"), named.empty() ? "(of no entity)" : named);
        out += fmt::format("    {}\n", reason_words(*entry));
        if (const std::string event = event_words(*entry); !event.empty())
            out += fmt::format("    {}\n", event);
        const std::string closing = closing_words(*entry);
        any_open |= closing.empty();
        if (!closing.empty())
            out += fmt::format("    {}  {}\n", text(part(*entry, "closed"), "at"), closing);
    }
    if (text(document, "more") == "true")
        out +=
            paint.faint(fmt::format("there are more: --after {}", text(entries.back(), "number"))) +
            "\n";
    if (!any_open) return out;
    return out +
           paint.faint("close first, pay back after: pawl attention close NUMBER --reason TEXT") +
           "\n";
}

int run_errand(const Errand& errand, bool as_json, const Places& places, const std::string& user) {
    AdminClient client(places.admin);
    return std::visit([&](const auto& one) { return run(one, as_json, client, user); }, errand);
}

}  // namespace pawl::cli
