// SPDX-License-Identifier: Apache-2.0
// Refusals as problem documents: what happened, who was first, and what the client may do next. The codes are
// those of core/flow/refusal.hpp; where the one table of errors has the same code, its title is shown.
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "engine/present.hpp"
#include "net/http/problem.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::engine {
namespace {

using namespace std::chrono_literals;
using flow::Reason;

struct Advice {
    Reason reason;
    std::string_view title;
    std::string_view remedy;
};
constexpr std::array<Advice, flow::kReasonCount> kAdvice{{
    {Reason::transition_refused, "The event is not possible in this state.",
     "Read the entity, and send what its state allows; the link names the flow's states."},
    {Reason::guard_refused, "A condition of the event is not met.",
     "Send values that meet it under a new key."},
    {Reason::amount_mismatch, "The amount is not the entity's.",
     "Send the entity's own amount and currency under a new key."},
    {Reason::field_invalid, "A field is missing or wrong.",
     "Correct the field and send the request again; nothing was kept under its key."},
    {Reason::out_of_stock, "There is not enough stock.",
     "Ask for less, or send it again under a new key when there is more."},
    {Reason::slot_taken, "Somebody else has the slot.", "Choose another one under a new key."},
    {Reason::business_key_taken, "Another entity has this name.",
     "Read that one, or create one of another name under a new key."},
    {Reason::duplicate_request, "This was sent before.",
     "Read the result of the first one; do not send it again."},
    {Reason::stale_version, "A newer version was accepted.",
     "Do not send the old one again; read what is there."},
    {Reason::version_invalid, "The version cannot be compared with the one before.",
     "Go on with the kind of versions that this event began with."},
    {Reason::version_conflict, "The entity has changed.",
     "Read it, and send the event with its present version."},
    {Reason::forbidden, "The request is not permitted.",
     "Send it as a caller whom the flow allows."},
    {Reason::not_found, "There is no such thing.", "The link names what the flow has."},
    {Reason::token_invalid, "The token does not belong to this.", "Scan again."},
    {Reason::token_expired, "The token is too old.", "Scan again."},
    {Reason::undecided, "Nobody could say yet whether it may be done.",
     "Nothing was changed. Send the same request again later."},
}};
consteval bool advice_in_order() {
    for (int i = 0; i < flow::kReasonCount; ++i)
        if (kAdvice[static_cast<std::size_t>(i)].reason != static_cast<Reason>(i)) return false;
    return true;
}
static_assert(advice_in_order(), "one row per reason, in the order of the enumeration");

constexpr std::chrono::seconds kUndecidedAgain{5};
constexpr std::chrono::seconds kContendedAgain{1};

const CodeRow* code_named(std::string_view name) {
    for (int i = 0; i < kCodeCount; ++i)
        if (row_of(static_cast<Code>(i)).name == name) return &row_of(static_cast<Code>(i));
    return nullptr;
}

// The table's code of this name, else a name of its own with a title of its own.
void name_problem(http::Problem& problem, std::string_view name, std::string_view title) {
    if (const CodeRow* row = code_named(name)) {
        problem.code = row->code;
        return;
    }
    problem.name = name;
    problem.members["title"] = title;
}

record::Answer answer_of(const http::Problem& problem) {
    http::Response response = http::to_response(problem);
    return {response.status, std::move(response.headers), std::move(response.body)};
}

void add_link(record::Answer& answer, const store::FlowSubject& subject) {
    answer.headers.emplace_back(
        "Link", fmt::format("</v1/flows/{}/states>; rel=\"describedby\"", subject.flow));
}

// Who was first is said of events of the same entity; whose a name or a slot is, is his own business.
void add_winner(http::Problem& problem, const flow::Refusal& refusal) {
    const flow::Holder& winner = *refusal.winner;
    boost::json::object shown{{"id", to_utf8(winner.id)}, {"version", winner.version}};
    if (winner.at_ms > 0) shown["at"] = to_rfc3339(wall_time(winner.at_ms));
    if (refusal.reason == Reason::transition_refused && !winner.by.empty())
        shown["by"] = to_utf8(winner.by);
    problem.members["winner"] = std::move(shown);
    if (refusal.reason == Reason::duplicate_request && winner.at_ms > 0)
        problem.first_seen_at = wall_time(winner.at_ms);
}

struct Said {
    Code code;
    std::string_view detail;
};
Said said_of(record::Outcome outcome) {
    using Verdict = record::Outcome;
    switch (outcome) {
        case Verdict::mismatch:
            return {Code::key_reused,
                    "Another request was sent under this key before. Send this "
                    "one under a key of its own."};
        case Verdict::other_rule:
            return {Code::rule_changed,
                    "The first request under this key was recorded under "
                    "another rule, so that nobody can say whether this is the "
                    "same. Nothing was executed."};
        case Verdict::stale:
            return {Code::stale_version, "A newer version of this request was accepted."};
        case Verdict::version_invalid:
            return {Code::version_invalid,
                    "Requests with and without a version, or with two kinds of versions, do not "
                    "meet under one key. Go on as the first one did."};
        case Verdict::limited:
            return {Code::limited,
                    "Too many requests of this caller or tenant are kept or not "
                    "settled. Nothing was executed; send it again later."};
        case Verdict::in_progress:
            return {Code::in_progress, "The first request under this key is still running."};
        case Verdict::uncertain:
            return {Code::uncertain,
                    "Nobody knows what became of the first request under this "
                    "key; a person has to settle it."};
        default:
            return {Code::result_expired,
                    "The request took effect before, and its result is no "
                    "longer kept. Read the entity; do not send it again "
                    "under a new key."};
    }
}

}  // namespace

record::Answer answer_of(const flow::Refusal& refusal, const store::FlowSubject& subject) {
    const flow::ReasonRow& row = flow::row_of(refusal.reason);
    const Advice& advice = kAdvice[std::to_underlying(refusal.reason)];
    http::Problem problem;
    name_problem(problem, row.name, advice.title);
    problem.status = row.http_status;
    problem.detail = refusal.text.empty() ? std::string(advice.remedy)
                                          : fmt::format("{}. {}", refusal.text, advice.remedy);
    if (!problem.detail.empty())
        problem.detail[0] = static_cast<char>(std::toupper(problem.detail[0]));
    problem.retryable = !row.stored && refusal.reason == Reason::undecided;
    if (refusal.reason == Reason::undecided) problem.retry_after = kUndecidedAgain;
    problem.members["flow"] = subject.flow;
    const bool has_entity = refusal.judged_on > 0 && !subject.id.empty();
    if (has_entity) {
        problem.members["id"] = to_utf8(subject.id);
        problem.members["state"] = refusal.state;
        problem.members["version"] = refusal.judged_on;
    }
    if (refusal.winner) add_winner(problem, refusal);
    record::Answer answer = answer_of(problem);
    add_link(answer, subject);
    if (has_entity) {
        answer.headers.emplace_back("Content-Location", path_of(subject));
        answer.headers.emplace_back("ETag", fmt::format("\"{}\"", refusal.judged_on));
    }
    const bool is_elsewhere =
        refusal.reason == Reason::business_key_taken || refusal.reason == Reason::duplicate_request;
    if (is_elsewhere && refusal.winner)
        answer.headers.emplace_back(
            "Location", path_of({subject.tenant, subject.flow, refusal.winner->id, {}}));
    return answer;
}

record::Answer answer_contended(const store::FlowSubject& subject) {
    http::Problem problem;
    name_problem(problem, "contended", "Too many events came to this entity at once.");
    problem.status = 409;
    problem.retryable = true;
    problem.retry_after = kContendedAgain;
    problem.detail =
        "Others were first each time. Nothing was changed, and nothing is kept under the key: send "
        "the same request again.";
    problem.members["flow"] = subject.flow;
    if (!subject.id.empty()) problem.members["id"] = to_utf8(subject.id);
    record::Answer answer = answer_of(problem);
    add_link(answer, subject);
    return answer;
}

record::Answer answer_duplicate(const record::Row& row,
                                const std::optional<record::Answer>& first) {
    http::Problem problem;
    problem.code = Code::duplicate_request;
    problem.detail =
        "This request took effect before, and the flow does not answer it again. Read "
        "the entity instead.";
    problem.operation_ref = record::reference_of(row.identity);
    if (row.created_ms > 0) problem.first_seen_at = wall_time(row.created_ms);
    problem.safe_new_key = false;
    record::Answer answer = answer_of(problem);
    if (!first) return answer;
    for (const std::string_view name : {"Location", "Content-Location"})
        if (const auto path = http::first_of(first->headers, name); !path.empty()) {
            answer.headers.emplace_back("Location", path);
            break;
        }
    return answer;
}

record::Answer answer_recorded(const record::Verdict& verdict) {
    const Said said = said_of(verdict.outcome);
    http::Problem problem;
    problem.code = said.code;
    problem.detail = said.detail;
    // A reference that nobody finds anything under helps nobody.
    if (verdict.outcome != record::Outcome::limited) {
        problem.operation_ref = record::reference_of(verdict.row.identity);
        if (verdict.row.created_ms > 0) problem.first_seen_at = wall_time(verdict.row.created_ms);
    }
    if (row_of(said.code).retryable) problem.retry_after = kContendedAgain;
    return answer_of(problem);
}

record::Answer answer_out_of_stock(const store::StockChange& change) {
    http::Problem problem;
    name_problem(problem, "out_of_stock", "There is not enough stock.");
    problem.status = 409;
    problem.detail =
        "There would be fewer than are reserved and sold. Nothing was changed, and "
        "nothing is kept under the key.";
    problem.members["sku"] = to_utf8(change.sku.code);
    return answer_of(problem);
}

}  // namespace pawl::engine
