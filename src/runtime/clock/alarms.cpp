// SPDX-License-Identifier: Apache-2.0
#include "runtime/clock/alarms.hpp"

namespace pawl {

Alarms::Alarms(std::move_only_function<void(MonotonicTime)> on_earlier)
    : on_earlier_(std::move(on_earlier)) {}

AlarmId Alarms::set(MonotonicTime at, Callback callback) {
    const AlarmId id{at, ++last_number_};
    const bool earlier = queue_.empty() || at < queue_.begin()->first.first;
    queue_.emplace(std::pair{at, id.number}, std::move(callback));
    if (earlier && on_earlier_) on_earlier_(at);
    return id;
}

bool Alarms::cancel(AlarmId id) { return id.number != 0 && queue_.erase({id.at, id.number}) > 0; }

std::optional<MonotonicTime> Alarms::next() const {
    if (queue_.empty()) return std::nullopt;
    return queue_.begin()->first.first;
}

int Alarms::fire(MonotonicTime now) {
    int fired = 0;
    while (fire_next(now)) ++fired;
    return fired;
}

bool Alarms::fire_next(MonotonicTime now) {
    if (queue_.empty() || queue_.begin()->first.first > now) return false;
    auto entry = queue_.extract(queue_.begin());
    entry.mapped()();
    return true;
}

void Alarms::clear() {
    auto dropped = std::move(queue_);
    queue_.clear();
}

}  // namespace pawl
