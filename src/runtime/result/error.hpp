// SPDX-License-Identifier: Apache-2.0
// The one table of what can go wrong. A code exists because some caller reacts to it; each maps to an
// HTTP status, an exit code of the CLI and to what the caller may do next. `unknown` is the third
// outcome of a mutating call: it may have happened, so it is settled by sending the same call again,
// never by treating it as not done (FoundationDB calls it commit_unknown_result).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pawl {

enum class Code : std::uint8_t {
    // the client's request
    key_missing,
    key_invalid,
    caller_unknown,
    forbidden,
    body_too_large,
    request_invalid,
    version_invalid,
    not_found,
    // the record
    key_reused,
    in_progress,
    rule_changed,
    stale_version,
    uncertain,
    result_expired,
    key_too_old,
    duplicate_request,
    transition_refused,
    version_conflict,
    limited,
    // settling by hand
    conflict,
    owner_alive,
    too_early,
    // the surroundings
    unavailable,  // not applied: nothing was executed
    unknown,      // may have been applied
    deadline,     // ran out of time before anything left
    canceled,
    // start-up and configuration
    config_invalid,
    store_locked,
    store_readonly,
    store_full,
    store_corrupt,
    store_newer,
    store_weak,
    internal,
};

inline constexpr int kCodeCount = static_cast<int>(Code::internal) + 1;

struct CodeRow {
    Code code;
    std::string_view name;  // as on the wire and in metrics
    int http_status;
    int exit_code;
    bool retryable;          // the same request with the same key may be sent again
    std::string_view title;  // one sentence, safe to show
};

// Total: every Code has its row.
const CodeRow& row_of(Code code);
std::string_view name_of(Code code);

// Shape: `text` is ours and may be shown to a client; `cause` is the other side's words (driver,
// upstream, kernel) and goes to logs only; `place` names the operation that failed.
struct Error {
    Code code = Code::internal;
    std::string text;
    std::string cause;
    std::string place;
};

// For logs: code, place, text and cause in one line.
std::string describe(const Error& error);

}  // namespace pawl
