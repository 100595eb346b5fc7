// SPDX-License-Identifier: Apache-2.0
// Fires the deadlines that are due. The rows of the store are the schedule: a step reads the earliest of them,
// sends their events, and so knows when the next one is due; a run that ends in the middle takes nothing with
// it, and a hint that was missed costs at most kLookEvery. One per process is enough, several do no harm: the
// version and the due time are judged in the commit, by the store's clock.
//
//   a due row's event    what a step does
//   may be sent          sends it; the commits of a step are under way together, and flushed together
//   asks a probe first   writes when somebody else may take it (the row is this one's for kTakeLease), and asks
//                        beside the steps
//   is not in the flow   the deadline ends, and a person looks
//   no such flow, or     written to be looked at after kUnservedAgain, so that it stands before nobody
//   rows that contradict
//   each other or cannot
//   be read
#pragma once

#include <deque>
#include <map>
#include <set>

#include "engine/committer.hpp"
#include "engine/observer.hpp"
#include "runtime/task/group.hpp"
#include "store/port/timers.hpp"

namespace pawl::engine {

inline constexpr std::chrono::milliseconds kLookEvery{5'000};
inline constexpr std::chrono::milliseconds kStoreAwayAgain{1'000};
inline constexpr std::chrono::milliseconds kUnservedAgain{300'000};
// A step that has not ended by then is left alone, and the next one begins without its rows.
inline constexpr std::chrono::milliseconds kStepPatience{15'000};
inline constexpr std::size_t kAskingMax = 50;  // probes under way
// Rows that are taken and wait for their question. What comes beyond is left to the lease of its row.
inline constexpr std::size_t kToAskMax = 500;
// Events under way, those that have outlasted their step included: fewer than one reading gives, so that rows
// which are busy never fill it.
inline constexpr std::size_t kFiringMax = 1'000;
inline constexpr std::size_t kSweepReadMax = 5'000;  // rows of one reading

struct SweepFigures {
    std::uint64_t steps = 0;
    std::uint64_t fired = 0;  // events sent, whatever came of them
    std::uint64_t asked = 0;
    std::uint64_t paced = 0;   // steps that were slowed down
    std::uint64_t left = 0;    // questions that were left to the lease of their row
    std::uint64_t failed = 0;  // readings and events that the store did not take
    std::int64_t late_ms = 0;  // how late the last one fired was, by the store's clock
};

class Sweeper {
  public:
    // All outlive it.
    Sweeper(Loop& loop, store::Flows& flows, store::Timers& timers, Committer& committer,
            Observer& observer);
    Sweeper(const Sweeper&) = delete;
    Sweeper& operator=(const Sweeper&) = delete;

    void start();
    // A deadline runs that is due then. Unit: store time.
    void hint(std::int64_t next_due_ms);
    // No further step; true when what is under way has ended before the deadline.
    Task<bool> end(MonotonicTime deadline);

    const SweepFigures& figures() const { return figures_; }

  private:
    struct Due {
        store::FlowSubject subject;
        std::uint64_t version = 0;
        timer::Running deadline;
    };

    Task<void> run();
    // When to look again.
    Task<MonotonicTime> step();
    std::vector<Due> due_in(const store::DueRows& read) const;
    MonotonicTime next_look(const store::DueRows& read, bool more, bool is_paced);
    Task<void> fire(Due due);
    // False: it could not be written.
    Task<bool> set_aside(Due due, std::int64_t now_ms);
    Task<void> ask();
    bool is_left_alone(const store::FlowSubject& subject) const;
    void forget_shunned();
    MonotonicTime time_of(std::int64_t store_ms) const;
    Sent sent_of(const Due& due, const flow::Machine& machine) const;

    Loop& loop_;
    store::Flows& flows_;
    store::Timers& timers_;
    Committer& committer_;
    Observer& observer_;
    timer::Pacer pacer_;
    bool first_ = true;
    bool ended_ = false;
    ParkId resting_{};
    MonotonicTime look_at_ = kNever;
    std::int64_t hinted_ms_ = timer::kNever;  // since the last reading began
    // The clocks as of the last reading: store time and the loop's.
    std::int64_t store_ms_ = 0;
    MonotonicTime read_at_{};
    // Entities whose deadline failed for what a repeat does not mend and could not be set aside, and until when
    // they are left alone.
    std::map<std::string, MonotonicTime, std::less<>> shunned_;
    std::set<std::string, std::less<>> busy_;  // entities whose event is under way
    std::deque<Sent> to_ask_;
    std::size_t asking_ = 0;
    std::size_t firing_now_ = 0;
    SweepFigures figures_;
    TaskGroup firing_;
    TaskGroup beside_;
};

}  // namespace pawl::engine
