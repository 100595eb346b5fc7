// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/reader.hpp"

#include <algorithm>

namespace pawl::sqlite {

Reader::Reader(Connection connection, const Engine& engine)
    : connection_(std::move(connection)),
      look_ups_(connection_, engine.catalog(), engine.unresolved_set(), engine.time(),
                engine.damage(), true),
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
            deliver(std::span(work.askers).subspan(from, count),
                    look_ups_.read_all(std::span(work.identities).subspan(from, count)));
        }
        for (Job& job : work.jobs) job(look_ups_);
    }
}

}  // namespace pawl::sqlite
