// SPDX-License-Identifier: Apache-2.0
// The world of one seed: virtual time, and rooms that take turns. A room is an event loop of its own, with
// its queue of ready handlers and its alarms; each node has one per seat, and one is everything outside of
// Pawl. One handler runs at a time; between two of them the seed decides whose turn is next, and what was
// deferred (the crash of a node) is done. Time moves only when every room is idle.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>

#include "runtime/task/loop.hpp"
#include "sim/world/chance.hpp"
#include "sim/world/trace.hpp"

namespace pawl::sim {

class World;

class Room {
  public:
    Room(World& world, std::string name, std::uint64_t seed);
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;
    ~Room();

    Loop& loop() { return *loop_; }
    boost::asio::io_context& context() { return context_; }
    const std::string& name() const { return name_; }
    // How far the wall clock of its machine is from the world's; its monotonic time is everybody's.
    void skew_wall(std::chrono::milliseconds by) { clock_.skew = by; }
    // A frozen room runs nothing and hears no alarm, as a stopped process.
    void freeze(bool frozen) { frozen_ = frozen; }
    bool frozen() const { return frozen_; }
    // The end of everything that runs here, in three steps so that several rooms which wait for each other
    // can end together: nothing is called any more; then what is suspended goes; then what is ready goes.
    void silence() { alarms_.clear(); }
    void drop_suspended() { loop_.reset(); }
    void drop_ready() { context_.drop(); }

  private:
    friend class World;

    struct OwnClock final : Clock {
        explicit OwnClock(const Clock& of_world) : world(of_world) {}
        MonotonicTime monotonic() const override { return world.monotonic(); }
        WallTime wall() const override { return world.wall() + skew; }
        const Clock& world;
        std::chrono::milliseconds skew{0};
    };
    struct Context : boost::asio::io_context {
        Context() : io_context(1) {}
        void drop() { shutdown(); }
    };

    World& world_;
    std::string name_;
    OwnClock clock_;
    bool frozen_ = false;
    Context context_;
    boost::asio::executor_work_guard<Executor> work_{context_.get_executor()};
    Alarms alarms_;
    SeededEntropy entropy_;
    std::optional<Loop> loop_;
};

class World {
  public:
    explicit World(std::uint64_t seed, bool printing = false);
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    std::uint64_t seed() const { return seed_; }
    VirtualClock& clock() { return clock_; }
    MonotonicTime now() const { return clock_.monotonic(); }
    Trace& trace() { return trace_; }
    Chance chance_for(std::string_view purpose) const { return Chance(seed_, purpose); }

    // Everything that is not Pawl lives here.
    Room& outside() { return *outside_; }
    AlarmId after(std::chrono::nanoseconds delay, Alarms::Callback callback) {
        return outside_->loop().alarms().set(now() + delay, std::move(callback));
    }
    void cancel(AlarmId id) { outside_->loop().alarms().cancel(id); }
    // Done as soon as the handler that runs now has returned.
    void defer(std::move_only_function<void()> step) { deferred_.push_back(std::move(step)); }

    // Runs until that time, or until `done` holds (looked at whenever time moves).
    void run_until(MonotonicTime until, const std::function<bool()>& done = {});
    // True when handlers ran for so long without time moving that something spins.
    bool spins() const { return spins_; }

  private:
    friend class Room;

    void enter(Room& room) { rooms_.push_back(&room); }
    void leave(Room& room) { std::erase(rooms_, &room); }
    bool run_ready();
    void run_deferred();
    Room* next_due();

    std::uint64_t seed_;
    VirtualClock clock_;
    Trace trace_;
    Chance turns_;
    std::vector<Room*> rooms_;
    std::vector<std::move_only_function<void()>> deferred_;
    bool spins_ = false;
    std::unique_ptr<Room> outside_;
};

}  // namespace pawl::sim
