// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/reader.hpp"

namespace pawl::sqlite {

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
    {
        const std::scoped_lock lock(mutex_);
        if (stopping_ || jobs_.size() >= kReadsMax) return false;
        jobs_.push_back(std::move(job));
    }
    changed_.notify_one();
    return true;
}

void Reader::run() {
    for (;;) {
        Job job;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
            if (jobs_.empty()) return;
            job = std::move(jobs_.front());
            jobs_.pop_front();
        }
        job(look_ups_);
    }
}

}  // namespace pawl::sqlite
