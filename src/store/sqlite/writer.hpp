// SPDX-License-Identifier: Apache-2.0
// The production shell of the engine: one thread drains a bounded queue, all calls that wait become one
// commit, and the answers go back with one post per loop and commit. Between the commits it does what can
// wait: notes, indexes, checkpoints.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "store/port/reply_slot.hpp"
#include "store/sqlite/engine.hpp"
#include "store/sqlite/loop_inbox.hpp"
#include "store/sqlite/reader.hpp"

namespace pawl::sqlite {

inline constexpr std::size_t kCallsWaitingMax = 65'536;
inline constexpr std::size_t kCallsPerCommitMax = 512;
// How long notes gather while there is nothing else to commit, and how often what can wait gets its turn
// under load.
inline constexpr std::chrono::milliseconds kNotesGather{50};
inline constexpr std::chrono::milliseconds kTendEvery{25};

// Who waits for what a commit says.
using ReplyTo = store::ReplySlot<Result<store::Reply>>;
using Sender = AskerOf<Result<store::Reply>>;
using FlowSender = AskerOf<Result<store::FlowReply>>;
using ErrandSender = AskerOf<store::ErrandReply>;

class Writer {
  public:
    using Job = std::move_only_function<void(Engine&)>;

    // Opens the store; nothing is served yet. `clock` outlives it and may be read from several threads.
    // Errors: as open_store and Engine::start.
    static Result<std::unique_ptr<Writer>> open(const FileOptions& file, const Clock& clock,
                                                Entropy& entropy, EngineOptions options = {});
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    // Carries out what waits, then closes the file. Precondition: no loop calls any more.
    ~Writer();

    // From any thread. False: too many wait already; the call is not applied.
    bool submit(record::Call call, Sender sender);
    bool submit(store::FlowCommit commit, FlowSender sender);
    bool submit(store::Errand errand, ErrandSender sender);
    bool submit(Job job);
    void note(store::TimelineEntry entry);
    Reader& reader() { return *reader_; }

    // From any thread.
    store::Capabilities capabilities() const { return engine_->capabilities(); }
    bool may_know(const Digest& identity) const { return engine_->may_know(identity); }
    std::uint64_t boot() const { return engine_->boot(); }
    std::int64_t now_ms() const { return engine_->now_ms(); }
    store::Totals totals() const { return engine_->unresolved_set().totals(now_ms()); }
    const EngineMeters& meters() const { return engine_->meters(); }
    store::DamageBook& damage() const { return engine_->damage(); }
    std::uint64_t notes_dropped() const { return engine_->notes().dropped(); }
    std::size_t waiting() const;

  private:
    struct Work {
        std::vector<record::Call> calls;
        std::vector<Sender> senders;
        std::vector<store::FlowCommit> flows;
        std::vector<FlowSender> flow_senders;
        std::vector<store::Errand> errands;
        std::vector<ErrandSender> errand_senders;
        std::vector<Job> jobs;
        bool stop = false;
        std::size_t size() const { return calls.size() + flows.size() + errands.size(); }
        bool empty() const { return size() == 0 && jobs.empty(); }
    };

    Writer(std::unique_ptr<Engine> engine, Connection reading);

    void run();
    Work take(bool may_wait);
    // Queues it beside its sender.
    template <class Sent, class From>
    bool push(std::vector<Sent> Work::* list, std::vector<From> Work::* senders, Sent sent,
              From sender);
    // As many of each as one flush takes, from these on.
    void commit(Work& work, std::size_t from);

    std::unique_ptr<Engine> engine_;
    std::unique_ptr<Reader> reader_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Work waiting_;
    bool sleeping_ = false;
    std::thread thread_;
};

}  // namespace pawl::sqlite
