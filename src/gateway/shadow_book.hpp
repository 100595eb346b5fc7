// SPDX-License-Identifier: Apache-2.0
// What protecting a route would have done, counted from requests that were passed on unprotected. One book, on one
// loop; everybody else hands it notes. It keeps the last keys only, so that its counts of repeats are at least
// what they say, and says how many it has forgotten.
//
//   a request with                                      counts as
//   a key that was not seen, or was released            first
//   a key that took effect, and the same bytes          replay
//   the same key, and other bytes                       mismatch
//   a key whose first request ran at the same time      in_flight
//   a key whose first request got no certain answer     uncertain
//   no key, and all that tells requests apart equal     natural
//   within the window
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/policy/outcome.hpp"
#include "runtime/clock/clock.hpp"
#include "runtime/codec/digest.hpp"

namespace pawl::gateway {

enum class ShadowSeen : std::uint8_t {
    first,
    replay,
    mismatch,
    in_flight,
    uncertain,
    natural,
    key_missing,
    key_invalid,
    caller_unknown,
    not_judged  // body above body_bytes_max or cut, or a key inside it
};
inline constexpr int kShadowSeenCount = 10;
std::string_view name_of(ShadowSeen seen);

inline constexpr std::size_t kShadowKeysMax = 100'000;
inline constexpr std::size_t kShadowExamplesMax = 5;  // of each kind and route

// One request, when its answer has come.
struct ShadowNote {
    std::string route;
    std::string key_tag;  // a hash: the key itself is kept nowhere
    Digest identity;
    Digest fingerprint;
    ShadowSeen seen =
        ShadowSeen::first;  // another one than first: known from the head, nothing to compare
    std::chrono::milliseconds window{};  // above 0: a natural key
    policy::OutcomeClass outcome = policy::OutcomeClass::complete;
    MonotonicTime began{};
    MonotonicTime ended{};
};

struct ShadowRoute {
    std::array<std::uint64_t, kShadowSeenCount> counts{};
    std::array<std::vector<std::string>, kShadowSeenCount> examples;  // key tags, the newest last

    std::uint64_t of(ShadowSeen seen) const { return counts[static_cast<std::size_t>(seen)]; }
    std::uint64_t total() const;
};

class ShadowBook {
  public:
    explicit ShadowBook(std::size_t keys_max = kShadowKeysMax) : keys_max_(keys_max) {}

    ShadowSeen take(const ShadowNote& note);
    // Routes that are no shadows any more leave nothing behind.
    void keep_only(const std::vector<std::string>& routes);

    const std::map<std::string, ShadowRoute>& routes() const { return routes_; }
    std::size_t keys() const { return entries_.size(); }
    std::uint64_t keys_forgotten() const { return forgotten_; }

  private:
    struct Entry {
        Digest fingerprint;
        policy::OutcomeClass outcome = policy::OutcomeClass::complete;
        MonotonicTime began{};
        MonotonicTime ended{};
        std::list<Digest>::iterator age;
    };
    ShadowSeen compare(const ShadowNote& note);
    void remember(const ShadowNote& note);
    void drop(std::unordered_map<Digest, Entry, DigestHash>::iterator entry);

    std::size_t keys_max_;
    std::map<std::string, ShadowRoute> routes_;
    std::unordered_map<Digest, Entry, DigestHash> entries_;
    std::list<Digest> ages_;  // oldest first
    std::uint64_t forgotten_ = 0;
};

// A sentence: what would change if this route were protected.
std::string shadow_sentence(const ShadowRoute& route);

}  // namespace pawl::gateway
