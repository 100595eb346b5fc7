// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/render.hpp"

#include <fmt/format.h>
#include <boost/json.hpp>

#include "surface/cli/document.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kKeyColumnsMax = 32;

bool flag(const json::object& object, std::string_view name) {
    const json::value* found = object.if_contains(name);
    return found != nullptr && found->is_bool() && found->get_bool();
}

std::string painted_state(const std::string& state, const Paint& paint) {
    if (state == "completed" || state == "tombstone") return paint.good(state);
    if (state == "uncertain") return paint.bad(state);
    return paint.warn(state);
}

void add_line(std::string& out, const Paint& paint, std::string_view name,
              const std::string& value) {
    if (!value.empty())
        out += fmt::format("  {}  {}\n", paint.faint(fmt::format("{:<11}", name)), value);
}

std::string result_text(const json::object& result) {
    std::string out = text(result, "status");
    if (out == "0") out = "not recorded";
    if (result.contains("body_bytes")) out += fmt::format(", {} bytes", text(result, "body_bytes"));
    if (result.contains("location")) out += fmt::format(", Location {}", text(result, "location"));
    if (text(result, "source") != "owner")
        out += fmt::format(", said by a {}", text(result, "source"));
    if (!flag(result, "kept")) return out + ", not kept any more";
    return out + fmt::format(", kept until {}", time_text(text(result, "kept_until")));
}

void add_timeline(std::string& out, const json::array& timeline, const Paint& paint) {
    if (timeline.empty()) return;
    out += fmt::format("\n  {}\n", paint.strong("timeline (UTC)"));
    std::vector<std::vector<std::string>> rows{{"", "at", "step", "outcome", "fence", ""}};
    for (const json::value& one : timeline) {
        if (!one.is_object()) continue;
        const json::object& entry = one.get_object();
        std::string detail = text(entry, "detail");
        if (entry.contains("count"))
            detail = fmt::format("{}{}{}", text(entry, "count"), " times",
                                 detail.empty() ? "" : ", " + detail);
        rows.push_back({"", time_text(text(entry, "at")), text(entry, "step"),
                        text(entry, "outcome"), text(entry, "fence"), detail});
    }
    out += table(rows, paint);
}

void add_next(std::string& out, const json::array& steps, const Paint& paint) {
    if (steps.empty()) return;
    out += fmt::format("\n  {}\n", paint.strong("what may be done next"));
    for (const json::value& one : steps) {
        if (!one.is_object()) continue;
        const json::object& step = one.get_object();
        const std::string command = text(step, "command");
        const std::string what = command.empty() ? text(step, "action") : command;
        out += fmt::format("  {} {}\n", flag(step, "allowed") ? paint.good("+") : paint.warn("-"),
                           what);
        if (const std::string why = text(step, "why"); !why.empty())
            out += fmt::format("    {}\n", paint.faint(why));
    }
}

std::string render_one(const json::object& record, const Paint& paint) {
    std::string out;
    const std::string key = text(record, "key");
    if (!key.empty()) out += fmt::format("{}  {}\n", paint.strong(key), text(record, "operation"));
    out += fmt::format("{}\n\n", text(record, "meaning"));
    add_line(out, paint, "state", painted_state(text(record, "state"), paint));
    add_line(out, paint, "reference", text(record, "operation_ref"));
    if (const json::value* result = record.if_contains("result");
        result != nullptr && result->is_object())
        add_line(out, paint, "result", result_text(result->get_object()));
    if (const json::value* beside = record.if_contains("replaced_result");
        beside != nullptr && beside->is_object())
        add_line(out, paint, "replaces",
                 fmt::format("version {}, answered {}", text(beside->get_object(), "version"),
                             text(beside->get_object(), "status")));
    add_line(out, paint, "caller", text(record, "caller"));
    add_line(out, paint, "tenant", text(record, "tenant"));
    add_line(out, paint, "version", text(record, "version"));
    if (const std::string attempts = text(record, "attempts"); !attempts.empty() && attempts != "0")
        add_line(out, paint, "attempts",
                 fmt::format("{}, the last on {} under fence {}", text(record, "attempts"),
                             text(record, "owner"), text(record, "fence")));
    add_line(out, paint, "trace", text(record, "trace_id"));
    if (flag(record, "forced")) add_line(out, paint, "forced", "a person overrode the rules");
    add_line(out, paint, "key kept", time_text(text(record, "key_kept_until")));
    add_timeline(out, list(record, "timeline"), paint);
    add_next(out, list(record, "next"), paint);
    return out;
}

std::string shortened(std::string text) {
    if (width_of(text) <= kKeyColumnsMax) return text;
    std::size_t end = kKeyColumnsMax - 3;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end) + "...";
}

// The first thing that a person can do about it.
std::string next_word(const json::object& record) {
    for (const json::value& one : list(record, "next")) {
        if (!one.is_object() || text(one.get_object(), "action") != "resolve_not_applied") continue;
        const json::object& step = one.get_object();
        if (flag(step, "allowed")) return "--applied or --not-applied";
        const std::string from = text(step, "from");
        return from.empty() ? "--applied, or --not-applied --force"
                            : fmt::format("--applied, or --not-applied from {}", time_text(from));
    }
    return "retry";
}

}  // namespace

std::string render_explained(const json::object& document, const Paint& paint) {
    std::string out;
    for (const json::value& one : list(document, "records")) {
        if (!one.is_object()) continue;
        if (!out.empty()) out += "\n" + paint.faint("----") + "\n\n";
        out += render_one(one.get_object(), paint);
    }
    return out;
}

std::string render_uncertain(const json::object& document, const Paint& paint) {
    const json::array& records = list(document, "records");
    if (records.empty()) {
        const std::string in_all = text(document, "in_all");
        if (in_all.empty() || in_all == "0")
            return "Every operation is settled: no outcome is unknown.\n";
        return fmt::format("None matches this filter ({} uncertain in all).\n", in_all);
    }
    std::vector<std::vector<std::string>> rows{
        {"reference", "age", "caller", "key", "operation", "resolve with"}};
    for (const json::value& one : records) {
        if (!one.is_object()) continue;
        const json::object& record = one.get_object();
        rows.push_back(
            {text(record, "operation_ref"), fmt::format("{} s", text(record, "age_seconds")),
             record.contains("caller") ? text(record, "caller") : "-",
             shortened(text(record, "key")), text(record, "operation"), next_word(record)});
    }
    std::string out = table(rows, paint);
    if (flag(document, "more")) out += paint.faint("There are more; --limit N shows them.") + "\n";
    return out;
}

std::string render_done(const json::object& document, const Paint& paint) {
    const json::value* record = document.if_contains("record");
    if (record == nullptr || !record->is_object()) return {};
    const std::string outcome = text(document, "outcome");
    if (outcome == "forgotten")
        return fmt::format("{} {}: the next request with this key is a first one.\n",
                           text(record->get_object(), "operation_ref"), paint.good("forgotten"));
    const std::string word = outcome == "applied" ? "applied" : "not applied";
    return fmt::format("{} {}: {}.\n", text(record->get_object(), "operation_ref"),
                       paint.good(word), text(record->get_object(), "meaning"));
}

std::string render_problem(const json::object& document, const Paint& paint) {
    const std::string detail = text(document, "detail");
    return fmt::format("pawl: {} {}\n", paint.bad(text(document, "code") + ":"),
                       detail.empty() ? text(document, "title") : detail);
}

}  // namespace pawl::cli
