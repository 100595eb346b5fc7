// SPDX-License-Identifier: Apache-2.0
// A store as its clients see it: calls take time, arrive in another order, fail before or after they took
// effect, and the process behind it dies. Everything is drawn from one seeded entropy, or dictated call by
// call. The server lives on a loop of its own, so that a call that is under way outlives the node that made
// it.
#pragma once

#include <unordered_map>

#include "store/port/reply_slot.hpp"
#include "store/port/shelf.hpp"

namespace pawl::store {

enum class Fault : std::uint8_t {
    none,
    refused,         // unavailable: not applied
    busy,            // unavailable after FaultProfile::busy: not applied
    unknown_before,  // unknown: never applied
    unknown_after,   // unknown: applied
    late,            // unknown: applied later, after its caller was told
};

// Unit of the chances: one in a million calls.
struct FaultProfile {
    std::uint32_t refused = 0;
    std::uint32_t busy_calls = 0;
    std::uint32_t unknown_before = 0;
    std::uint32_t unknown_after = 0;
    std::uint32_t late = 0;
    // One way; drawn evenly between the two. Both zero: the answer comes without a suspension.
    std::chrono::microseconds delay_min{0};
    std::chrono::microseconds delay_max{0};
    std::chrono::milliseconds busy{5'000};
    std::chrono::milliseconds late_max{60'000};
};

class SimulatedServer {
  public:
    using Slot = ReplySlot<Result<Reply>>;
    // Told the call's number, counted from 1; what it returns overrides the profile.
    using Plan = std::move_only_function<std::optional<Fault>(std::uint64_t, const record::Call&)>;

    // As Plan, of what is not a record's call.
    using CarryPlan = std::move_only_function<std::optional<Fault>(std::uint64_t)>;

    // Both outlive the server.
    SimulatedServer(Loop& loop, Shelf& shelf, FaultProfile profile = {});
    SimulatedServer(const SimulatedServer&) = delete;
    SimulatedServer& operator=(const SimulatedServer&) = delete;
    ~SimulatedServer();

    Shelf& shelf() { return shelf_; }
    void set_profile(FaultProfile profile) { profile_ = profile; }
    void set_plan(Plan plan) { plan_ = std::move(plan); }
    void set_carry_plan(CarryPlan plan) { carry_plan_ = std::move(plan); }
    // Out of reach: every call, reads too, is refused.
    void set_reachable(bool reachable) { reachable_ = reachable; }
    bool reachable() const { return reachable_; }
    // The process dies: what has not arrived never will, late calls included; the callers are told unknown.
    // What was applied stays. The shelf is restarted by whom it belongs to.
    void crash();
    std::uint64_t calls() const { return calls_; }
    std::size_t under_way() const { return flights_.size(); }

    // How long one way takes this time.
    std::chrono::nanoseconds delay();
    // Takes as long, on the client's loop.
    Task<void> travel(Loop& from);
    // There, the look at the shelf, and back.
    template <class T, class Look>
    Task<Result<T>> ask(Loop& from, Look look) {
        co_await travel(from);
        if (!reachable())
            co_return fail(Code::unavailable, "The store is not available.", "simulated", "store");
        Result<T> answer = look();
        co_await travel(from);
        co_return answer;
    }

    void send(record::Call call, const std::shared_ptr<Slot>& slot);
    // Another port's commit, by the same way and with the same faults. `commit` is called where it arrives.
    template <class T>
    void carry(std::move_only_function<Result<T>()> commit,
               const std::shared_ptr<ReplySlot<Result<T>>>& slot) {
        ++calls_;
        const Fault fault = draw(reachable_ && carry_plan_ ? carry_plan_(calls_) : std::nullopt);
        dispatch(fault, std::make_unique<ErrandOf<T>>(std::move(commit), slot));
    }

  private:
    // One commit and who waits for it, whatever it answers.
    class Errand {
      public:
        virtual ~Errand() = default;
        virtual void commit() = 0;
        // Instead of what the commit says.
        virtual void put(std::unexpected<Error> told) = 0;
        virtual void answer() = 0;
    };
    template <class T>
    class ErrandOf final : public Errand {
      public:
        ErrandOf(std::move_only_function<Result<T>()> commit,
                 std::weak_ptr<ReplySlot<Result<T>>> slot)
            : commit_(std::move(commit)), slot_(std::move(slot)) {}
        void commit() override {
            Result<T> reply = commit_();
            if (!reply_) reply_ = std::move(reply);
        }
        void put(std::unexpected<Error> told) override { reply_ = std::move(told); }
        void answer() override {
            if (const auto slot = slot_.lock()) slot->set(std::move(*reply_));
        }

      private:
        std::move_only_function<Result<T>()> commit_;
        std::weak_ptr<ReplySlot<Result<T>>> slot_;
        std::optional<Result<T>> reply_;
    };
    struct Flight {
        std::unique_ptr<Errand> errand;
        AlarmId arrival;
        AlarmId answer;
    };

    Fault draw(std::optional<Fault> planned);
    void dispatch(Fault fault, std::unique_ptr<Errand> errand);
    Result<Reply> commit(const record::Call& call);
    static void answer_at_once(Errand& errand, Fault fault);
    void arrive(std::uint64_t number);
    void answer(std::uint64_t number);
    void cancel(Flight& flight);

    Loop& loop_;
    Shelf& shelf_;
    FaultProfile profile_;
    Plan plan_;
    CarryPlan carry_plan_;
    bool reachable_ = true;
    std::uint64_t calls_ = 0;
    std::uint64_t commits_ = 0;
    std::unordered_map<std::uint64_t, Flight> flights_;
};

}  // namespace pawl::store
