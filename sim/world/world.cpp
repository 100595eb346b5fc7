// SPDX-License-Identifier: Apache-2.0
#include "sim/world/world.hpp"

namespace pawl::sim {
namespace {

// No honest step needs so many handlers at one instant.
constexpr std::uint64_t kHandlersAtOneInstantMax = 200'000;

}  // namespace

Room::Room(World& world, std::string name, std::uint64_t seed)
    : world_(world), name_(std::move(name)), clock_(world.clock_), entropy_(seed) {
    loop_.emplace(context_, clock_, alarms_, entropy_);
    world_.enter(*this);
}

Room::~Room() {
    silence();
    drop_suspended();
    drop_ready();
    world_.leave(*this);
}

World::World(std::uint64_t seed, bool printing)
    : seed_(seed),
      trace_(clock_, printing),
      turns_(seed, "turns"),
      outside_(std::make_unique<Room>(*this, "outside", split(seed, "outside"))) {}

void World::run_deferred() {
    for (auto& step : std::exchange(deferred_, {})) step();
}

// One handler of each room in turn, from a room that the seed chooses, until all are idle.
bool World::run_ready() {
    std::uint64_t handlers = 0;
    for (bool any = true; any;) {
        any = false;
        if (!deferred_.empty()) run_deferred();
        const std::size_t count = rooms_.size();
        const std::size_t start = count > 1 ? turns_.below(count) : 0;
        for (std::size_t i = 0; i < count; ++i) {
            Room& room = *rooms_[(start + i) % count];
            if (room.frozen_ || room.context_.poll_one() == 0) continue;
            any = true;
            trace_.mark("turn", (start + i) % count);
            if (++handlers > kHandlersAtOneInstantMax) return false;
            if (!deferred_.empty()) break;  // a room may be gone
        }
    }
    return true;
}

Room* World::next_due() {
    Room* first = nullptr;
    MonotonicTime at = kNever;
    for (Room* room : rooms_) {
        const auto next = room->frozen_ ? std::nullopt : room->alarms_.next();
        if (!next || *next >= at) continue;
        first = room;
        at = *next;
    }
    return first;
}

void World::run_until(MonotonicTime until, const std::function<bool()>& done) {
    std::uint64_t alarms = 0;
    for (;;) {
        if (!run_ready() || alarms > kHandlersAtOneInstantMax) {
            spins_ = true;
            return;
        }
        if (done && done()) return;
        Room* room = next_due();
        if (room == nullptr || *room->alarms_.next() > until) break;
        if (const MonotonicTime at = *room->alarms_.next(); at > now()) {
            clock_.advance(at);
            alarms = 0;
        }
        ++alarms;
        trace_.mark("alarm", room->alarms_.pending());
        room->alarms_.fire_next(now());
    }
    if (until > now()) clock_.advance(until);
}

}  // namespace pawl::sim
