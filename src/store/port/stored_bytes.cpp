// SPDX-License-Identifier: Apache-2.0
#include "store/port/stored_bytes.hpp"

#include <algorithm>

namespace pawl::store {

void StoredBytes::apply(const Change& change) {
    by_place_[{change.place, change.tenant}] += change.bytes;
    by_tenant_[change.tenant] += change.bytes;
}

void StoredBytes::drop(std::int64_t place) {
    auto at = by_place_.lower_bound({place, 0});
    while (at != by_place_.end() && at->first.first == place) {
        by_tenant_[at->first.second] -= at->second;
        at = by_place_.erase(at);
    }
}

std::uint64_t StoredBytes::of(std::uint64_t tenant) const {
    const auto found = by_tenant_.find(tenant);
    return found == by_tenant_.end()
               ? 0
               : static_cast<std::uint64_t>(std::max<std::int64_t>(found->second, 0));
}

std::uint64_t StoredBytes::most() const {
    std::int64_t most = 0;
    for (const auto& [tenant, bytes] : by_tenant_) most = std::max(most, bytes);
    return static_cast<std::uint64_t>(most);
}

std::vector<std::int64_t> StoredBytes::places(std::int64_t from, std::int64_t until) const {
    std::vector<std::int64_t> places;
    for (auto at = by_place_.lower_bound({from, 0});
         at != by_place_.end() && at->first.first < until; ++at)
        if (places.empty() || places.back() != at->first.first) places.push_back(at->first.first);
    return places;
}

}  // namespace pawl::store
