// SPDX-License-Identifier: Apache-2.0
#include "gateway/reply.hpp"

#include <fmt/format.h>

#include "core/policy/profile.hpp"
#include "gateway/dialect.hpp"
#include "net/http/forwarding.hpp"
#include "net/http/problem.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::gateway {
namespace {

using namespace std::chrono_literals;

// The first caller gets what the upstream said: every line in order, but those of the connection.
// What only Pawl says, and only of a replay, does not pass from an upstream.
http::Response relayed(const Ended& ended, const Asked& asked) {
    const record::Answer& answer = *ended.answer;
    http::Response response;
    response.rest = ended.rest;
    response.status = answer.status;
    response.headers = answer.headers;
    http::remove_hop_by_hop(response.headers);
    http::remove_all(response.headers, "Content-Length");
    http::remove_all(response.headers, asked.route->replay_header);
    http::remove_all(response.headers, "Pawl-Result-Source");
    response.body = answer.body;
    return response;
}

Reply problem(const Ended& ended, const Asked& asked, Seen seen, http::Problem document) {
    // A reference that nobody finds anything under helps nobody.
    if (!ended.unrecorded) document.operation_ref = record::reference_of(asked.identity);
    if (ended.first_seen_ms > 0) document.first_seen_at = wall_time(ended.first_seen_ms);
    Reply reply;
    reply.seen = seen;
    reply.problem = true;
    reply.code = document.code;
    reply.response = in_dialect(policy::profile_row(asked.route->profile).dialect, document);
    return reply;
}

// Settled for good: what the key named has ended, another key cannot repeat something that is under way.
bool is_settled(record::State state) {
    return state == record::State::completed || state == record::State::tombstone ||
           state == record::State::freed;
}

// What ends an operation that nobody knows the end of.
void add_how_to_resolve(http::Problem& document, const Ended& ended, const Asked& asked) {
    const std::string reference = record::reference_of(asked.identity);
    const std::string_view with_key = asked.key_line.empty() ? "" : " with the same key";
    const std::string evidence =
        fmt::format("a late answer, {}or an operator's word about {} (see `resolve`).",
                    asked.has_closing_probe ? "the closing probe of this route, " : "", reference);
    // The service knows the operation again by its key, so that the retry itself finds out.
    document.detail +=
        ended.state == record::State::open
            ? fmt::format(
                  "Send the same request{} again: the service remembers the operation, and "
                  "its answer to the retry settles it. So does {}",
                  with_key, evidence)
            : fmt::format("It ends by evidence: {} Sending the same request{} again is safe.",
                          evidence, with_key);
    // Lines that a shell takes as they stand, once FILE and the reason are written.
    document.members["resolve"] = boost::json::object{
        {"applied",
         fmt::format("pawl resolve {} --applied --status 201 --body FILE --reason 'seen in ...'",
                     reference)},
        {"not_applied",
         fmt::format("pawl resolve {} --not-applied --reason 'not found in ...'", reference)}};
}

Reply first(const Ended& ended, const Asked& asked) {
    Reply reply;
    reply.response = relayed(ended, asked);
    reply.seen = ended.verdict == Verdict::released ? Seen::released : Seen::first;
    return reply;
}

// The route answers no repeat: the client is told that there was a first one, and where its result is.
Reply duplicate(const Ended& ended, const Asked& asked) {
    http::Problem document;
    document.code = Code::duplicate_request;
    document.detail =
        "This request was sent before and took effect once; this route does not answer repeats "
        "again. "
        "Read the result from the service itself.";
    document.safe_new_key = false;
    Reply reply =
        problem(ended, asked, ended.waited ? Seen::waited : Seen::replay, std::move(document));
    if (const auto location = http::first_of(ended.answer->headers, "Location"); !location.empty())
        reply.response.headers.emplace_back("Location", location);
    return reply;
}

Reply replayed(const Ended& ended, const Asked& asked) {
    if (asked.route->on_repeat == policy::OnRepeat::refuse) return duplicate(ended, asked);
    if (!ended.answer->body_kept) {
        http::Problem document;
        document.code = Code::result_expired;
        document.detail = fmt::format(
            "The operation took effect and was answered {}; its answer was too large to be kept "
            "for repeats. "
            "Read the result from the service itself.",
            ended.answer->status);
        document.safe_new_key = false;
        document.members["original_status"] = ended.answer->status;
        Reply reply = problem(ended, asked, Seen::expired, std::move(document));
        if (const auto location = http::first_of(ended.answer->headers, "Location");
            !location.empty())
            reply.response.headers.emplace_back("Location", location);
        return reply;
    }
    Reply reply;
    reply.seen = ended.waited ? Seen::waited : Seen::replay;
    reply.response.status = ended.answer->status;
    reply.response.headers = ended.answer->headers;
    reply.response.body = ended.answer->body;
    if (!is_planted(Plant::replay_unmarked))
        reply.response.headers.emplace_back(asked.route->replay_header, "true");
    if (!asked.key_line.empty())
        reply.response.headers.emplace_back(asked.key_header, asked.key_line);
    if (ended.settled && ended.settled->source != record::Source::owner)
        reply.response.headers.emplace_back("Pawl-Result-Source",
                                            record::name_of(ended.settled->source));
    return reply;
}

Reply uncertain(const Ended& ended, const Asked& asked) {
    if (ended.own && ended.answer) {
        Reply reply;
        reply.seen = Seen::uncertain;
        reply.response = relayed(ended, asked);
        http::remove_all(reply.response.headers, "Pawl-Outcome");
        http::remove_all(reply.response.headers, "Pawl-Operation");
        if (is_planted(Plant::doubt_unmarked)) return reply;
        reply.response.headers.emplace_back("Pawl-Outcome", "unknown");
        reply.response.headers.emplace_back("Pawl-Operation", record::reference_of(asked.identity));
        return reply;
    }
    http::Problem document;
    document.code = Code::uncertain;
    document.safe_new_key = false;
    document.retry_after = 5s;
    if (ended.own) {
        document.status = 502;
        document.detail =
            "The upstream gave no readable answer, so it is not known whether the operation took "
            "effect. ";
    } else {
        document.detail = "An earlier attempt may have taken effect and its outcome is not known. ";
    }
    add_how_to_resolve(document, ended, asked);
    return problem(ended, asked, Seen::uncertain, std::move(document));
}

Reply in_progress(const Ended& ended, const Asked& asked) {
    http::Problem document;
    document.code = Code::in_progress;
    document.status = asked.route->in_progress_status;
    if (ended.other_version) {
        document.detail =
            "Another version of this operation is being executed. Send the same request again "
            "after "
            "Retry-After; it is judged by what came of that one.";
        document.retry_after = 1s;
        document.safe_new_key = false;
        return problem(ended, asked, Seen::in_progress, std::move(document));
    }
    const std::string_view which = ended.own ? "Your request is still running."
                                   : asked.key_line.empty()
                                       ? "An equal request is still running."
                                       : "The first request with this key is still running.";
    document.detail = fmt::format(
        "{} Send the same request again after Retry-After; it is answered with {} result.", which,
        ended.own ? "this one's" : "the first one's");
    document.retry_after = 1s;
    document.safe_new_key = false;
    return problem(ended, asked, Seen::in_progress, std::move(document));
}

// 422, not 409: the key is fine and its record is fine, but this is another request.
Reply mismatch(const Ended& ended, const Asked& asked) {
    const bool settled = is_settled(ended.state);
    http::Problem document;
    document.code = Code::key_reused;
    document.detail = settled
                          ? "This key was used before with another method, path or body; nothing "
                            "was executed. Use a new key for a "
                            "new operation, or send the first request unchanged to get its answer."
                          : "This key belongs to another request that may still take effect; "
                            "nothing was executed. Wait for that "
                            "one to end before using a new key for the same business operation.";
    document.safe_new_key = settled;
    document.members["differs"] = "fingerprint of method, path and body";
    return problem(ended, asked, Seen::mismatch, std::move(document));
}

Reply by_code(const Ended& ended, const Asked& asked, Seen seen, Code code, std::string detail) {
    http::Problem document;
    document.code = code;
    document.detail = std::move(detail);
    if (row_of(code).retryable) document.retry_after = 1s;
    // What took effect is not to be sent under a new key, however settled it is.
    if (ended.verdict != Verdict::unavailable)
        document.safe_new_key = is_settled(ended.state) && ended.verdict != Verdict::expired &&
                                ended.verdict != Verdict::rule_changed;
    return problem(ended, asked, seen, std::move(document));
}

std::string_view why_without_answer(const Ended& ended) {
    const bool never_given = ended.settled && ended.settled->status == 0;
    if (never_given && ended.settled->source == record::Source::person)
        return "The operation took effect: a person said so and gave no answer to repeat.";
    if (never_given) return "The operation took effect; no answer to repeat is known.";
    return "The operation took effect; its answer is no longer kept.";
}

// A refusal whose time is over. The record does not say whether the service declared it applied all the
// same, so nothing is promised of a new key.
std::string expired_refusal(int status) {
    return fmt::format(
        "The service answered this operation {}; that answer is no longer kept, and the operation "
        "is "
        "not run again under its key. See at the service what came of it before you send it under "
        "a "
        "new key.",
        status);
}

Reply limited(const Ended& ended, const Asked& asked) {
    http::Problem document;
    document.code = Code::limited;
    const bool too_many_waiters = ended.error.text.empty();
    document.detail =
        too_many_waiters
            ? "Too many requests are waiting for this operation. Send it again after Retry-After."
            : ended.error.text;
    // Unresolved records are settled by probes and by people.
    document.retry_after = too_many_waiters ? 1s : 30s;
    document.safe_new_key = false;
    return problem(ended, asked, Seen::refused, std::move(document));
}

}  // namespace

Reply reply_to(const Ended& ended, const Asked& asked) {
    switch (ended.verdict) {
        case Verdict::first:
        case Verdict::released:
            return first(ended, asked);
        case Verdict::replayed:
            return replayed(ended, asked);
        case Verdict::uncertain:
            return uncertain(ended, asked);
        case Verdict::in_progress:
            return in_progress(ended, asked);
        case Verdict::mismatch:
            return mismatch(ended, asked);
        case Verdict::unavailable:
            return by_code(ended, asked, Seen::error, Code::unavailable,
                           (ended.error.text.empty() ? std::string(row_of(Code::unavailable).title)
                                                     : ended.error.text) +
                               " Send the same request with the same key again.");
        case Verdict::rule_changed:
            return by_code(ended, asked, Seen::mismatch, Code::rule_changed,
                           "This key was recorded under a fingerprint rule that is no longer "
                           "configured, so the "
                           "requests cannot be compared. Restore the rule, or read the result from "
                           "the service.");
        case Verdict::stale:
            return by_code(
                ended, asked, Seen::stale, Code::stale_version,
                "A newer version of this operation has been accepted, so this one is out "
                "of date and changes nothing. Read the present state from the service "
                "before you correct it again.");
        case Verdict::expired:
            if (ended.settled && ended.settled->status / 100 == 4)
                return by_code(ended, asked, Seen::expired, Code::result_expired,
                               expired_refusal(ended.settled->status));
            return by_code(ended, asked, Seen::expired, Code::result_expired,
                           std::string(why_without_answer(ended)) +
                               " Read the result from the service itself; do not send the "
                               "operation again under a "
                               "new key.");
        case Verdict::version_invalid:
            return by_code(ended, asked, Seen::refused, Code::version_invalid,
                           "The requests of one key all say their version, and all as a number or "
                           "all as a time, "
                           "or none does. Send it as the first one did.");
        case Verdict::limited:
            return limited(ended, asked);
    }
    return refuse({Code::internal, std::string(row_of(Code::internal).title), {}, {}},
                  *asked.route);
}

Reply refuse(const Error& error, const policy::Route& route,
             const std::vector<std::string>& challenges) {
    Reply reply;
    reply.seen = row_of(error.code).http_status >= 500 ? Seen::error : Seen::refused;
    reply.problem = true;
    reply.code = error.code;
    http::Problem document;
    document.code = error.code;
    document.detail = error.text;
    if (row_of(error.code).retryable) document.retry_after = 1s;
    reply.response = in_dialect(policy::profile_row(route.profile).dialect, document);
    for (const std::string& challenge : challenges)
        reply.response.headers.emplace_back("WWW-Authenticate", challenge);
    return reply;
}

}  // namespace pawl::gateway
