// SPDX-License-Identifier: Apache-2.0
// Carries the rows of the outbox to one sink: at least once, in the order of each entity, one entity never held up by
// another. What the store gives is the first unsent row of an entity and no other, so that order needs no
// bookkeeping here; a row counts as sent when the sink said so and the store has written it down, and until then it
// is sent again under the same event id.
//
//   hint, or a look now and then -> read -> queue -> deliver (some at once) -> write down -> read ...
//                                             ^          | failed, away: nothing is written, the endpoint pauses,
//                                             +----------+ and one row at a time asks whether it is back
//
// Tries are counted of rows, never of an endpoint: an outage of days parks nothing. Where others pass while one row
// keeps failing, it is the row.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/backoff.hpp"
#include "runtime/meter/meter.hpp"
#include "runtime/task/bell.hpp"
#include "runtime/task/group.hpp"
#include "store/port/outbox.hpp"
#include "stream/limits.hpp"
#include "stream/sink.hpp"

namespace pawl::stream {

struct RelayLimits {
    std::size_t rows_max = kRowsAtOnce;
    std::uint32_t tries_max = kRowTriesMax;
    engine::Backoff row{std::chrono::milliseconds{100}, std::chrono::seconds{60}};
    engine::Backoff endpoint{std::chrono::milliseconds{100}, std::chrono::seconds{10}};
    engine::Backoff store{};
    std::chrono::milliseconds look_every = kLookEvery;
};

struct RelaySetup {
    std::string sink;                  // its name
    std::vector<std::string> flows{};  // empty: of all
    std::vector<std::string> types{};  // empty: all; "order.*": all that begin so
    bool from_the_beginning = false;   // of a sink that nobody has named before
    RelayLimits limits{};
};

struct RelayFigures {
    Counter sent;
    Counter passed_over;  // not of the flows and types that the sink takes
    Counter refused;      // tries that were counted of rows
    Counter failed;       // tries that were given back
    Counter parked;
};

// How an endpoint stands, for people.
struct Standing {
    enum class Kind : std::uint8_t { working, paused, stopped };
    Kind kind = Kind::working;
    std::string said{};  // paused, stopped: why
};
std::string_view name_of(Standing::Kind kind);

class Relay {
  public:
    // All outlive it. One relay per sink and store.
    Relay(Loop& loop, store::Outbox& outbox, Sink& sink, RelaySetup setup, RelayFigures& figures);

    // Ends after stop(), when what is under way has ended and was written down, or cannot be.
    Task<void> run();
    void stop();
    // Something was committed. On the relay's loop, and from anywhere.
    void hint() { bell_.ring(); }
    void hint_from_anywhere() { bell_.ring_from_anywhere(); }
    // Parked rows go out again, and so does everything to an endpoint that had stopped. How many rows were parked.
    // Errors: as Outbox::redrive.
    Task<Result<std::size_t>> redrive();

    const std::string& name() const { return setup_.sink; }
    Standing standing() const;

  private:
    bool wants(const store::OutboxRow& row) const;
    bool may_read() const;
    Task<void> read();
    std::size_t calls_max() const;
    bool may_launch() const;
    void launch();
    Task<void> deliver(std::vector<store::OutboxRow> rows);
    void note(store::OutboxRow row, Delivered word);
    void charge(const store::OutboxRow& row, Delivered word);
    void give_back(store::OutboxRow row, const Delivered& word);
    Task<void> record();
    MonotonicTime next_turn() const;

    Loop& loop_;
    store::Outbox& outbox_;
    Sink& sink_;
    RelaySetup setup_;
    RelayFigures& figures_;
    Bell bell_;

    std::deque<store::OutboxRow> fresh_;       // read and not tried yet
    std::deque<store::OutboxRow> returned_;    // the endpoint failed, or they did
    std::unordered_set<std::uint64_t> taken_;  // read, and what became of them is not written down
    std::vector<store::Delivery> outcomes_;
    std::size_t running_ = 0;

    bool is_dirty_ = true;  // there may be rows that were not read
    MonotonicTime look_at_{};
    MonotonicTime again_at_ = kNever;  // when the first of the rows that wait may go
    std::uint32_t read_failures_ = 0;
    MonotonicTime record_at_{};
    std::uint32_t record_failures_ = 0;

    std::uint32_t endpoint_failures_ = 0;  // in a row
    MonotonicTime paused_until_{};
    bool was_asked_to_wait_ = false;
    std::string trouble_;
    std::string stopped_;        // why; empty: it is not
    std::uint64_t answers_ = 0;  // that showed an endpoint at work
    // By row that failed: how many such answers there were by then.
    std::unordered_map<std::uint64_t, std::uint64_t> suspects_;

    bool is_leaving_ = false;
    TaskGroup group_;
};

}  // namespace pawl::stream
