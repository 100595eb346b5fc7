// SPDX-License-Identifier: Apache-2.0
#include "surface/api/operation_view.hpp"

#include <fmt/format.h>

#include "core/key/identity.hpp"
#include "gateway/operation.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;
using record::Row;
using record::State;

std::string time_text(std::int64_t ms) { return to_rfc3339(wall_time(ms)); }

// Fences and boots pass 2^53: as strings, they reach every reader whole.
json::string number_text(std::uint64_t number) { return json::string(std::to_string(number)); }

json::value until_json(std::int64_t until_ms) {
    if (until_ms == record::kForever) return "forever";
    return json::string(time_text(until_ms));
}

std::string derived_key_of(const Row& row) {
    return to_hex(key::derived_key(row.identity, row.stamp ? row.stamp->canonical : "").view());
}

json::object settled_json(const record::Settled& settled) {
    json::object result{{"status", settled.status},
                        {"source", name_of(settled.source)},
                        {"fence", number_text(settled.fence.number)},
                        {"settled_at", time_text(settled.settled_ms)},
                        {"answer_sha256", to_hex(settled.answer_digest.view())}};
    if (settled.stamp) result["version"] = settled.stamp->canonical;
    return result;
}

json::object result_json(const record::Settled& settled, const record::Answer* answer) {
    json::object result = settled_json(settled);
    if (answer == nullptr) {
        result["kept"] = false;
        return result;
    }
    result["kept"] = true;
    result["kept_until"] = until_json(settled.result_until_ms);
    if (answer->body_kept) result["body_bytes"] = answer->body.size();
    for (const auto& [name, value] : answer->headers)
        if (equal_ignoring_case(name, "Location") || equal_ignoring_case(name, "Content-Location"))
            result["location"] = to_utf8(value);
    return result;
}

struct Line {
    std::int64_t at_ms = 0;
    json::object shown;
    std::size_t number = 0;  // lines of one time stay in the order in which they came
};

Line line(std::int64_t at_ms, std::string_view step, std::string_view outcome, record::Fence fence,
          std::string_view detail, std::uint32_t count, std::string_view source) {
    json::object shown{
        {"at", time_text(at_ms)}, {"step", to_utf8(step)}, {"outcome", to_utf8(outcome)}};
    if (fence.number != 0) shown["fence"] = number_text(fence.number);
    if (!detail.empty()) shown["detail"] = to_utf8(detail);
    if (count != 1) shown["count"] = count;
    shown["source"] = source;
    return {at_ms, std::move(shown), 0};
}

bool journal_has(const std::vector<store::TimelineEntry>& journal, std::string_view step,
                 record::Fence fence) {
    return std::ranges::any_of(journal, [&](const auto& entry) {
        return entry.step == step && (fence.number == 0 || entry.fence == fence);
    });
}

// The first claim leaves no line in the journal; later ones do, and of a newer version it is the first that the
// record still knows of.
bool journal_has_first_claim(const std::vector<store::TimelineEntry>& journal, const Row& row) {
    return row.stamp && std::ranges::any_of(journal, [](const auto& entry) {
               return entry.step == "claim" && entry.outcome == "superseded";
           });
}

// An attempt that ended without an answer has left its line; a process that ended has not.
constexpr std::int64_t kSameMomentMs = 1'000;
bool journal_tells_of_end(const std::vector<store::TimelineEntry>& journal, const Row& row) {
    return std::ranges::any_of(journal, [&row](const auto& entry) {
        return entry.step == "suspect" && entry.fence == row.fence &&
               std::abs(entry.at_ms - row.owner_gone_ms) <= kSameMomentMs;
    });
}

json::array timeline_json(const Row& row, const std::vector<store::TimelineEntry>& journal) {
    std::vector<Line> lines;
    if (row.created_ms != 0 && !journal_has_first_claim(journal, row))
        lines.push_back(line(row.created_ms, "claim", "acquired", {},
                             row.attempts > 1 ? "attempt 1" : fmt::format("by {}", row.owner.node),
                             1, "record"));
    // The process may go on: what is over is what it had under way for this operation.
    if (row.owner_gone_ms != 0 && !journal_tells_of_end(journal, row))
        lines.push_back(line(row.owner_gone_ms, "attempt", "over", row.fence,
                             fmt::format("{} waits for no answer to it", row.owner.node), 1,
                             "record"));
    if (row.settled && !journal_has(journal, "complete", row.settled->fence) &&
        !journal_has(journal, "settle", row.settled->fence))
        lines.push_back(line(
            row.settled->settled_ms, "complete", "stored", row.settled->fence,
            fmt::format("status {}, said by {}", row.settled->status, name_of(row.settled->source)),
            1, "record"));
    const bool in_between = record::is_unresolved(row.state) || row.state == State::freed;
    if (in_between && row.state != State::in_progress && row.changed_ms != 0)
        lines.push_back(
            line(row.changed_ms, "state", name_of(row.state), row.fence, "", 1, "record"));
    for (const store::TimelineEntry& entry : journal)
        lines.push_back(line(entry.at_ms, entry.step, entry.outcome, entry.fence, entry.detail,
                             entry.count, "journal"));
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].number = i;
    std::ranges::sort(lines, {}, [](const Line& one) { return std::pair{one.at_ms, one.number}; });
    json::array timeline;
    for (Line& one : lines) timeline.emplace_back(std::move(one.shown));
    return timeline;
}

json::object applied_step(const std::string& ref) {
    return {{"action", "resolve_applied"},
            {"allowed", true},
            {"command",
             fmt::format("pawl resolve {} --applied --status 201 --body FILE --reason TEXT", ref)},
            {"why",
             "when the effect is there; repeats are then answered with the status and body given, "
             "without them with 410"}};
}

json::object not_applied_step(const Row& row, const std::string& ref, std::int64_t now_ms) {
    json::object step{{"action", "resolve_not_applied"},
                      {"allowed", false},
                      {"command", fmt::format("pawl resolve {} --not-applied --reason TEXT", ref)}};
    if (row.owner_gone_ms == 0) {
        step["why"] = fmt::format(
            "not yet: {} made the attempt and is not proven gone; stop it, or end this with "
            "--force",
            row.owner.node);
        return step;
    }
    if (row.horizon_ms < 0) {
        step["why"] =
            "the route declares no effect_horizon, so it is not known how long the request may "
            "still land; "
            "declare one, or end this with --force";
        return step;
    }
    const std::int64_t from_ms = row.owner_gone_ms + row.horizon_ms;
    if (from_ms > now_ms) {
        step["from"] = time_text(from_ms);
        step["why"] =
            fmt::format("in {}: until then the request may still land (effect_horizon {})",
                        span_text(from_ms - now_ms), span_text(row.horizon_ms));
        return step;
    }
    step["allowed"] = true;
    step["why"] = "when there is no effect; the same key may then be sent again";
    return step;
}

}  // namespace

http::Problem problem_about(const record::Row& row, Code code, std::string detail) {
    http::Problem problem;
    problem.code = code;
    problem.detail = std::move(detail);
    problem.operation_ref = record::reference_of(row.identity);
    problem.members["state"] = name_of(row.state);
    problem.members["fence"] = std::to_string(row.fence.number);
    return problem;
}

std::string caller_tag(const record::CallerDigest& caller) {
    constexpr std::size_t kTagBytes = 4;
    return to_hex({reinterpret_cast<const char*>(caller.bytes.data()), kTagBytes});
}

std::string span_text(std::int64_t ms) {
    ms = std::max<std::int64_t>(ms, 0);
    if (ms < 1'000) return fmt::format("{} ms", ms);
    if (ms < 120'000) return fmt::format("{} s", ms / 1'000);
    if (ms < 7'200'000) return fmt::format("{} min", ms / 60'000);
    if (ms < 172'800'000) return fmt::format("{} h", ms / 3'600'000);
    return fmt::format("{} d", ms / 86'400'000);
}

namespace {

// What is left of a versioned key after its retention (core/record/judge_retention.cpp).
bool has_shrunk(const Row& row) {
    return row.state == State::freed && row.stamp && row.claim == record::ClaimId{};
}

// The answer is an error of the service's own, and it did not say to have applied the operation all the same.
bool is_error_answer(const Row& row, const std::vector<store::TimelineEntry>& journal) {
    return row.settled && row.settled->source == record::Source::owner &&
           row.settled->status >= 400 && std::ranges::none_of(journal, [&row](const auto& entry) {
               return entry.step == "complete" && entry.outcome == gateway::kDeclaredApplied &&
                      entry.fence == row.settled->fence;
           });
}

std::string meaning_of_error_answer(const Row& row, const std::string& since) {
    const int status = row.settled->status;
    const std::string_view who =
        status < 500 ? "refused by the service" : "ended by an error of the service";
    if (row.state == State::completed)
        return fmt::format("{} {} ago, answered {}; repeats are answered the same", who, since,
                           status);
    return fmt::format("{}, answered {}; this answer has not been kept for {}", who, status, since);
}

// A fact is acknowledged whatever becomes of it, and a 202 says that something waits: neither has taken effect by
// that. Empty: it is neither.
std::string_view after_acknowledging(const Row& row) {
    constexpr std::string_view kFacts = "callback ";
    constexpr std::string_view kFlows = "POST /v1/flows/";
    if (row.operation.starts_with(kFacts))
        return "the timeline of what it is about says what became of it";
    if (row.operation.starts_with(kFlows) && row.settled && row.settled->status == 202)
        return "it waits for what has to come first, or for a person: `pawl flow list FLOW "
               "--waiting` and `pawl attention list` show it";
    return {};
}

// Of what a person or a probe said it is known when they said so, not when it happened.
std::string meaning_of_settled(const Row& row, const std::string& since) {
    const int status = row.settled ? row.settled->status : 0;
    const auto source = row.settled ? row.settled->source : record::Source::owner;
    const bool by_owner = source == record::Source::owner;
    const std::string said =
        by_owner ? std::string() : fmt::format("a {} said so {} ago", name_of(source), since);
    if (const std::string_view then = after_acknowledging(row); by_owner && !then.empty())
        return row.state == State::completed
                   ? fmt::format("acknowledged {} ago, answered {}; {}", since, status, then)
                   : fmt::format("acknowledged; its answer has not been kept for {}; {}", since,
                                 then);
    if (row.state == State::completed)
        return by_owner ? fmt::format("took effect {} ago, answered {}", since, status)
                        : fmt::format("took effect: {}; repeats are answered {}", said, status);
    if (!by_owner && status == 0)
        return fmt::format("took effect: {}, without an answer for repeats", said);
    return fmt::format("took effect; its answer has not been kept for {}", since);
}

}  // namespace

std::string meaning_of(const Row& row, std::int64_t now_ms,
                       const std::vector<store::TimelineEntry>& journal) {
    const std::string since = span_text(now_ms - row.changed_ms);
    switch (row.state) {
        case State::absent:
            return "nothing is recorded any more; its timeline says why";
        case State::in_progress:
            if (now_ms >= row.lease_until_ms)
                return fmt::format(
                    "the attempt of {} has lost its lease; it is about to be uncertain",
                    row.owner.node);
            return fmt::format("running on {} for {}", row.owner.node,
                               span_text(now_ms - row.changed_ms));
        case State::open:
            return fmt::format("open for {}: a retry with the same key runs it again", since);
        case State::uncertain:
            return fmt::format(
                "uncertain for {}: the request may have taken effect, no answer is recorded",
                since);
        case State::completed:
        case State::tombstone:
            return is_error_answer(row, journal) ? meaning_of_error_answer(row, since)
                                                 : meaning_of_settled(row, since);
        case State::freed:
            if (has_shrunk(row))
                return fmt::format(
                    "its key's time ended {} ago; what is left is the version below which "
                    "requests are stale",
                    since);
            return fmt::format("did not take effect; the key was freed {} ago", since);
    }
    return {};
}

json::array next_steps(const Row& row, std::int64_t now_ms) {
    const std::string ref = record::reference_of(row.identity);
    json::array steps;
    switch (row.state) {
        case State::absent:
            break;
        case State::in_progress:
            steps.push_back(
                {{"action", "wait"},
                 {"allowed", true},
                 {"from", time_text(row.lease_until_ms)},
                 {"why", fmt::format("the lease of {} ends in {} unless it is renewed",
                                     row.owner.node, span_text(row.lease_until_ms - now_ms))}});
            break;
        case State::open:
        case State::uncertain:
            if (row.state == State::open)
                steps.push_back({{"action", "retry"},
                                 {"allowed", true},
                                 {"why", "the same again, with the same key"}});
            steps.push_back(
                {{"action", "look"},
                 {"allowed", true},
                 {"why",
                  fmt::format("look for the effect where it was to happen, under the operation key "
                              "(Pawl-Operation-Key) {}",
                              derived_key_of(row))}});
            steps.push_back(applied_step(ref));
            steps.push_back(not_applied_step(row, ref, now_ms));
            break;
        case State::completed:
        case State::tombstone:
            steps.push_back({{"action", "forget"},
                             {"allowed", true},
                             {"command", fmt::format("pawl forget {} --reason TEXT", ref)},
                             {"why",
                              "only when the same key shall run again: the next request with it is "
                              "a first one"}});
            break;
        case State::freed:
            steps.push_back({{"action", "retry"},
                             {"allowed", true},
                             {"why", "the same key may be sent again"}});
            break;
    }
    return steps;
}

json::object summary_json(const Row& row, std::int64_t now_ms) {
    json::object shown{{"operation_ref", record::reference_of(row.identity)},
                       {"state", name_of(row.state)},
                       {"meaning", meaning_of(row, now_ms)},
                       {"operation", to_utf8(row.operation)},
                       {"key", to_utf8(row.key_label)}};
    if (row.caller != record::CallerDigest{}) shown["caller"] = caller_tag(row.caller);
    if (!row.tenant.empty()) shown["tenant"] = to_utf8(row.tenant);
    if (!row.trace_id.empty()) shown["trace_id"] = to_utf8(row.trace_id);
    if (row.state == State::absent) return shown;
    shown["fence"] = number_text(row.fence.number);
    shown["attempts"] = row.attempts;
    shown["owner"] = to_utf8(row.owner.node);
    shown["created_at"] = time_text(row.created_ms);
    shown["changed_at"] = time_text(row.changed_ms);
    shown["age_seconds"] = std::max<std::int64_t>(now_ms - row.changed_ms, 0) / 1'000;
    if (row.forced) shown["forced"] = true;
    return shown;
}

json::object operation_json(const store::Stored& stored,
                            const std::vector<store::TimelineEntry>& journal, std::int64_t now_ms) {
    const Row& row = stored.row;
    json::object shown = summary_json(row, now_ms);
    shown["meaning"] = meaning_of(row, now_ms, journal);
    if (row.state == State::absent) {
        shown["next"] = next_steps(row, now_ms);
        shown["timeline"] = timeline_json(row, journal);
        return shown;
    }
    shown["owner_boot"] = number_text(row.owner.boot);
    shown["operation_key"] = derived_key_of(row);
    shown["fingerprint"] = to_hex(row.fingerprint.view());
    if (row.stamp) shown["version"] = row.stamp->canonical;
    if (row.state == State::in_progress) shown["lease_until"] = time_text(row.lease_until_ms);
    if (row.owner_gone_ms != 0) shown["owner_gone_at"] = time_text(row.owner_gone_ms);
    if (row.horizon_ms >= 0) shown["effect_horizon_ms"] = row.horizon_ms;
    shown["rerunnable"] = row.rerunnable;
    if (row.took_over) shown["took_over"] = true;
    if (row.settled)
        shown["result"] = result_json(*row.settled, stored.answer ? &*stored.answer : nullptr);
    if (row.beside) {
        // Kept, and back when the newer version proves not to have been applied.
        shown["replaced_result"] = settled_json(*row.beside);
        shown["replaced_result"].as_object()["kept_until"] =
            until_json(row.beside->result_until_ms);
    }
    if (!record::is_unresolved(row.state) && row.state != State::absent)
        shown["key_kept_until"] = until_json(row.key_until_ms);
    shown["next"] = next_steps(row, now_ms);
    shown["timeline"] = timeline_json(row, journal);
    return shown;
}

}  // namespace pawl::api
