// SPDX-License-Identifier: Apache-2.0
// One event until it is decided: load, judge, commit; where the commit lost, judge again on what is there now,
// and after three reloads say so. It knows no HTTP and holds nothing between two events, so that any number of
// them run on one loop and every loop has its own.
//
//   load -> transition -> Ask      -> inquiry -> transition ...
//                      -> the rest -> commit -> applied
//                                            -> lost: learnt -> load -> transition ...   (kReloadsMax)
//                                            -> unknown: the same commit again
#pragma once

#include <memory>

#include "engine/inquiry.hpp"
#include "engine/machines.hpp"
#include "engine/sent.hpp"
#include "runtime/task/loop.hpp"

namespace pawl::engine {

// How long a probe may take, and a commit whose outcome is unknown is sent again.
inline constexpr std::chrono::milliseconds kProbePatience{5'000};
inline constexpr std::chrono::milliseconds kCommitPatience{10'000};

// Where ids of new entities come from.
class Ids {
  public:
    virtual ~Ids() = default;
    // Errors: unavailable; nothing was used.
    virtual Result<std::string> next() = 0;
};

// What came of a commit beside its sender's answer. Called on the loop of the commit; must not block.
class Aftermath {
  public:
    virtual ~Aftermath() = default;
    // Facts at the entity's meeting, to be sent again now; oldest first.
    virtual void wakes(std::vector<flow::WaitingFact> facts) = 0;
    // A deadline runs that is due then. Unit: store time.
    virtual void due(std::int64_t next_due_ms) = 0;
    // Of every event that was decided, for metrics and for people.
    virtual void decided(const Sent& sent, const Outcome& outcome) = 0;
};

class Committer {
  public:
    // All outlive it. `machines` may change between events (reload).
    Committer(Loop& loop, store::Flows& flows, Inquiry& inquiry, Ids& ids, Aftermath& aftermath,
              std::shared_ptr<const Machines> machines);

    // Errors: not_found (no such flow; for a request, no such entity), unavailable, store_full, store_readonly:
    // nothing was written. unknown: it may have been; sent again it finds its own.
    // Cancel: never; it is carried out.
    Task<Result<Outcome>> send(Sent sent);
    // The deadline's whole span again, from now. Errors: as send.
    Task<Result<Outcome>> renew(store::FlowSubject subject, std::string deadline);
    // Errors: as send; request_invalid. `claim` is how it is made once.
    Task<Result<Outcome>> change_stock(std::string tenant, store::StockChange change,
                                       record::Claim claim);

    void reload(std::shared_ptr<const Machines> machines);
    const Machines& machines() const { return *machines_; }

  private:
    Loop& loop_;
    store::Flows& flows_;
    Inquiry& inquiry_;
    Ids& ids_;
    Aftermath& aftermath_;
    std::shared_ptr<const Machines> machines_;
};

}  // namespace pawl::engine
