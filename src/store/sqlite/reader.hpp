// SPDX-License-Identifier: Apache-2.0
// A thread with a read-only connection of its own: look-ups take their time beside the writer, not from it. The
// reads of records that wait are done together, in one state of the file that is taken hold of after they were
// asked for, and go back with one post per loop.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "store/sqlite/engine.hpp"
#include "store/sqlite/loop_inbox.hpp"

namespace pawl::sqlite {

inline constexpr std::size_t kReadsMax = 16'384;
// So that the first of them does not wait long for the last, and the log not for any of them.
inline constexpr std::size_t kReadsPerLook = 32;

using ReadTo = store::ReplySlot<LookUps::Read>;

class Reader {
  public:
    using Job = std::move_only_function<void(LookUps&)>;
    using Asker = AskerOf<LookUps::Read>;

    // `engine` outlives it.
    Reader(Connection connection, const Engine& engine);
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader();

    // From any thread. False: too many wait already; nothing is looked up.
    bool submit(Job job);
    bool submit(const Digest& identity, Asker asker);

  private:
    struct Work {
        std::deque<Job> jobs;
        std::vector<Digest> identities;
        std::vector<Asker> askers;
        bool empty() const { return jobs.empty() && identities.empty(); }
        std::size_t size() const { return jobs.size() + identities.size(); }
    };

    void run();

    Connection connection_;
    LookUps look_ups_;
    std::mutex mutex_;
    std::condition_variable changed_;
    Work waiting_;
    bool sleeping_ = false;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace pawl::sqlite
