// SPDX-License-Identifier: Apache-2.0
#include "engine/callback_accounts.hpp"

#include <algorithm>

namespace pawl::engine {

void NotificationDurations::add(std::chrono::nanoseconds duration) {
    const double seconds = std::chrono::duration<double>(duration).count();
    const auto bound = std::ranges::lower_bound(kBoundsSeconds, seconds);
    buckets_[static_cast<std::size_t>(bound - kBoundsSeconds.begin())].add();
    const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
    sum_microseconds_.add(static_cast<std::uint64_t>(std::max<std::int64_t>(whole, 0)));
}

CallbackAccounts::CallbackAccounts(std::vector<callback::Subscription> subscriptions,
                                   const CallbackAccounts* former) {
    for (callback::Subscription& one : subscriptions) {
        Key key{name_of(callback::provider_of(one.account)), one.account.name};
        const CallbackAccount* before =
            former == nullptr ? nullptr : former->find(key.first, key.second);
        auto figures =
            before == nullptr ? std::make_shared<NotificationFigures>() : before->figures;
        accounts_.try_emplace(std::move(key), CallbackAccount{std::move(one), std::move(figures)});
    }
}

const CallbackAccount* CallbackAccounts::find(std::string_view provider,
                                              std::string_view account) const {
    const auto at = accounts_.find(Key{provider, account});
    return at == accounts_.end() ? nullptr : &at->second;
}

}  // namespace pawl::engine
