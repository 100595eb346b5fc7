// SPDX-License-Identifier: Apache-2.0
// Who asked for what, kept by the world and not by Pawl: the auditors judge against it. A name is what a
// client means by one operation; several intents under one name are the reuse of a key. An exchange is one
// request as it reaches a node; a copy made by the network is an exchange of its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "net/http/message.hpp"
#include "runtime/clock/clock.hpp"
#include "runtime/codec/digest.hpp"
#include "sim/history/rights.hpp"

namespace pawl::sim {

// What a route's upstream promises.
enum class Promise : std::uint8_t {
    quiet,          // an effect horizon, nothing else
    closing,        // a closing probe
    probed,         // a plain probe and an effect horizon
    rerunnable,     // the derived key is honoured
    transactional,  // every 5xx it answers was rolled back
    declaring,      // Pawl-Outcome
    natural,        // as quiet, and its clients send no key
    versioned,      // as rerunnable, and a request says which version of its operation it is
    silent,         // nothing at all: only a person can settle
    calling,  // reports outcomes by itself, refuses what it reported closed; an effect horizon
};
inline constexpr int kPromiseCount = 10;
// The route whose requests somebody is asked about, whatever else its upstream promises.
inline constexpr Promise kPermitted = Promise::declaring;
std::string_view name_of(Promise promise);

using Number = std::uint32_t;  // counted from 1 in each list; 0: none

struct Name {
    Number number = 0;
    Promise promise = Promise::quiet;
    Number caller = 0;
    std::string key;       // empty on natural routes
    bool excused = false;  // a person overrode the rules: what follows is that person's doing
};
struct Intent {
    Number number = 0;
    Number name = 0;
    std::string kept;  // the body's members, in two spellings of one value
    std::string turned;
    std::string stamp;     // the version that it is; empty: none
    Number operation = 0;  // name and version: what takes effect once
};
struct Exchange {
    Number number = 0;
    Number intent = 0;
    MonotonicTime sent_at{};
    bool acquired = false;  // its own claim was given
};

// Of two versions, as the digits that they are.
inline bool is_older(std::string_view a, std::string_view b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
}

class Book {
  public:
    Name& add_name(Promise promise, Number caller, std::string key);
    Intent& add_intent(Name& name, std::string stamp = {});
    // Another caller means the same by the same bytes.
    Intent& add_twin(Name& name, const Intent& intent);
    // What a caller means by a body that speaks of this intent; 0: nothing that was ever asked for.
    Number meant(Number written, Number caller) const;
    Exchange& add_exchange(Number intent, MonotonicTime sent_at);

    Name& name(Number number) { return names_[number - 1]; }
    Intent& intent(Number number) { return intents_[number - 1]; }
    Exchange& exchange(Number number) { return exchanges_[number - 1]; }
    Number operation_of(Number intent) const {
        return intent == 0 ? 0 : intents_[intent - 1].operation;
    }
    // Whether a newer version of its operation was ever meant.
    bool has_newer(Number intent) const;
    const std::vector<Name>& names() const { return names_; }
    const std::vector<Exchange>& exchanges() const { return exchanges_; }
    Name& name_of_exchange(Number number) { return name(intent(exchange(number).intent).name); }

    // Which name an identity is known by, learned from the claims that carry the exchange's trace.
    void learn(const Digest& identity, Number name) { identities_.emplace(identity, name); }
    Number known_as(const Digest& identity) const;

    Rights rights;

  private:
    std::vector<Name> names_;
    std::vector<Intent> intents_;
    std::vector<Exchange> exchanges_;
    Number operation_named(Number name, const std::string& stamp);
    std::unordered_map<std::uint64_t, Number> twins_;     // (intent as written, caller)
    std::unordered_map<std::string, Number> operations_;  // by name and version
    std::unordered_map<Number, std::string> newest_;      // by name
    std::unordered_map<Digest, Number, DigestHash> identities_;
};

std::string path_of(Promise promise);
std::string caller_name(Number caller);
// The request on the wire. Its trace id is the exchange's number.
http::Request request_of(const Name& name, const Intent& intent, Number exchange, bool turned);
// From a trace id of 32 hexadecimal digits, or from a traceparent; 0 when it is no exchange's.
Number exchange_in(std::string_view trace);

}  // namespace pawl::sim
