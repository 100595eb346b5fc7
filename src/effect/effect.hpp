// SPDX-License-Identifier: Apache-2.0
// What an attempt runs: a call to the upstream, a function of an embedding program, later a transition in
// the store's own transaction. Split in two so that the connection is there before the claim is bought, and
// is looked at again after it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/policy/outcome.hpp"
#include "core/record/row.hpp"
#include "runtime/clock/clock.hpp"
#include "runtime/result/result.hpp"
#include "runtime/task/byte_source.hpp"
#include "runtime/task/task.hpp"

namespace pawl::effect {

// What differs from attempt to attempt.
struct Dispatch {
    record::Fence fence;
    std::string operation_ref;
    Digest derived_key;     // equal for all attempts of one operation and stamp
    std::string version{};  // the stamp; empty: none
    std::string traceparent;
};

// The upstream's own word (header Pawl-Outcome), and how far an attempt came: the words of the outcome table.
using policy::Declared;
using Kind = policy::AnswerKind;

struct Found {
    Kind kind = Kind::no_answer;
    record::Answer answer;  // answered; all header lines as received
    std::optional<Declared> declared;
    Error error;  // not_sent, no_answer
    // answered: what of a long body is still to come after answer.body, which then has body_kept false.
    std::shared_ptr<ByteSource> rest = nullptr;
};

// One connection's worth: run once.
class Attempt {
  public:
    virtual ~Attempt() = default;
    // Looks at the connection again, right before the first byte.
    virtual bool ready() = 0;
    // Never throws, never cancelled from outside; ends by `give_up` at the latest.
    virtual Task<Found> run(Dispatch dispatch, MonotonicTime give_up) = 0;
    // While run() is under way: it ends soon, without an answer. What cannot be ended runs on.
    virtual void cut() {}
};

class Effect {
  public:
    virtual ~Effect() = default;
    // Errors: unavailable (nothing left). Called again when the first connection died before the first byte.
    virtual Task<Result<std::unique_ptr<Attempt>>> prepare(MonotonicTime deadline) = 0;
};

}  // namespace pawl::effect
