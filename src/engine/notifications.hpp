// SPDX-License-Identifier: Apache-2.0
// One notification of a payment provider, from the bytes as they came to the provider's acknowledgement. It is
// remembered under its id in the commit of its effect, so that it is never seen without one and never has two; the
// same fact under another id is found by the flow's unique values.
//
//   the notification is                 what becomes of it             answered as
//   ----------------------------------  -----------------------------  ------------------------------------
//   not signed by whom we believe       nothing                        not_authentic
//   signed, and none of our keys opens  nothing                        failed: it comes again
//   a fact                              applied, compensated           applied
//                                       known before                   seen
//                                       waits for its order            stored
//                                       differs in amount, currency,   stored, for people; an alarm
//                                       merchant, or fits no flow
//                                       says nothing to its order      ignored
//   under an id that said other things  an entry for people            stored; an alarm
//   about nothing of ours               nothing                        ignored
//   ours, and cannot be laid to orders  an entry for people            stored; an alarm
//   any, and the store does not answer  it is not known                failed: it comes again
//   any, and five seconds have passed   is carried out all the same    failed: it comes again, and is seen
#pragma once

#include <memory>

#include "engine/callback_accounts.hpp"
#include "engine/machines.hpp"
#include "engine/sent.hpp"
#include "runtime/task/group.hpp"

namespace pawl::engine {

// Providers give up after 5 s (WeChat Pay) or later, and then send it again.
inline constexpr std::chrono::milliseconds kNotificationBudget{5'000};
// At once, on one loop; another one is told to come again.
inline constexpr std::size_t kNotificationsMax = 1'024;
inline constexpr std::size_t kNotificationBytesMax = 256U << 10;

// Where facts go: a Committer.
class FactTaker {
  public:
    virtual ~FactTaker() = default;
    // As Committer's.
    virtual Task<Result<Outcome>> send(Sent sent) = 0;
    virtual Task<Result<Outcome>> keep_for_people(Sent sent, std::string reason) = 0;
};

// For the log, and for alarms.
struct HeardNotification {
    std::string provider;
    std::string account;
    std::string event_id;    // empty: none, or it was not authentic
    std::string event_type;  // the provider's word
    callback::Outcome outcome = callback::Outcome::failed;
    bool alarm = false;  // a person has to look
    std::string why;     // in our words; empty: as it should be
};
class NotificationWatch {
  public:
    virtual ~NotificationWatch() = default;
    // Of every notification, when its outcome is known. Called on the loop; must not block.
    virtual void heard(const HeardNotification& heard) = 0;
};

class Notifications {
  public:
    // All outlive it.
    Notifications(Loop& loop, FactTaker& facts, NotificationWatch& watch,
                  std::shared_ptr<const CallbackAccounts> accounts,
                  std::shared_ptr<const Machines> machines);

    // In the provider's own words, after kNotificationBudget at most. Errors: not_found, there is no such account.
    // Cancel: never; what has begun is carried out.
    Task<Result<callback::Acknowledgement>> take(std::string provider, std::string account,
                                                 callback::Notification notification);

    // What has begun keeps the former ones.
    void reload(std::shared_ptr<const CallbackAccounts> accounts,
                std::shared_ptr<const Machines> machines);
    const CallbackAccounts& accounts() const { return *accounts_; }
    // True when everything that has begun ended before the deadline.
    Task<bool> drain(MonotonicTime deadline) { return group_.drain(deadline); }

  private:
    struct Case;
    Task<callback::Outcome> judge(std::shared_ptr<const Case> one);
    Task<HeardNotification> hear(std::shared_ptr<const Case> one);
    Task<Result<Outcome>> send(Sent sent, std::string obstacle, flow::Given names);
    Task<Result<Outcome>> hand_over(Sent sent, std::string obstacle);

    Loop& loop_;
    FactTaker& facts_;
    NotificationWatch& watch_;
    std::shared_ptr<const CallbackAccounts> accounts_;
    std::shared_ptr<const Machines> machines_;
    TaskGroup group_;
};

}  // namespace pawl::engine
