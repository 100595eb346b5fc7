// SPDX-License-Identifier: Apache-2.0
// The port to outgoing events. A row of history that has a type is an outgoing event, written with its
// transition; what was sent is known per sink. Rows are taken by what has not been sent, never by a position
// that might pass one by; a later row of an entity is not given out before the earlier ones were sent. One
// relay per sink: what was given out and not reported is given out again.
#pragma once

#include <algorithm>

#include "store/port/flows.hpp"

namespace pawl::store {

struct OutboxRow {
    std::uint64_t number = 0;  // of the store; rising with the commits that one writer makes
    FlowSubject subject;       // by id
    flow::History history;     // its version is the number within the entity
    std::uint32_t tries = 0;
};

// What became of one row at one sink.
struct Delivery {
    enum class Kind : std::uint8_t { sent, again, parked };
    std::uint64_t number = 0;
    Kind kind = Kind::sent;
    std::int64_t pause_ms = 0;  // again: not before the store's time and this
    std::uint32_t tries = 0;    // again, parked: how many there were
    std::string said{};         // parked: why, in our words
};

struct ParkedRow {
    OutboxRow row;
    std::string said;
};

// How far the figures count.
inline constexpr std::size_t kUnsentCountedMax = 10'000;

struct OutboxFigures {
    std::uint64_t unsent =
        0;  // without parked ones; at most kUnsentCountedMax beside those that were tried
    std::uint64_t parked = 0;
    std::int64_t oldest_unsent_ms = timer::kNever;  // store time of its commit
    std::int64_t now_ms = 0;                        // store time of the reading

    std::int64_t oldest_age_ms() const {
        return oldest_unsent_ms == timer::kNever
                   ? 0
                   : std::max<std::int64_t>(now_ms - oldest_unsent_ms, 0);
    }
};

class Outbox {
  public:
    virtual ~Outbox() = default;
    // Rows that `sink` has not had and that may go now, oldest first: at most one per entity, none behind one
    // that waits or is parked. A sink that nobody has named before begins with what is committed from then on
    // (`from_the_beginning` false) or with everything that is kept. Errors: as Flows::commit.
    virtual Task<Result<std::vector<OutboxRow>>> unsent(std::string sink, bool from_the_beginning,
                                                        std::size_t limit) = 0;
    // Durable: when it answers. Sent again it changes nothing; neither do reports about a sink that is no more.
    // Errors: as Flows::commit; request_invalid for a row that there is not.
    virtual Task<Status> delivered(std::string sink, std::vector<Delivery> deliveries) = 0;
    // The oldest first. Errors: unavailable.
    virtual Task<Result<std::vector<ParkedRow>>> parked(std::string sink, std::size_t limit) = 0;
    // Parked rows of the sink go out again. How many. Errors: as Flows::commit.
    virtual Task<Result<std::size_t>> redrive(std::string sink) = 0;
    // The sink is no more: nothing is kept for it. Errors: as Flows::commit.
    virtual Task<Status> drop_sink(std::string sink) = 0;
    // Of a sink that nobody has named: zeros. Errors: unavailable.
    virtual Task<Result<OutboxFigures>> outbox_figures(std::string sink) = 0;
    // All that have been named here and not dropped, in order. Errors: unavailable.
    virtual Task<Result<std::vector<std::string>>> sinks() = 0;
};

}  // namespace pawl::store
