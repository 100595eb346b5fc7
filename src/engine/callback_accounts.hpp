// SPDX-License-Identifier: Apache-2.0
// The accounts whose notifications are taken, by provider and name, with what is counted of each. Immutable and shared
// by all loops; a reload makes another, which goes on counting where the former stopped.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/callback/callback.hpp"
#include "core/callback/subscription.hpp"
#include "runtime/meter/meter.hpp"

namespace pawl::engine {

// How long notifications took, with bounds at which a provider loses patience.
class NotificationDurations {
  public:
    static constexpr std::array<double, 7> kBoundsSeconds{0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0};
    void add(std::chrono::nanoseconds duration);
    // The last one takes everything longer.
    std::uint64_t bucket(std::size_t i) const { return buckets_[i].value(); }
    std::uint64_t sum_microseconds() const { return sum_microseconds_.value(); }

  private:
    std::array<Counter, kBoundsSeconds.size() + 1> buckets_;
    Counter sum_microseconds_;
};

// Written by all loops.
struct NotificationFigures {
    std::array<Counter, callback::kOutcomeCount> outcomes;
    Counter alarms;  // a person has to look
    Counter late;    // answered before the outcome was known
    NotificationDurations durations;
    Counter& of(callback::Outcome outcome) { return outcomes[static_cast<std::size_t>(outcome)]; }
};

struct CallbackAccount {
    callback::Subscription subscription;
    std::shared_ptr<NotificationFigures> figures;  // shared with the account of the next reload
};

class CallbackAccounts {
  public:
    CallbackAccounts() = default;
    // Precondition: every account passed check(), and no two of one provider have the same name.
    explicit CallbackAccounts(std::vector<callback::Subscription> subscriptions,
                              const CallbackAccounts* former = nullptr);

    // By the two names in the address. nullptr: there is no such account. Good as long as these.
    const CallbackAccount* find(std::string_view provider, std::string_view account) const;
    // By provider and name, sorted.
    using Key = std::pair<std::string, std::string>;
    const std::map<Key, CallbackAccount>& all() const { return accounts_; }

  private:
    std::map<Key, CallbackAccount> accounts_;
};

}  // namespace pawl::engine
