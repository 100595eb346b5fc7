// SPDX-License-Identifier: Apache-2.0
// What the suite needs of a store under test: the port, a clock that the test moves, and a restart. Each
// program that links the suite names its stores in stores_under_test().
#pragma once

#include <atomic>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>

#include "core/record/judge.hpp"
#include "runtime/clock/clock.hpp"
#include "runtime/result/assert.hpp"
#include "runtime/task/loop.hpp"
#include "store/port/records.hpp"
#include "store/port/unresolved_counts.hpp"

namespace pawl::store::conformance {

// Read by the store's own threads, too.
class HandClock final : public Clock {
  public:
    MonotonicTime monotonic() const override {
        return MonotonicTime{std::chrono::milliseconds{monotonic_ms_}};
    }
    WallTime wall() const override { return wall_time(monotonic_ms_ + wall_offset_ms_); }
    void pass(std::chrono::milliseconds time) { monotonic_ms_ += time.count(); }
    void step_wall(std::chrono::milliseconds by) { wall_offset_ms_ += by.count(); }

  private:
    std::atomic<std::int64_t> monotonic_ms_{1'000'000};
    std::atomic<std::int64_t> wall_offset_ms_{1'764'000'000'000};
};

// A loop whose time is moved by hand. Answers may come from other threads.
class HandLoop {
  public:
    explicit HandLoop(std::uint64_t seed = 1) : entropy_(seed) {}

    HandClock& clock() { return clock_; }
    Loop& loop() { return loop_; }
    void pass(std::chrono::milliseconds time) {
        clock_.pass(time);
        alarms_.fire(clock_.monotonic());
        context_.poll();
    }
    void poll() { context_.poll(); }

    // Runs the loop until `done` holds; a store that does not answer within a minute of real time ends the
    // test program.
    template <class Done>
    void run_until(Done done) {
        const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(1);
        while (!done()) {
            context_.run_one_for(std::chrono::milliseconds(20));
            PAWL_ASSERT(std::chrono::steady_clock::now() < give_up);
        }
    }
    template <class T>
    T run(Task<T> task) {
        std::optional<T> result;
        boost::asio::co_spawn(context_, std::move(task),
                              [&result](std::exception_ptr error, T value) {
                                  PAWL_ASSERT(!error);
                                  result.emplace(std::move(value));
                              });
        run_until([&result] { return result.has_value(); });
        return std::move(*result);
    }

  private:
    HandClock clock_;
    SeededEntropy entropy_;
    boost::asio::io_context context_{1};
    boost::asio::executor_work_guard<Executor> work_{context_.get_executor()};
    Alarms alarms_;
    Loop loop_{context_, clock_, alarms_, entropy_};
};

class Rig {
  public:
    virtual ~Rig() = default;
    virtual Records& records() = 0;
    // The number of the boot that is running.
    virtual std::uint64_t boot() const = 0;
    virtual std::int64_t now_ms() const = 0;
    // Whether a store of this kind outlives its process.
    virtual bool durable() const { return true; }
    // Whether rows name the digest of the answer as it was given; a sealed one has another unless it comes along.
    virtual bool tells_digests() const { return true; }
    // How many calls a long history may take.
    virtual int patience() const { return 3'000; }
    // As kill -9 and a start: whatever was answered is there, and another boot is running.
    virtual void restart() = 0;
    // The store goes on with these; it may restart for it.
    virtual void limit(UnresolvedLimits limits) = 0;

    HandLoop& hand() { return hand_; }
    void pass(std::chrono::milliseconds time) { hand_.pass(time); }

    Result<Reply> apply(record::Call call) { return hand_.run(records().apply(std::move(call))); }
    // Precondition: the store answers.
    Reply reply(record::Call call) {
        auto got = apply(std::move(call));
        PAWL_ASSERT(got.has_value());
        return std::move(*got);
    }
    record::Outcome outcome(record::Call call) { return reply(std::move(call)).outcome; }
    std::optional<Stored> read(const Digest& identity) {
        return hand_.run(records().read(identity)).value();
    }
    record::State state(const Digest& identity) {
        const auto stored = read(identity);
        return stored ? stored->row.state : record::State::absent;
    }
    SweepReport sweep(std::size_t limit = 1'000) {
        return hand_.run(records().sweep(limit)).value();
    }
    // Until there is no more to do; the sum.
    SweepReport sweep_all(std::size_t limit = 1'000) {
        SweepReport sum;
        for (SweepReport report{.more = true}; report.more;) {
            report = sweep(limit);
            sum.lapsed += report.lapsed;
            sum.buried += report.buried;
            sum.removed += report.removed;
            sum.stopped = sum.stopped || report.stopped;
        }
        return sum;
    }

  private:
    HandLoop hand_;
};

struct StoreUnderTest {
    std::string name;
    std::function<std::unique_ptr<Rig>()> make;
};

// Defined by the program that links the suite.
std::vector<StoreUnderTest> stores_under_test();

}  // namespace pawl::store::conformance
