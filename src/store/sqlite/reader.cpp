// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/reader.hpp"

#include <algorithm>

namespace pawl::sqlite {

using Found = std::vector<std::pair<std::weak_ptr<ReadTo>, LookUps::Read>>;

Reader::Reader(Connection connection, const Engine& engine)
    : connection_(std::move(connection)),
      look_ups_(connection_, engine.catalog(), engine.unresolved_set(), engine.time(), true),
      thread_([this] { run(); }) {}

Reader::~Reader() {
    {
        const std::scoped_lock lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

bool Reader::submit(Job job) {
    bool wake = false;
    {
        const std::scoped_lock lock(mutex_);
        if (stopping_ || waiting_.size() >= kReadsMax) return false;
        waiting_.jobs.push_back(std::move(job));
        wake = sleeping_;
    }
    if (wake) changed_.notify_one();
    return true;
}

bool Reader::submit(const Digest& identity, Asker asker) {
    bool wake = false;
    {
        const std::scoped_lock lock(mutex_);
        if (stopping_ || waiting_.size() >= kReadsMax) return false;
        waiting_.identities.push_back(identity);
        waiting_.askers.push_back(std::move(asker));
        wake = sleeping_;
    }
    if (wake) changed_.notify_one();
    return true;
}

void Reader::run() {
    for (;;) {
        Work work;
        {
            std::unique_lock lock(mutex_);
            sleeping_ = true;
            changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
            sleeping_ = false;
            if (waiting_.empty()) return;
            std::swap(work, waiting_);
        }
        for (std::size_t from = 0; from < work.identities.size(); from += kReadsPerLook) {
            const std::size_t count = std::min(kReadsPerLook, work.identities.size() - from);
            read(std::span(work.identities).subspan(from, count),
                 std::span(work.askers).subspan(from, count));
        }
        for (Job& job : work.jobs) job(look_ups_);
    }
}

void Reader::read(std::span<const Digest> identities, std::span<Asker> askers) {
    std::vector<LookUps::Read> read = look_ups_.read_all(identities);
    // There are few loops, so their inboxes are looked for one by one.
    std::vector<std::pair<std::shared_ptr<LoopInbox>, Found>> by_loop;
    for (std::size_t i = 0; i < askers.size(); ++i) {
        auto place = std::ranges::find(by_loop, askers[i].inbox,
                                       [](const auto& entry) { return entry.first; });
        if (place == by_loop.end())
            place = by_loop.emplace(by_loop.end(), std::move(askers[i].inbox), Found{});
        place->second.emplace_back(std::move(askers[i].slot), std::move(read[i]));
    }
    for (auto& [inbox, found] : by_loop) {
        inbox->post([delivered = std::move(found)]() mutable {
            for (auto& [slot, answer] : delivered)
                if (const auto waiting = slot.lock()) waiting->set(std::move(answer));
        });
    }
}

}  // namespace pawl::sqlite
