// SPDX-License-Identifier: Apache-2.0
#include "runtime/result/error.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "runtime/result/assert.hpp"

namespace pawl {
namespace {

// exit codes: 1 failed, 2 bad input, 3 refused by the state of things, 4 unavailable, 5 store unusable
constexpr std::array<CodeRow, kCodeCount> kRows{{
    {Code::key_missing, "key_missing", 400, 2, false, "This operation needs an idempotency key."},
    {Code::key_invalid, "key_invalid", 400, 2, false, "The idempotency key is malformed."},
    {Code::caller_unknown, "caller_unknown", 401, 2, false, "The caller could not be identified."},
    {Code::forbidden, "forbidden", 403, 2, false, "The caller may not do this."},
    {Code::body_too_large, "body_too_large", 413, 2, false,
     "The request body is larger than this route takes."},
    {Code::request_invalid, "request_invalid", 400, 2, false, "The request is malformed."},
    {Code::version_invalid, "version_invalid", 400, 2, false,
     "The version stamp is malformed or out of place."},
    {Code::not_found, "not_found", 404, 3, false, "There is nothing under this name."},
    {Code::key_reused, "key_reused", 422, 3, false,
     "This key was used before with another request."},
    {Code::in_progress, "in_progress", 409, 3, true,
     "The first request of this operation is still running."},
    {Code::rule_changed, "rule_changed", 409, 3, false,
     "This key was recorded under a fingerprint rule no longer known."},
    {Code::stale_version, "stale_version", 409, 3, false,
     "A newer version of this operation was accepted already."},
    {Code::uncertain, "uncertain", 409, 3, true, "The outcome of this operation is not known yet."},
    {Code::result_expired, "result_expired", 410, 3, false,
     "The operation took effect; there is no answer to repeat."},
    {Code::key_too_old, "key_too_old", 412, 3, false,
     "This key is older than keys are remembered."},
    {Code::duplicate_request, "duplicate_request", 409, 3, false,
     "This request was accepted before."},
    {Code::transition_refused, "transition_refused", 409, 3, false,
     "The state does not allow this event."},
    {Code::version_conflict, "version_conflict", 412, 3, false, "The entity has another version."},
    {Code::limited, "limited", 429, 4, true, "A limit is reached; try again later."},
    {Code::conflict, "conflict", 409, 3, false,
     "The record is not in the state that this call speaks about."},
    {Code::owner_alive, "owner_alive", 409, 3, true, "The attempt may still be running."},
    {Code::too_early, "too_early", 409, 3, true,
     "The attempt's request may still land at the upstream."},
    {Code::unavailable, "unavailable", 503, 4, true, "Not available; nothing was executed."},
    {Code::unknown, "unknown", 503, 4, true, "It is not known whether the call took effect."},
    {Code::deadline, "deadline", 503, 4, true, "Out of time before anything was sent."},
    {Code::canceled, "canceled", 503, 4, true, "Stopped before anything was sent."},
    {Code::config_invalid, "config_invalid", 500, 2, false, "The configuration is invalid."},
    {Code::store_locked, "store_locked", 503, 5, false, "The store is in use by another process."},
    {Code::store_readonly, "store_readonly", 503, 5, false, "The store cannot be written."},
    {Code::store_full, "store_full", 503, 5, true, "The store has no room left."},
    {Code::store_corrupt, "store_corrupt", 503, 5, false, "The store is damaged."},
    {Code::store_newer, "store_newer", 503, 5, false, "The store was written by a newer version."},
    {Code::store_weak, "store_weak", 503, 5, false,
     "The store does not promise what this configuration needs."},
    {Code::internal, "internal", 500, 1, false, "An internal error."},
}};

consteval bool rows_in_order() {
    for (int i = 0; i < kCodeCount; ++i)
        if (kRows[static_cast<std::size_t>(i)].code != static_cast<Code>(i)) return false;
    return true;
}
static_assert(rows_in_order(), "one row per code, in the order of the enumeration");

}  // namespace

const CodeRow& row_of(Code code) { return kRows[static_cast<std::size_t>(code)]; }

std::string_view name_of(Code code) { return row_of(code).name; }

std::string describe(const Error& error) {
    return fmt::format("{}{}{}: {}{}{}{}", name_of(error.code), error.place.empty() ? "" : " at ",
                       error.place, error.text, error.cause.empty() ? "" : " (", error.cause,
                       error.cause.empty() ? "" : ")");
}

void assertion_failed(const char* expression, const char* file, int line) {
    std::fprintf(stderr, "pawl: assertion failed: %s at %s:%d\n", expression, file, line);
    std::abort();
}

}  // namespace pawl
