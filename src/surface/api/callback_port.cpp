// SPDX-License-Identifier: Apache-2.0
#include "surface/api/callback_port.hpp"

#include <charconv>

#include <fmt/format.h>
#include <boost/json/serialize.hpp>

#include "core/caller/report_signature.hpp"
#include "net/http/body_file.hpp"
#include "net/http/limits.hpp"
#include "net/http/problem.hpp"
#include "surface/api/members.hpp"
#include "surface/api/operation_status.hpp"
#include "surface/api/operation_view.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;
using gateway::Heard;

constexpr std::string_view kEnd = "/outcome";
constexpr std::size_t kAroundBytesMax = 64U << 10;  // header lines and the document around the body
constexpr std::chrono::seconds kRunningRetryAfter{1};

// The largest report that some route can mean: an answer in base64 with what is around it. 0: no route takes any.
std::size_t report_bytes_max(const gateway::Routes& routes) {
    std::size_t most = 0;
    for (const policy::CompiledRoute& one : routes.table.routes())
        if (one.route.uncertain.callback)
            most = std::max(most, one.route.answer_bytes_max / 3 * 4 + kAroundBytesMax);
    return most;
}

Error no_reports() {
    return {
        Code::forbidden,
        "This route takes no reports of outcomes. Write `uncertain: { callback: { secret: … } }` "
        "into it.",
        {},
        {}};
}

std::uint64_t fence_in(Members& members) {
    const json::value* given = members.take("fence");
    std::uint64_t number = 0;
    if (given != nullptr && given->is_uint64()) number = given->get_uint64();
    if (given != nullptr && given->is_int64())
        number = static_cast<std::uint64_t>(std::max<std::int64_t>(given->get_int64(), 0));
    if (given != nullptr && given->is_string()) {
        const std::string_view text = given->get_string();
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) number = 0;
    }
    if (number == 0)
        members.mistake(
            "`fence` is the number that came in Pawl-Fence, best as a string: it may not fit a "
            "double.");
    return number;
}

http::Response heard_response(const gateway::CallbackReport& report, const record::Row& row,
                              bool noted) {
    http::Response response;
    response.status = noted ? 202 : 200;
    response.headers.emplace_back("Content-Type", "application/json");
    response.headers.emplace_back("Cache-Control", "no-store");
    json::object document{{"operation_ref", record::reference_of(row.identity)},
                          {"fence", std::to_string(report.fence.number)},
                          {"outcome", report.applied ? "applied" : "not-applied"}};
    if (noted)
        document["detail"] =
            "Noted, and the key stays as it is: this request may still land. Say `closed: true` "
            "when it is refused from now on.";
    response.body = json::serialize(document) + "\n";
    return response;
}

http::Response conflict(Code code, const record::Row& row, std::string detail) {
    http::Problem problem = problem_about(row, code, std::move(detail));
    if (code == Code::in_progress) problem.retry_after = kRunningRetryAfter;
    return http::to_response(problem);
}

http::Response response_of(const gateway::HeardReport& heard,
                           const gateway::CallbackReport& report) {
    switch (heard.heard) {
        case Heard::taken:
        case Heard::repeated:
            return heard_response(report, heard.row, false);
        case Heard::noted:
            return heard_response(report, heard.row, true);
        case Heard::running:
            return conflict(Code::in_progress, heard.row,
                            "The attempt still waits for its own answer; report again when its "
                            "lease is over, or answer it.");
        case Heard::other_fence:
            return conflict(Code::conflict, heard.row,
                            fmt::format("The report is about fence {}; nothing was changed.",
                                        report.fence.number));
        case Heard::contradicts:
        case Heard::refused:
            break;
    }
    return conflict(Code::conflict, heard.row,
                    "The record says otherwise, and nothing was changed: look at both, with "
                    "`pawl explain` and in your own books.");
}

}  // namespace

Result<gateway::CallbackReport> parse_report(std::string_view body) {
    const auto value = parse_object(body);
    if (!value) return fail(value.error());
    Members members(value->get_object());
    gateway::CallbackReport report;
    report.fence.number = fence_in(members);
    const auto outcome = members.text("outcome");
    report.applied = outcome == "applied";
    if (!report.applied && outcome != "not-applied")
        members.mistake("`outcome` is `applied` or `not-applied`.");
    report.closed = members.flag("closed");
    if (report.closed && report.applied)
        members.mistake("`closed` goes with `not-applied`; what took effect is not refused.");
    report.answer = answer_in(members);
    if (report.answer && !report.applied)
        members.mistake("A status goes with `applied`; what did not happen has no answer.");
    if (auto ended = members.end(); !ended) return fail(std::move(ended.error()));
    return report;
}

std::optional<Digest> reported_in(std::string_view path) {
    if (!path.starts_with(kOperationsPrefix) || !path.ends_with(kEnd)) return std::nullopt;
    path.remove_prefix(kOperationsPrefix.size());
    if (path.size() < kEnd.size()) return std::nullopt;
    path.remove_suffix(kEnd.size());
    return record::identity_from(path);
}

CallbackPort::CallbackPort(Loop& loop, store::Records& records, std::vector<gateway::Home*> homes,
                           std::shared_ptr<const gateway::Routes> routes,
                           gateway::CallbackFigures& figures)
    : loop_(loop),
      records_(records),
      routes_(std::move(routes)),
      callbacks_(loop, records, std::move(homes), figures) {}

http::Plan CallbackPort::plan(const http::RequestHead& head) const {
    const auto refused = [&](const Error& error) -> http::Plan {
        callbacks_.figures().of(Heard::refused).add();
        return {http::to_response(error)};
    };
    const std::size_t bytes_max = report_bytes_max(*routes_);
    if (bytes_max == 0) return refused(no_reports());
    if (http::values_of(head.headers, caller::kSignatureHeader).size() != 1)
        return refused(
            {Code::caller_unknown,
             fmt::format("A report is signed, in one line {}.", caller::kSignatureHeader),
             {},
             {}});
    return {http::Whole{.body_bytes_max = bytes_max, .body_in_memory_max = http::kBodyInMemoryMax}};
}

Task<http::Response> CallbackPort::take(Digest identity, http::Request request) {
    const auto outcome = co_await hear(identity, std::move(request));
    if (outcome) co_return response_of(outcome->heard, outcome->report);
    const Code code = outcome.error().code;
    if (code != Code::unavailable && code != Code::unknown)
        callbacks_.figures().of(Heard::refused).add();
    co_return http::to_response(outcome.error());
}

Task<Result<CallbackPort::Outcome>> CallbackPort::hear(Digest identity, http::Request request) {
    const std::shared_ptr<const gateway::Routes> routes = routes_;
    auto stored = co_await records_.read(identity);
    if (!stored) co_return fail(std::move(stored.error()));
    if (!*stored) co_return fail(Code::not_found, "Nothing is recorded under this reference.");
    record::Row& row = (*stored)->row;
    const policy::CompiledRoute* named = routes->named(row.operation);
    if (named == nullptr || !named->route.uncertain.callback) co_return fail(no_reports());
    const auto body = http::WholeBody::of(request);
    if (!body) co_return fail(body.error());
    const auto is_signed = caller::check_report_signature(
        named->route.uncertain.callback->value,
        http::first_of(request.head.headers, caller::kSignatureHeader),
        record::reference_of(identity), body->view(), milliseconds_of(loop_.clock().wall()));
    if (!is_signed) co_return fail(is_signed.error());
    auto parsed = parse_report(body->view());
    if (!parsed) co_return fail(std::move(parsed.error()));
    auto heard = co_await callbacks_.take({routes, named}, std::move(row), *parsed);
    if (!heard) co_return fail(std::move(heard.error()));
    co_return Outcome{std::move(*parsed), std::move(*heard)};
}

}  // namespace pawl::api
