// SPDX-License-Identifier: Apache-2.0
// What is left to do when an event is decided, for one loop: facts that its commit woke are sent again, due
// times go to the sweep, outcomes are counted. All of it is a hint: what is forgotten here (no room, the
// process ends) is found again by the sweep of the waiting facts and by that of the deadlines.
#pragma once

#include <deque>
#include <functional>
#include <map>

#include "engine/committer.hpp"
#include "engine/observer.hpp"
#include "runtime/task/group.hpp"

namespace pawl::engine {

inline constexpr std::size_t kWakesMax = 1'000;             // facts that wait here to be sent again
inline constexpr std::size_t kTransitionSeriesMax = 2'000;  // beyond: counted together
inline constexpr std::chrono::minutes kContendedEvery{1};

// Labels of a count. Names of flows and states are declared; an event that no flow knows is "other".
struct TransitionLabels {
    std::string flow;
    std::string event;
    std::string from;
    std::string to;
    Told told = Told::applied;
    auto operator<=>(const TransitionLabels&) const = default;
};

struct DeskFigures {
    std::map<TransitionLabels, std::uint64_t> transitions;
    std::uint64_t contended = 0;
    std::uint64_t woken = 0;      // facts sent again
    std::uint64_t forgotten = 0;  // facts for which there was no room
    std::uint64_t unsound = 0;

    // Of all loops together.
    void add(const DeskFigures& others);
};

class Desk final : public Aftermath {
  public:
    // Both outlive it. `due` is told on this loop when a deadline begins to run that is due soon; empty: nobody.
    Desk(Loop& loop, Observer& observer, std::function<void(std::int64_t)> due = {});
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;

    // Through whom facts are sent again; outlives what is under way. Until then they are left to the sweep.
    void send_through(Committer& committer) { committer_ = &committer; }
    void tell_due(std::function<void(std::int64_t)> due) { due_ = std::move(due); }
    // No further fact is begun; true when those under way have ended before the deadline.
    Task<bool> end(MonotonicTime deadline);

    void wakes(store::FlowSubject subject, std::vector<flow::WaitingFact> facts) override;
    void due(std::int64_t next_due_ms, std::int64_t now_ms) override;
    void decided(const Sent& sent, const Outcome& outcome) override;
    void unsound(const store::FlowSubject& subject) override;

    // On its loop.
    const DeskFigures& figures() const { return figures_; }
    Loop& loop() const { return loop_; }

  private:
    // One at a time of each meeting, so that they come in the order in which they came before.
    struct Queue {
        store::FlowSubject subject;
        std::deque<flow::WaitingFact> facts;
    };

    Task<void> send_again(std::string meeting);
    void count(const Sent& sent, const Outcome& outcome);
    void tell_contended(const store::FlowSubject& subject);

    Loop& loop_;
    Observer& observer_;
    std::function<void(std::int64_t)> due_;
    Committer* committer_ = nullptr;
    bool ended_ = false;
    std::map<std::string, Queue, std::less<>> queues_;  // by meeting
    std::size_t waiting_ = 0;                           // in all queues
    std::map<std::string, MonotonicTime> contended_;    // when it was told last, by entity
    DeskFigures figures_;
    TaskGroup group_;
};

}  // namespace pawl::engine
