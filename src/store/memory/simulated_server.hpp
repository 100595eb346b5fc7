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

    // Both outlive the server.
    SimulatedServer(Loop& loop, Shelf& shelf, FaultProfile profile = {});
    SimulatedServer(const SimulatedServer&) = delete;
    SimulatedServer& operator=(const SimulatedServer&) = delete;
    ~SimulatedServer();

    Shelf& shelf() { return shelf_; }
    void set_profile(FaultProfile profile) { profile_ = profile; }
    void set_plan(Plan plan) { plan_ = std::move(plan); }
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

    void send(record::Call call, const std::shared_ptr<Slot>& slot);

  private:
    struct Flight {
        record::Call call;
        std::weak_ptr<Slot> slot;
        AlarmId arrival;
        AlarmId answer;
        std::optional<Result<Reply>> reply;
    };

    Fault draw(const record::Call& call);
    Result<Reply> commit(const record::Call& call);
    Result<Reply> answer_at_once(const record::Call& call, Fault fault);
    void arrive(std::uint64_t number);
    void answer(std::uint64_t number);
    void cancel(Flight& flight);

    Loop& loop_;
    Shelf& shelf_;
    FaultProfile profile_;
    Plan plan_;
    bool reachable_ = true;
    std::uint64_t calls_ = 0;
    std::uint64_t commits_ = 0;
    std::unordered_map<std::uint64_t, Flight> flights_;
};

}  // namespace pawl::store
