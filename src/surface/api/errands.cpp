// SPDX-License-Identifier: Apache-2.0
#include "surface/api/errands.hpp"

#include <array>
#include <charconv>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "net/http/problem.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/task/on_loop.hpp"
#include "surface/api/members.hpp"
#include "surface/api/saga_view.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;
using store::SagaState;

constexpr std::size_t kReasonBytesMax = 500;
constexpr std::size_t kNameBytesMax = 100;
constexpr std::size_t kListedUsually = 100;
constexpr std::array kStates{SagaState::running, SagaState::done, SagaState::needs_attention};

http::Response json_response(const json::object& document) {
    http::Response response;
    response.headers = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}};
    response.body = json::serialize(document) + "\n";
    return response;
}

http::Response problem(Code code, std::string text) {
    return http::to_response(Error{code, std::move(text), {}, {}});
}

std::optional<std::uint64_t> number_from(std::string_view text) {
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size())
        return std::nullopt;
    return number;
}

// Errors: request_invalid.
Result<std::size_t> limit_in(const Query& query) {
    const auto text = query.parameter("limit");
    if (!text) return kListedUsually;
    const auto number = number_from(*text);
    if (!number || *number == 0 || *number > kErrandsListedMax)
        return fail(Code::request_invalid,
                    fmt::format("`limit` is a number from 1 to {}.", kErrandsListedMax));
    return static_cast<std::size_t>(*number);
}

ErrandWord word_in(Members& members) {
    ErrandWord word;
    word.reason = members.text("reason").value_or("");
    if (word.reason.empty() || word.reason.size() > kReasonBytesMax)
        members.mistake(
            fmt::format("`reason` says why, in 1 to {} bytes; it is kept.", kReasonBytesMax));
    word.by = members.text("by").value_or("");
    if (word.by.size() > kNameBytesMax)
        members.mistake(fmt::format("`by` has at most {} bytes.", kNameBytesMax));
    return word;
}

std::string said_by(const ErrandWord& word, std::string_view what) {
    return fmt::format("{} by {} from {}: {}", what, word.by.empty() ? "someone" : word.by,
                       word.from, word.reason);
}

json::object shown(const store::ParkedRow& parked, const std::string& sink) {
    const store::OutboxRow& row = parked.row;
    return {{"sink", sink},
            {"event_id", stream::event_id(row.subject, row.history.version)},
            {"type", row.history.type},
            {"flow", row.subject.flow},
            {"id", row.subject.id},
            {"version", row.history.version},
            {"at", to_rfc3339(wall_time(row.history.at_ms))},
            {"tries", row.tries},
            {"said", to_utf8(parked.said)}};
}

Task<stream::Standing> standing_of(stream::Relays& relays, std::string name) {
    const stream::Relay* relay = relays.find(name);
    co_return relay == nullptr ? stream::Standing{} : relay->standing();
}

Task<Result<json::object>> shown_sink(ErrandDesk& desk, std::string name) {
    const auto figures = co_await desk.outbox.outbox_figures(name);
    if (!figures) co_return fail(figures.error());
    const stream::Standing standing =
        co_await on_loop(desk.here, desk.relays.loop(), standing_of(desk.relays, name));
    const stream::RelayFigures& counted = desk.relays.figures(name);
    json::object document{{"sink", name},
                          {"standing", stream::name_of(standing.kind)},
                          {"said", to_utf8(standing.said)},
                          {"unsent", figures->unsent},
                          {"parked", figures->parked},
                          {"sent_since_start", counted.sent.value()}};
    if (figures->oldest_unsent_ms != timer::kNever)
        document["oldest_unsent_at"] = to_rfc3339(wall_time(figures->oldest_unsent_ms));
    co_return document;
}

// The saga of this number, whatever became of it. Errors: not_found, unavailable.
Task<Result<store::SagaRow>> saga_of(ErrandDesk& desk, std::uint64_t number) {
    const auto rows = co_await desk.sagas.sagas(std::nullopt, number - 1, 1);
    if (!rows) co_return fail(rows.error());
    if (!rows->empty() && rows->front().number == number) co_return rows->front();
    const auto any = co_await desk.sagas.look_at_sagas({.after = number - 1, .limit = 1});
    if (!any) co_return fail(any.error());
    if (!any->empty() && any->front().number == number && any->front().is_damaged)
        co_return fail(Code::conflict,
                       fmt::format("Nothing was changed: the row of saga {} cannot be read. A copy "
                                   "of the store may have it; until then, settle it by hand.",
                                   number));
    co_return fail(Code::not_found,
                   fmt::format("There is no saga {}; `pawl saga list` shows them.", number));
}

// Those that are not done, or of them those that run. One that cannot be read is among both: nobody knows which it is.
Task<Result<std::vector<store::SagaRow>>> open_sagas(store::Sagas& sagas, bool only_running,
                                                     std::uint64_t after, std::size_t limit) {
    std::vector<store::SagaRow> found;
    for (bool more = true; more && found.size() < limit;) {
        auto page = co_await sagas.look_at_sagas({.after = after, .limit = limit});
        if (!page) co_return fail(page.error());
        more = page->size() == limit;
        if (more) after = page->back().number;
        for (store::SagaRow& row : *page)
            if (!only_running || row.is_damaged || row.state == SagaState::running)
                found.push_back(std::move(row));
    }
    if (found.size() > limit)
        found.erase(found.begin() + static_cast<std::ptrdiff_t>(limit), found.end());
    co_return found;
}

}  // namespace

Result<SinkWord> parse_sink_word(std::string_view body) {
    const auto value = parse_object(body);
    if (!value) return fail(value.error());
    Members members(value->get_object());
    SinkWord asked;
    asked.word = word_in(members);
    asked.sink = members.text("sink").value_or("");
    if (asked.sink.empty()) members.mistake("`sink` names one, as `pawl outbox list` shows it.");
    if (auto ended = members.end(); !ended) return fail(std::move(ended.error()));
    return asked;
}

Result<SagaWord> parse_saga_word(std::string_view body) {
    const auto value = parse_object(body);
    if (!value) return fail(value.error());
    Members members(value->get_object());
    SagaWord asked;
    asked.word = word_in(members);
    asked.number = number_from(members.text("saga").value_or("")).value_or(0);
    if (asked.number == 0)
        members.mistake("`saga` is a number in a text, as `pawl saga list` shows it.");
    const auto outcome = members.text("outcome");
    asked.skips = outcome == "skip";
    if (!asked.skips && outcome != "retry") members.mistake("`outcome` is `retry` or `skip`.");
    if (auto ended = members.end(); !ended) return fail(std::move(ended.error()));
    return asked;
}

Task<http::Response> list_outbox(ErrandDesk& desk, Query query) {
    const auto limit = limit_in(query);
    if (!limit) co_return http::to_response(limit.error());
    const auto wanted = query.parameter("sink");
    json::array sinks;
    json::array parked;
    for (const std::string& name : desk.relays.names()) {
        if (wanted && *wanted != name) continue;
        auto shown_one = co_await shown_sink(desk, name);
        if (!shown_one) co_return http::to_response(shown_one.error());
        sinks.emplace_back(std::move(*shown_one));
        const auto rows = co_await desk.outbox.parked(name, *limit);
        if (!rows) co_return http::to_response(rows.error());
        for (const store::ParkedRow& row : *rows)
            if (parked.size() < *limit) parked.emplace_back(shown(row, name));
    }
    if (wanted && sinks.empty())
        co_return problem(Code::not_found, fmt::format("There is no sink `{}`.", to_utf8(*wanted)));
    co_return json_response({{"sinks", std::move(sinks)}, {"parked", std::move(parked)}});
}

Task<http::Response> list_sagas(ErrandDesk& desk, Query query) {
    const auto limit = limit_in(query);
    if (!limit) co_return http::to_response(limit.error());
    const std::string after_text = query.parameter("after").value_or("0");
    const auto after = number_from(after_text);
    if (!after) co_return problem(Code::request_invalid, "`after` is the number of a saga.");
    const std::string named = query.parameter("state").value_or("all");
    const auto state = std::ranges::find(kStates, std::string_view(named),
                                         [](SagaState one) { return store::name_of(one); });
    if (state == kStates.end() && named != "open" && named != "all")
        co_return problem(Code::request_invalid,
                          "`state` is running, done, needs_attention, open or all.");
    const auto rows =
        co_await (named == "open" || named == "running"
                      ? open_sagas(desk.sagas, named == "running", *after, *limit + 1)
                      : desk.sagas.sagas(named == "all" ? std::nullopt : std::optional(*state),
                                         *after, *limit + 1));
    if (!rows) co_return http::to_response(rows.error());
    json::array sagas;
    for (const store::SagaRow& row : *rows)
        if (sagas.size() < *limit) sagas.emplace_back(saga_view(row));
    co_return json_response({{"sagas", std::move(sagas)}, {"more", rows->size() > *limit}});
}

Task<http::Response> redrive(ErrandDesk& desk, SinkWord asked) {
    auto there = [](stream::Relays& relays, std::string name) -> Task<Result<std::size_t>> {
        stream::Relay* relay = relays.find(name);
        if (relay == nullptr) co_return fail(Code::not_found, "There is no such sink.");
        co_return co_await relay->redrive();
    };
    const auto redriven =
        co_await on_loop(desk.here, desk.relays.loop(), there(desk.relays, asked.sink));
    if (!redriven) co_return http::to_response(redriven.error());
    desk.told(said_by(
        asked.word, fmt::format("{} parked events of sink {} sent again", *redriven, asked.sink)));
    co_return json_response({{"outcome", "redriven"}, {"sink", asked.sink}, {"rows", *redriven}});
}

Task<http::Response> drop_sink(ErrandDesk& desk, SinkWord asked) {
    const std::vector<std::string> present = desk.relays.names();
    if (std::ranges::find(present, asked.sink) != present.end())
        co_return problem(Code::conflict,
                          fmt::format("Nothing was changed: `{}` is configured. Take it out of "
                                      "`sinks`, start anew, and say it again.",
                                      asked.sink));
    const auto dropped = co_await desk.outbox.drop_sink(asked.sink);
    if (!dropped) co_return http::to_response(dropped.error());
    desk.told(said_by(asked.word, fmt::format("sink {} dropped", asked.sink)));
    co_return json_response({{"outcome", "dropped"}, {"sink", to_utf8(asked.sink)}});
}

Task<http::Response> move_saga(ErrandDesk& desk, SagaWord asked) {
    const auto found = co_await saga_of(desk, asked.number);
    if (!found) co_return http::to_response(found.error());
    const store::SagaRow& row = *found;
    if (row.state != SagaState::needs_attention)
        co_return problem(
            Code::conflict,
            fmt::format("Nothing was changed: the saga is {}, and does not wait for a "
                        "person.",
                        store::name_of(row.state)));
    store::SagaMove move{.number = row.number, .tries = row.tries};
    move.to = asked.skips ? SagaState::done : SagaState::running;
    move.tries_after = asked.skips ? row.tries : 0;
    move.said = said_by(asked.word, asked.skips ? "skipped" : "sent again");
    desk.here.entropy().fill(std::as_writable_bytes(std::span(move.claim.bytes)));
    const auto moved = co_await desk.sagas.move(move);
    if (!moved) co_return http::to_response(moved.error());
    if (!*moved) co_return problem(Code::conflict, "Nothing was changed: somebody else was first.");
    desk.told(fmt::format("saga {} ({} of {} {}) {}", row.number, row.start.name, row.subject.flow,
                          row.subject.id, move.said));
    desk.runner.hint_from_anywhere();
    const auto after = co_await saga_of(desk, asked.number);
    if (!after) co_return http::to_response(after.error());
    co_return json_response(
        {{"outcome", asked.skips ? "skipped" : "sent_again"}, {"saga", saga_view(*after)}});
}

}  // namespace pawl::api
