// SPDX-License-Identifier: Apache-2.0
// A thread with a read-only connection of its own: look-ups take their time beside the writer, not from it.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "store/sqlite/engine.hpp"

namespace pawl::sqlite {

inline constexpr std::size_t kReadsMax = 16'384;

class Reader {
  public:
    using Job = std::move_only_function<void(LookUps&)>;

    // `engine` outlives it.
    Reader(Connection connection, const Engine& engine);
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader();

    // From any thread. False: too many wait already; the job is dropped.
    bool submit(Job job);

  private:
    void run();

    Connection connection_;
    LookUps look_ups_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace pawl::sqlite
