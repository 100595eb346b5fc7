// SPDX-License-Identifier: Apache-2.0
// The port to compensations that have begun (flow::SagaStart): each is one call that is made until it is known
// to have worked, or a person has to look. Begun in a commit of the port Flows, once per key.
//
//   state            | taken by a runner     | ends as
//   -----------------+-----------------------+------------------------------------------------
//   running          | next_ms written ahead | done, running again later, needs_attention
//   done             | -                     | -
//   needs_attention  | -                     | running, when a person sends it again; done, when skipped
#pragma once

#include "store/port/flows.hpp"

namespace pawl::store {

enum class SagaState : std::uint8_t { running, done, needs_attention };
std::string_view name_of(SagaState state);

struct SagaRow {
    std::uint64_t number = 0;   // rising in the order in which they began
    FlowSubject subject;        // by id: the entity whose history began it
    std::uint64_t version = 0;  // the row of that history
    flow::SagaStart start;
    SagaState state = SagaState::running;
    std::uint32_t tries = 0;
    std::int64_t next_ms = 0;  // store time when a runner looks next
    std::string
        said{};  // why its latest try failed, or who skipped it and why; done: what was answered; in our words
    record::ClaimId claim{};  // of the latest move
    bool is_damaged = false;  // it cannot be read: nothing but its number and its key is known
    bool operator==(const SagaRow&) const = default;
};

// What people look at.
struct SagasQuery {
    std::vector<Digest> keys{};  // those that began under one of them; empty: all that are not done
    std::uint64_t after = 0;     // of all: numbers above
    std::size_t limit = 100;     // of all
};

struct SagaRows {
    std::vector<SagaRow> rows;  // the earliest next_ms first
    std::int64_t now_ms = 0;    // store time of the reading
};

// One saga's next state. It is written only if the saga is as the mover read it: running or needs_attention
// with so many tries. Sent again after an unknown commit it finds its own by its claim: two runners that read
// the same tries have two claims, and one of them is told that the other was first.
struct SagaMove {
    std::uint64_t number = 0;
    std::uint32_t tries = 0;  // that it had
    SagaState to = SagaState::running;
    std::uint32_t tries_after = 0;
    std::int64_t pause_ms = 0;  // running: next_ms is the store's time and this
    std::string said{};
    record::ClaimId claim{};  // drawn anew for every move
};

class Sagas {
  public:
    virtual ~Sagas() = default;
    // Running ones whose next_ms is at most `until_ms`. Errors: unavailable.
    virtual Task<Result<SagaRows>> due_sagas(std::int64_t until_ms, std::size_t limit) = 0;
    // True: written, by this move now or before. False: somebody else was first, or it is done.
    // Errors: not_found; as Flows::commit. Durable: when it answers. Cancel: never.
    virtual Task<Result<bool>> move(SagaMove move) = 0;
    // In the order in which they began, numbers above `after`; `state` nullopt: all.
    virtual Task<Result<std::vector<SagaRow>>> sagas(std::optional<SagaState> state,
                                                     std::uint64_t after, std::size_t limit) = 0;
    // In the same order, and with those whose rows cannot be read.
    virtual Task<Result<std::vector<SagaRow>>> look_at_sagas(SagasQuery query) = 0;
};

}  // namespace pawl::store
