// SPDX-License-Identifier: Apache-2.0
// Whether a request may be carried out, asked of the endpoint that its route names (`authorize:`), before any
// look-up and replays included (invariants A1 and A2). A permission is good for what was asked and for nothing
// else: its name is a digest of every byte of the question. It counts from the moment of the question, so that none
// outlives the loss of the right by more than kPermissionAgeMax.
//
//   answer of the endpoint               the request
//   2xx                                  is carried out; with `caller_header`, in the name that it says
//   401, 403                             is refused with that status and its WWW-Authenticate
//   anything else, nothing, no caller    is refused with 503: nothing is executed
//
// Only permissions are remembered, refusals are not: a right that was just given counts at once.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/policy/route.hpp"
#include "gateway/asker.hpp"
#include "gateway/who.hpp"
#include "runtime/codec/digest.hpp"
#include "runtime/plant/planted.hpp"
#include "runtime/task/group.hpp"
#include "runtime/task/promise.hpp"

namespace pawl::gateway {

inline constexpr std::size_t kPermissionsMax = 10'000;  // remembered, per loop

struct Permit {
    enum class Word : std::uint8_t { allowed, unauthenticated, forbidden, unavailable };
    Word word = Word::unavailable;
    std::string caller;                   // allowed: who calls, where the endpoint says so
    std::vector<std::string> challenges;  // unauthenticated, forbidden: its WWW-Authenticate lines
    MonotonicTime asked_at{};
    Error error;  // of a refusal

    // Until when the request that asked may rely on it.
    MonotonicTime good_until() const {
        return is_planted(Plant::permission_kept) ? kNever : asked_at + policy::kPermissionAgeMax;
    }
};

// One question.
struct Question {
    Digest name;
    http::Target target;
    http::RequestHead head;
    std::string caller_header;
    std::chrono::milliseconds cache{};
    std::chrono::milliseconds timeout{};
};
// Precondition of both: the route has `authorize`.
Digest question_name(const policy::Route& route, const http::RequestHead& head,
                     const http::Peer& peer, const Who& who);
Question question_of(const policy::Route& route, const http::RequestHead& head,
                     const http::Peer& peer, const Who& who);

// The request's lines as they go on: nobody but the endpoint names the caller in its header, and no second spelling
// of what it judged by (`X_Session`) goes past it. `caller`: as it said.
void mark_permitted(const policy::AuthorizeRule& rule, const std::string& caller,
                    http::Headers& headers);

class Permissions {
  public:
    // `asker` outlives it; null where no route asks.
    Permissions(Loop& loop, Asker* asker) : loop_(loop), asker_(asker), group_(loop) {}

    // A permission that was given not long ago. The pointer is good until the next call.
    const Permit* recall(const Digest& name);
    // Asks, or waits with those who ask the same. Never unanswered for longer than the question's time-out.
    Task<std::shared_ptr<const Permit>> ask(Question question);
    // The rules have changed: what was permitted under the old ones is forgotten.
    void forget();

    std::size_t remembered() const { return given_.size(); }

  private:
    using Shared = std::shared_ptr<const Permit>;  // one answer for all who asked the same
    struct Asked {
        Promise<Shared> answer;
        MonotonicTime at;
    };

    Task<Shared> ask_once(Question question);
    Task<void> carry_out(Question question, MonotonicTime asked_at, std::uint64_t rules,
                         Promise<Shared> answer);
    void remember(const Digest& name, Shared permit, MonotonicTime until);

    struct Given {
        Shared permit;
        MonotonicTime until;
    };

    Loop& loop_;
    Asker* asker_;
    std::uint64_t rules_ = 0;
    std::unordered_map<Digest, Given, DigestHash> given_;
    std::deque<Digest> order_;  // of given_, the oldest in front; may name what is gone
    std::unordered_map<Digest, Asked, DigestHash> asked_;
    TaskGroup group_;
};

}  // namespace pawl::gateway
