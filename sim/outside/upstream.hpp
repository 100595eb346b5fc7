// SPDX-License-Identifier: Apache-2.0
// The service behind Pawl, as bad as real ones: it refuses, fails, and lies after it acted. It keeps its own
// ledger, and keeps the promises that its routes make: the derived key is honoured, a closed fence is
// refused, what is declared is true, a transactional 5xx was rolled back.
#pragma once

#include <functional>

#include "effect/effect.hpp"
#include "sim/history/ledger.hpp"
#include "sim/history/rare.hpp"
#include "sim/outside/dose.hpp"

namespace pawl::sim {

// A protected request as it arrives.
struct Arrival {
    Number exchange = 0;
    Number intent = 0;  // as the body says
    Number caller = 0;
    Promise promise = Promise::quiet;
    Digest operation_key;
    Digest identity;
    record::Fence fence;
    std::string version{};
};

// What it reports by itself about one attempt.
struct Reported {
    Digest identity;
    record::Fence fence;
    std::optional<record::Answer> answer;  // none: not applied, and closed
};

// A probe.
struct Question {
    Promise promise = Promise::quiet;
    bool closes = false;
    Digest operation_key;
    record::Fence fence;
};

struct Reaction {
    enum class Manner : std::uint8_t { answer, reset, silence, garbage };
    Manner manner = Manner::answer;
    record::Answer answer;
    std::optional<policy::Declared> declared;
    std::chrono::nanoseconds takes{};
};

class Upstream {
  public:
    Upstream(Chance chance, Book& book, Ledger& ledger, Rarities& rarities)
        : chance_(std::move(chance)), book_(book), ledger_(ledger), rarities_(rarities) {}

    void set_dose(const Dose& dose) { dose_ = dose; }
    // `applied` is set when this request had an effect.
    Reaction receive(Arrival arrival, MonotonicTime now, std::optional<Applied>& applied);
    Reaction asked(const Question& question);
    // Told each report as it leaves. How often and when it arrives is the network's doing.
    std::function<void(Reported)> on_report;
    // What a person sees who looks the operation up.
    bool took_effect(const Digest& operation_key, record::Fence fence) const;

  private:
    struct Operation {
        std::uint64_t closed_fence = 0;
        bool applied = false;
        std::uint64_t applied_fence = 0;  // of the last effect
        Number name = 0;
        Number intent = 0;
        Number caller = 0;
        Number remembered = 0;            // the answer that its repeats get
        std::optional<Reaction> refused;  // for good
    };

    Reaction decide(const Arrival& arrival, Operation& operation, MonotonicTime now,
                    std::optional<Applied>& applied);
    // As often as upstreams do: about what went well, too, and not about all that went wrong.
    void report(const Arrival& arrival, Operation& operation, bool took_effect);
    Reaction refuse(const Arrival& arrival, const Operation& operation, int status,
                    std::optional<policy::Declared> declared);
    Reaction fail(const Arrival& arrival, const Operation& operation);
    Reaction succeed(Operation& operation);
    Reaction lie(Promise promise, Operation& operation);
    Reaction say(Said words) { return reaction_of(ledger_.say(std::move(words))); }
    static Reaction reaction_of(const Said& said);
    std::string some_body();

    Chance chance_;
    Book& book_;
    Ledger& ledger_;
    Rarities& rarities_;
    Dose dose_;
    std::unordered_map<Digest, Operation, DigestHash> operations_;
};

}  // namespace pawl::sim
