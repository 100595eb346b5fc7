// SPDX-License-Identifier: Apache-2.0
// One event until it is decided: load, judge, commit; where the commit lost, judge again on what is there now,
// and after three reloads say so. It knows no HTTP and holds nothing between two events, so that any number of
// them run on one loop and every loop has its own.
//
//   load -> transition -> Ask      -> inquiry -> transition ...
//                      -> the rest -> commit -> applied
//                                            -> lost: learnt -> load -> transition ...   (kReloadsMax)
//                                            -> unknown: the same commit again
//
// A callback, and whatever else reports a fact, is never refused: what a request would be refused for waits, or
// is put before a person. Where too many others were first it is told `contended`, and nothing was acknowledged.
#pragma once

#include <memory>

#include "engine/inquiry.hpp"
#include "engine/machines.hpp"
#include "engine/sent.hpp"
#include "runtime/task/loop.hpp"
#include "store/port/records.hpp"

namespace pawl::engine {

// How long a probe may take, and a commit whose outcome is unknown is sent again.
inline constexpr std::chrono::milliseconds kProbePatience{5'000};
inline constexpr std::chrono::milliseconds kCommitPatience{10'000};
// Facts are judged anew more often than requests, which their clients send again.
inline constexpr int kFactReloadsMax = 20;

// Where ids of new entities come from.
class Ids {
  public:
    virtual ~Ids() = default;
    // Errors: unavailable; nothing was used.
    virtual Task<Result<std::string>> next() = 0;
};

// What came of a commit beside its sender's answer. Called on the loop of the commit; must not block.
class Aftermath {
  public:
    virtual ~Aftermath() = default;
    // Facts at this entity's meeting, to be sent again now; all that wait there, oldest first.
    virtual void wakes(store::FlowSubject subject, std::vector<flow::WaitingFact> facts) = 0;
    // A deadline runs that is due then. Unit: store time, which is now `now_ms`.
    virtual void due(std::int64_t next_due_ms, std::int64_t now_ms) = 0;
    // Of every event that was decided, for metrics and for people.
    virtual void decided(const Sent& sent, const Outcome& outcome) = 0;
    // Rows contradict each other: nothing was written, and a person has to look.
    virtual void unsound(const store::FlowSubject& subject) = 0;
};

// What a committer works with. All outlive it.
struct Setting {
    Loop& loop;
    store::Flows& flows;
    Inquiry& inquiry;
    Ids& ids;
    Aftermath& aftermath;
    // For the first result of an event that is repeated under another key; nullptr: the entity is shown instead.
    store::Records* records = nullptr;
};

// Store time, as it was heard last, with what has passed since; and a number that rises with every event.
class StoreNow {
  public:
    void heard(std::int64_t now_ms, MonotonicTime at);
    // nullopt: nothing was heard yet. Never later than the store's own.
    std::optional<std::int64_t> at(MonotonicTime now) const;
    // A hybrid logical time: 48 bits of milliseconds, 16 that count within one.
    std::int64_t next_hlc(std::int64_t now_ms, Entropy& entropy);

  private:
    std::optional<std::int64_t> heard_ms_;
    MonotonicTime heard_at_{};
    std::int64_t hlc_ = 0;
};

class Committer {
  public:
    // `machines` may change between events (reload).
    Committer(Setting setting, std::shared_ptr<const Machines> machines)
        : setting_(setting), machines_(std::move(machines)) {}

    // Errors: not_found (no such flow; for a request, no such entity), unavailable, store_full, store_readonly:
    // nothing was written. unknown: it may have been; sent again it finds its own. internal: see `unsound`.
    // Cancel: never; it is carried out.
    Task<Result<Outcome>> send(Sent sent);
    // A notification that belongs to no entity, or to no flow that is served. Errors: as send.
    Task<Result<Outcome>> keep_for_people(Sent sent, std::string reason);
    // A fact that has waited long enough: a person looks at it now. Errors: as send.
    Task<Result<Outcome>> give_up(store::WaitingEntry entry);
    // The deadline's whole span again, from now. Errors: as send.
    // `roles`: of who asks for it.
    Task<Result<Outcome>> renew(store::FlowSubject subject, std::string deadline,
                                std::vector<std::string> roles = {});
    // Errors: as send; request_invalid. `claim` is how it is made once.
    Task<Result<Outcome>> change_stock(std::string tenant, store::StockChange change,
                                       record::Claim claim,
                                       FingerprintUnder fingerprint_under = {});

    void reload(std::shared_ptr<const Machines> machines) { machines_ = std::move(machines); }
    std::shared_ptr<const Machines> machines() const { return machines_; }

  private:
    Task<Result<Outcome>> refuse_stock(std::string tenant, store::StockChange change,
                                       record::Claim claim, bool may_arrive);

    Setting setting_;
    StoreNow store_now_;
    std::shared_ptr<const Machines> machines_;
};

}  // namespace pawl::engine
