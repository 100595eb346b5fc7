// SPDX-License-Identifier: Apache-2.0
#include "runtime/task/loop.hpp"

namespace pawl {

Loop::Loop(boost::asio::io_context& context, const Clock& clock, Alarms& alarms, Entropy& entropy)
    : executor_(context.get_executor()), clock_(clock), alarms_(alarms), entropy_(entropy) {}

Loop::~Loop() {
    // A destroyed coroutine may run destructors that look at this loop: take them out one at a time.
    for (std::size_t i = 0; i < places_.size(); ++i) {
        Resume dropped = std::move(places_[i].resume);
        alarms_.cancel(places_[i].alarm);
        ++places_[i].generation;
    }
}

ParkId Loop::keep(Resume resume, MonotonicTime deadline) {
    std::uint32_t slot = 0;
    if (free_places_.empty()) {
        slot = static_cast<std::uint32_t>(places_.size());
        places_.emplace_back();
    } else {
        slot = free_places_.back();
        free_places_.pop_back();
    }
    Place& place = places_[slot];
    if (++place.generation == 0) ++place.generation;
    const ParkId id{slot, place.generation};
    place.resume = std::move(resume);
    place.alarm = {};
    if (deadline != kNever) place.alarm = alarms_.set(deadline, [this, id] { wake(id, false); });
    return id;
}

bool Loop::wake(ParkId id, bool signalled) {
    if (id.generation == 0 || id.slot >= places_.size()) return false;
    Place& place = places_[id.slot];
    if (place.generation != id.generation || !place.resume) return false;
    if (signalled) alarms_.cancel(place.alarm);
    Resume resume = std::move(place.resume);
    place.resume = nullptr;
    if (++place.generation == 0) ++place.generation;
    free_places_.push_back(id.slot);
    resume(signalled);
    return true;
}

Task<void> Loop::sleep_until(MonotonicTime time) {
    co_await park(time, [](ParkId) {});
}

}  // namespace pawl
