// SPDX-License-Identifier: Apache-2.0
// One identity and all that happens around its record: attempts that stall, die and answer late, a network
// that loses and delays, an upstream that lies, probes, operators, a store whose answers get lost, leases
// and boots that end. The record itself is moved by record::judge and nothing else. Rows are interned and
// named by number; each new row has to come back from its stored bytes. Time stands still in the model: a
// lease ends, and the effect horizon passes, as steps of their own.
//
// Invariants (record.py of the design has the same): E1 one effect per operation and stamp; ORDER no older
// effect after a newer one; R1 one terminal answer; E3 completed implies an effect; E4 no acknowledged
// success lost; PROOF an owner that knows the effect happened is not turned away while its record is open;
// GHOST a claim that was given up is never held; R5 a refused call changes nothing.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/record/judge.hpp"
#include "record_scenario.hpp"

namespace pawl::model {

enum class Phase : std::uint8_t {
    fresh,        // not started, or told to come back later
    waiting,      // its claim is on the way to the store
    giving_up,    // says so until the store answers
    claimed,      // nothing sent
    sent,         // bytes have left
    applied,      // knows that it took effect
    not_applied,  // knows that it did not
    unknown,      // 500, reset, time-out
    dead,
    ended,
    given_up,  // the store has answered the withdrawal
};

enum class Reply : std::uint8_t { none, ok, not_applied, error };

struct Attempt {
    Phase phase = Phase::fresh;
    std::uint8_t fence = 0;
    Reply reply = Reply::none;  // of the upstream, not read yet
    std::uint8_t claims = 0;    // copies of its claim on the way to the store
    std::uint8_t claims_sent = 0;
};

// A probe or an operator: what it found out about which fence, until it settles.
// `looked_early`: the horizon has passed after it found nothing.
enum class Finding : std::uint8_t { idle, applied, not_applied, looked_early, done };
struct Witness {
    Finding finding = Finding::idle;
    std::uint8_t fence = 0;
};

struct Effect {
    std::uint8_t stamp = 0;
    std::uint8_t fence = 0;
};

struct WorldState {
    std::uint32_t row = 0;
    std::uint32_t answers = 0;  // bit stamp * 8 + result: told to a client as final
    Attempt attempts[kAttemptsMax];
    Witness witnesses[kWitnessesMax];
    Effect effects[kAttemptsMax];
    std::uint8_t effect_count = 0;
    std::uint8_t in_flight = 0;  // requests on their way to the upstream, a bit per attempt
    std::uint8_t gone = 0;       // attempts that had ended when their owners were proven gone
    std::uint8_t next = 1;
    std::uint8_t closed = 0;  // the upstream refuses fences up to here
    std::uint8_t broken = 0;  // invariants of steps: proof, unchanged
    std::uint8_t unused[1] = {};
};
static_assert(sizeof(WorldState) % 4 == 0 && std::has_unique_object_representations_v<WorldState>);

// As in Scenario::stamps.
std::uint8_t number_of(const std::optional<record::Stamp>& stamp);
bool had_effect(const WorldState& state, std::uint8_t stamp);

// In the order of record::Call.
enum class CallKind : std::uint8_t {
    claim,
    renew,
    complete,
    release,
    suspect,
    listen,  // suspects before it has stopped
    withdraw,
    settle,
    lapse,
    boot_ended
};

struct Step {
    std::string_view actor = {};
    int number = -1;
    std::string_view word = {};             // what happens; of a call, record::name_of(Call)
    std::string_view outcome = {};          // of a call, record::name_of(Outcome)
    std::optional<record::Call> call = {};  // kept only while a trace is replayed
    bool time_passes = false;               // until the lease or the horizon is over
    std::uint32_t row = 0;                  // after it
};

class RecordWorld {
  public:
    using State = WorldState;
    using Emit = std::function<void(const Step&, const State&)>;

    explicit RecordWorld(Scenario scenario);

    State initial() const { return {}; }
    void for_each_step(const State& state, const Emit& emit);
    std::uint32_t violations(const State& state) const;
    bool is_settled(const State& state) const;
    std::string text(const Step& step) const;
    std::string_view violation_text(int bit) const;

    const record::Row& row(std::uint32_t number) const { return rows_[number]; }
    // Steps carry their calls from now on.
    void keep_calls() { keep_calls_ = true; }
    // "claim uncertain -> uncertain" and so on: which cells of the table have been met.
    std::set<std::string> cells() const;
    // Rows that did not come back from their bytes.
    int rows_not_restored() const { return rows_not_restored_; }

  private:
    struct Judged {
        record::Outcome outcome = record::Outcome::unchanged;
        std::uint32_t before = 0;
        std::uint32_t row = 0;
        std::string_view word;
        bool fence_used = false;
        bool sound = true;  // a refusal changed nothing, and what changed was said to have changed
    };

    std::uint32_t intern(const record::Row& row);
    record::Call call_of(CallKind kind, int who, const State& state, record::Basis basis) const;
    Judged judge(const State& state, CallKind kind, int who,
                 record::Basis basis = record::Basis::seen);
    // Judges; `more` says what becomes of the rest of the world, and whether anything happened at all.
    void call(const State& state, const Emit& emit, CallKind kind, std::string_view actor, int who,
              const std::function<bool(State&, const Judged&)>& more,
              record::Basis basis = record::Basis::seen);

    void time_steps(const State& state, const Emit& emit);
    void claim_steps(const State& state, const Emit& emit, int who);
    void store_steps(const State& state, const Emit& emit, int who);
    void owner_steps(const State& state, const Emit& emit, int who);
    void word_steps(const State& state, const Emit& emit, int who);
    void upstream_steps(const State& state, const Emit& emit, int who);
    void witness_steps(const State& state, const Emit& emit, int who);
    void ask(const State& state, const Emit& emit, int who);
    void settle(const State& state, const Emit& emit, int who);
    bool answer_claim(State& after, const Judged& judged, int who) const;
    void answer_completion(State& after, const Judged& judged, int who) const;

    bool is_probe(int witness) const { return witness < scenario_.probes; }
    bool same_key(const State& state, int who) const;
    bool nothing_left(const State& state) const;
    int result_of(const record::Row& row) const;
    record::Answer answer_of(int result) const;
    std::uint32_t answer_bit(std::uint8_t stamp, int result) const {
        return 1U << (stamp * 8 + result);
    }

    Scenario scenario_;
    std::vector<record::Row> rows_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::unordered_map<std::uint64_t, Judged> verdicts_;
    std::vector<Digest> results_;
    int rows_not_restored_ = 0;
    bool keep_calls_ = false;
};

}  // namespace pawl::model
