// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/resolving.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>
#include <boost/json.hpp>

#include "core/policy/limits.hpp"
#include "core/policy/units.hpp"
#include "net/http/problem.hpp"
#include "runtime/codec/text.hpp"
#include "surface/api/look_up.hpp"
#include "surface/api/query.hpp"
#include "surface/cli/admin_answer.hpp"
#include "surface/cli/render.hpp"

namespace pawl::cli {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

// What remains of `in`, and one byte too many where it is too large.
Result<std::string> read_all(std::istream& in, std::string_view what) {
    std::string body(policy::kAnswerBytesLimit + 1, '\0');
    in.read(body.data(), static_cast<std::streamsize>(body.size()));
    if (in.bad())
        return fail(Code::request_invalid, fmt::format("{} cannot be read to its end", what));
    body.resize(static_cast<std::size_t>(in.gcount()));
    if (body.size() > policy::kAnswerBytesLimit)
        return fail(Code::request_invalid,
                    fmt::format("{} is larger than {}, which is the most that a record keeps", what,
                                policy::format_size(policy::kAnswerBytesLimit)));
    return body;
}

// A word can only be carried out by the server that owns the store.
Error must_run(Error error) {
    if (error.code == Code::unavailable) {
        error.text +=
            ". A record is settled by the running server: start `pawl serve`, or say where it is "
            "with --admin";
    }
    return error;
}

// Asked before the first word: a stranger would take a POST for something of its own.
Result<json::object> introduced(AdminClient& client) {
    const auto response = client.get("/admin/v1/totals");
    if (!response) return fail(must_run(response.error()));
    return admin_document(*response, client.place(), "in_progress");
}

Result<json::object> outcome_in(const Result<http::Response>& response, const AdminClient& client) {
    if (!response) return fail(must_run(response.error()));
    return admin_document(*response, client.place(), "outcome");
}

int show_word(const Result<json::object>& answer, bool as_json) {
    if (!answer) return show_error(answer.error(), as_json);
    if (answer->contains("code")) return show_problem(*answer, as_json);
    if (as_json)
        fmt::print("{}\n", json::serialize(*answer));
    else
        fmt::print("{}", render_done(*answer, Paint{wants_colour(STDOUT_FILENO)}));
    return 0;
}

int speak(AdminClient& client, std::string target, const json::object& document, bool as_json) {
    const auto met = introduced(client);
    if (!met) return show_error(met.error(), as_json);
    if (met->contains("code")) return show_problem(*met, as_json);
    const auto response = client.post(std::move(target), json::serialize(document));
    return show_word(outcome_in(response, client), as_json);
}

struct Tally {
    json::array answers;
    std::size_t done = 0;
    std::size_t refused = 0;
    int exit_code = 0;
};

void count(Result<json::object> answer, bool as_json, Tally& tally) {
    const bool done = answer && !answer->contains("code");
    ++(done ? tally.done : tally.refused);
    if (as_json && answer) {
        if (!done) tally.exit_code = row_of(code_of(*answer)).exit_code;
        tally.answers.emplace_back(std::move(*answer));
        return;
    }
    if (const int code = show_word(answer, false); code != 0) tally.exit_code = code;
}

std::vector<std::string> references_in(const json::array& records) {
    std::vector<std::string> references;
    for (const json::value& record : records) {
        const json::value* reference =
            record.is_object() ? record.get_object().if_contains("operation_ref") : nullptr;
        if (reference != nullptr && reference->is_string())
            references.emplace_back(reference->get_string());
    }
    return references;
}

// "12 operations match; the 10000 oldest are resolved now"
std::string counted_to_resolve(const json::object& document) {
    const std::size_t found = document.at("records").get_array().size();
    const json::value* more = document.if_contains("more");
    const bool is_part = more != nullptr && more->is_bool() && more->get_bool();
    return fmt::format("{}{} uncertain operation{} match{}", is_part ? "the oldest " : "", found,
                       found == 1 ? "" : "s", found == 1 ? "es" : "");
}

// What a word would be about, without saying it.
int show_list(const json::object& document, bool as_json) {
    if (as_json) {
        fmt::print("{}\n", json::serialize(document));
        return 0;
    }
    fmt::print("{}", render_uncertain(document, Paint{wants_colour(STDOUT_FILENO)}));
    if (!document.at("records").get_array().empty())
        fmt::print("{}; nothing was said of them (--dry-run)\n", counted_to_resolve(document));
    return 0;
}

int resolve_all(const Resolve& resolve, const std::string& body, bool as_json, AdminClient& client,
                const std::string& user) {
    ListUncertain wanted{api::kListedMax, resolve.route, resolve.older, true};
    const auto listed = client.get(uncertain_target(wanted));
    if (!listed) return show_error(must_run(listed.error()), as_json);
    const auto document = admin_document(*listed, client.place(), "records");
    if (!document) return show_error(document.error(), as_json);
    if (document->contains("code")) return show_problem(*document, as_json);
    const json::value& records = document->at("records");
    if (!records.is_array())
        return show_error({Code::internal, "the server's list is not readable", {}, {}}, as_json);
    const std::size_t found = records.get_array().size();
    if (found == 0 || resolve.dry_run) return show_list(*document, as_json);
    if (!as_json) fmt::print(stderr, "pawl: {}\n", counted_to_resolve(*document));
    Tally tally;
    // The list was shown to nobody: what was looked at was looked at before the first of these words.
    const auto began = std::chrono::steady_clock::now();
    const std::vector<std::string> references = references_in(records.get_array());
    const auto document_of = [&](std::size_t number) {
        Resolve one = resolve;
        if (!one.applied && !one.force)
            one.looked = one.looked.value_or(0ms) + std::chrono::ceil<std::chrono::milliseconds>(
                                                        std::chrono::steady_clock::now() - began);
        return json::serialize(resolve_document(one, references[number], body, user));
    };
    client.post_all({"/admin/v1/resolve", references.size(), document_of,
                     [&](const Result<http::Response>& response) {
                         count(outcome_in(response, client), as_json, tally);
                     }});
    if (as_json)
        fmt::print("{}\n", json::serialize(json::object{{"results", tally.answers}}));
    else
        fmt::print("{} resolved, {} refused\n", tally.done, tally.refused);
    return tally.exit_code;
}

}  // namespace

Result<std::string> read_body(const std::string& path) {
    if (path.empty()) return std::string{};
    if (path == "-") return read_all(std::cin, "standard input");
    std::error_code error;
    const auto kind = std::filesystem::status(path, error).type();
    if (kind == std::filesystem::file_type::not_found)
        return fail(Code::request_invalid, fmt::format("there is no file {}", path));
    // Opening a pipe waits for its other end; reading a directory or a device ends nowhere.
    if (!error && kind != std::filesystem::file_type::regular)
        return fail(Code::request_invalid,
                    fmt::format("{} is no file with a body; name a file, or give the body on "
                                "standard input with `--body -`",
                                path));
    std::ifstream file(path, std::ios::binary);
    if (error || !file)
        return fail(Code::request_invalid,
                    fmt::format("the file {} cannot be read; look at its rights", path));
    return read_all(file, path);
}

Code code_of(const json::object& problem) {
    const json::value* code = problem.if_contains("code");
    if (code == nullptr || !code->is_string()) return Code::internal;
    for (int i = 0; i < kCodeCount; ++i)
        if (name_of(static_cast<Code>(i)) == code->get_string()) return static_cast<Code>(i);
    return Code::internal;
}

int show_error(const Error& error, bool as_json) {
    if (as_json) {
        fmt::print("{}", http::to_response(error).body);
        return row_of(error.code).exit_code;
    }
    fmt::print(stderr, "pawl: {}\n", visible_lines(error.text));
    return row_of(error.code).exit_code;
}

int show_problem(const json::object& problem, bool as_json) {
    if (as_json)
        fmt::print("{}\n", json::serialize(problem));
    else
        fmt::print(stderr, "{}", render_problem(problem, Paint{wants_colour(STDERR_FILENO)}));
    return row_of(code_of(problem)).exit_code;
}

std::string uncertain_target(const ListUncertain& list) {
    std::string target = fmt::format("/admin/v1/uncertain?limit={}", list.limit);
    if (!list.route.empty()) target += "&route=" + api::percent_encoded(list.route);
    if (list.older) target += fmt::format("&older_ms={}", list.older->count());
    if (list.open) target += "&open=true";
    return target;
}

json::object resolve_document(const Resolve& resolve, const std::string& reference,
                              const std::string& body, const std::string& user) {
    json::object document{{"ref", reference},
                          {"outcome", resolve.applied ? "applied" : "not_applied"},
                          {"reason", resolve.reason},
                          {"by", user}};
    if (resolve.force) document["force"] = true;
    if (resolve.looked) document["looked_ms_ago"] = resolve.looked->count();
    if (!resolve.status) return document;
    document["status"] = *resolve.status;
    if (!body.empty()) document["body_base64"] = to_base64(body);
    json::array headers;
    for (const auto& [name, value] : resolve.headers)
        headers.emplace_back(json::array{name, value});
    if (!headers.empty()) document["headers"] = std::move(headers);
    return document;
}

int run_resolve(const Resolve& resolve, bool as_json, const Places& places,
                const std::string& user) {
    const auto body = read_body(resolve.body_file);
    if (!body) return show_error(body.error(), as_json);
    AdminClient client(places.admin);
    if (resolve.reference.empty()) return resolve_all(resolve, *body, as_json, client, user);
    return speak(client, "/admin/v1/resolve",
                 resolve_document(resolve, resolve.reference, *body, user), as_json);
}

int run_forget(const Forget& forget, bool as_json, const Places& places, const std::string& user) {
    AdminClient client(places.admin);
    const json::object document{{"ref", forget.reference}, {"reason", forget.reason}, {"by", user}};
    return speak(client, "/admin/v1/forget", document, as_json);
}

}  // namespace pawl::cli
