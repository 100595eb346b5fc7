// SPDX-License-Identifier: Apache-2.0
// A person's word about an operation: it took effect, it did not, or its record shall be forgotten. The word
// is about the attempt whose fence is read first, goes through the home of the identity so that no cached
// answer outlives it, and leaves a line with reason and name in the operation's timeline, refused or not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/home.hpp"
#include "gateway/routes.hpp"
#include "net/http/message.hpp"

namespace pawl::api {

struct Word {
    Digest identity;
    std::string reason;
    std::string by;    // who says so, by their own account
    std::string from;  // where the word came from: the peer's address
};

struct ResolveWord {
    Word word;
    bool applied = false;
    bool force = false;                    // not applied: overrides owner and horizon
    std::optional<record::Answer> answer;  // applied: what repeats are answered
    // Not applied: how long before they said so they had looked. What was looked at before the effect horizon
    // passed may have landed since.
    std::chrono::milliseconds looked_ago{0};
};

// Shape: {"ref", "outcome": "applied" | "not_applied", "reason"} and optionally "by", "force", "status",
// "headers": [[name, value], ...] or {name: value}, "body" or "body_base64", "looked_ms_ago".
// Errors: request_invalid.
Result<ResolveWord> parse_resolve(std::string_view body);
// Shape: {"ref", "reason"} and optionally "by". Errors: request_invalid.
Result<Word> parse_forget(std::string_view body);

// Where a word is carried out. `here` is the loop of the one who asks.
struct Desk {
    Loop& here;
    store::Records& records;
    std::vector<gateway::Home*> homes;              // in the order of their seats
    std::shared_ptr<const gateway::Routes> routes;  // the present ones
    bool takes_word_at_once = false;                // --dev: no effect horizon
    // How long an answer waits for its line to be in the timeline.
    std::chrono::milliseconds note_patience{};
};

// 200 with what became of the record, or a problem that says what to do. `desk` outlives the task.
Task<http::Response> resolve(Desk& desk, ResolveWord asked);
Task<http::Response> forget(Desk& desk, Word asked);

}  // namespace pawl::api
