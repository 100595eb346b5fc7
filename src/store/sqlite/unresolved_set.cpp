// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/unresolved_set.hpp"

#include <algorithm>

namespace pawl::sqlite {

using record::State;

std::set<UnresolvedSet::Waiting>& UnresolvedSet::list_of(State state) {
    return state == State::uncertain ? uncertain_ : open_;
}

void UnresolvedSet::apply(const std::vector<StateChange>& changes) {
    const std::scoped_lock lock(mutex_);
    for (const StateChange& change : changes) {
        if (const auto found = places_.find(change.record); found != places_.end()) {
            const Place& old = found->second;
            if (old.state == State::in_progress)
                leases_.erase({old.lease_until_ms, change.record});
            else
                list_of(old.state).erase(old.waiting);
            if (!record::is_unresolved(change.state)) places_.erase(found);
        }
        if (!record::is_unresolved(change.state)) continue;
        const Place place{
            change.state, {change.changed_ms, change.record}, change.lease_until_ms, change.who};
        places_.insert_or_assign(change.record, place);
        if (change.state == State::in_progress)
            leases_.emplace(change.lease_until_ms, change.record);
        else
            list_of(change.state).insert(place.waiting);
    }
}

void UnresolvedSet::add_unreadable(RecordId record, std::int64_t now_ms) {
    const std::scoped_lock lock(mutex_);
    const Place place{State::uncertain, {now_ms, record}, 0, {}};
    if (places_.emplace(record, place).second) uncertain_.insert(place.waiting);
}

void UnresolvedSet::count_lapsed(std::int64_t now_ms, store::UnresolvedCounts& counts) {
    const std::scoped_lock lock(mutex_);
    auto lease =
        leases_.upper_bound({counted_until_ms_, {std::numeric_limits<std::int64_t>::max()}});
    for (; lease != leases_.end() && lease->first <= now_ms; ++lease)
        counts.add(places_.at(lease->second).who);
    counted_until_ms_ = std::max(counted_until_ms_, now_ms);
}

std::vector<RecordId> UnresolvedSet::lapsed(std::int64_t now_ms, std::size_t limit) const {
    std::vector<RecordId> found;
    const std::scoped_lock lock(mutex_);
    for (const auto& [until_ms, record] : leases_) {
        if (until_ms > now_ms || found.size() == limit) break;
        found.push_back(record);
    }
    return found;
}

std::vector<UnresolvedSet::Waiting> UnresolvedSet::waiting(bool uncertain_only, Waiting after,
                                                           std::int64_t until_ms,
                                                           std::size_t limit) const {
    std::vector<Waiting> found;
    const auto take = [&](const std::set<Waiting>& list) {
        const std::size_t end = found.size() + limit;
        for (auto at = list.upper_bound(after); at != list.end() && at->changed_ms <= until_ms;
             ++at) {
            if (found.size() == end) break;
            found.push_back(*at);
        }
    };
    const std::scoped_lock lock(mutex_);
    take(uncertain_);
    if (uncertain_only) return found;
    take(open_);
    for (const auto& [until, record] : leases_)
        if (const Waiting& place = places_.at(record).waiting;
            place > after && place.changed_ms <= until_ms)
            found.push_back(place);
    std::ranges::sort(found);
    if (found.size() > limit) found.resize(limit);
    return found;
}

store::Totals UnresolvedSet::totals(std::int64_t now_ms) const {
    const std::scoped_lock lock(mutex_);
    store::Totals totals;
    totals.in_progress = leases_.size();
    totals.open = open_.size();
    totals.uncertain = uncertain_.size();
    if (!uncertain_.empty()) totals.oldest_uncertain_ms = now_ms - uncertain_.begin()->changed_ms;
    return totals;
}

std::vector<RecordId> UnresolvedSet::of_generation(std::uint32_t number) const {
    std::vector<RecordId> found;
    const std::scoped_lock lock(mutex_);
    for (const auto& [record, place] : places_)
        if (record.generation() == number) found.push_back(record);
    return found;
}

std::vector<RecordId> UnresolvedSet::all() const {
    std::vector<RecordId> found;
    const std::scoped_lock lock(mutex_);
    found.reserve(places_.size());
    for (const auto& [record, place] : places_) found.push_back(record);
    std::ranges::sort(found);
    return found;
}

}  // namespace pawl::sqlite
