// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/writer.hpp"

#include <algorithm>

namespace pawl::sqlite {

namespace {

template <class List>
auto part_of(List& list, std::size_t from) {
    const std::size_t begin = std::min(from, list.size());
    return std::span(list).subspan(begin, std::min(kCallsPerCommitMax, list.size() - begin));
}

}  // namespace

Result<std::unique_ptr<Writer>> Writer::open(const FileOptions& file, const Clock& clock,
                                             Entropy& entropy, EngineOptions options) {
    auto opened = open_store(file);
    if (!opened) return fail(opened.error());
    auto engine = Engine::start(std::move(*opened), clock, entropy, std::move(options));
    if (!engine) return fail(engine.error());
    auto reading = open_reader(file);
    if (!reading) return fail(reading.error());
    return std::unique_ptr<Writer>(new Writer(std::move(*engine), std::move(*reading)));
}

Writer::Writer(std::unique_ptr<Engine> engine, Connection reading)
    : engine_(std::move(engine)),
      reader_(std::make_unique<Reader>(std::move(reading), *engine_)),
      thread_([this] { run(); }) {}

Writer::~Writer() {
    {
        const std::scoped_lock lock(mutex_);
        waiting_.stop = true;
    }
    changed_.notify_one();
    thread_.join();
    // The reader's connection goes first: the last one to close moves the log into the file.
    reader_.reset();
}

template <class Sent, class From>
bool Writer::push(std::vector<Sent> Work::* list, std::vector<From> Work::* senders, Sent sent,
                  From sender) {
    bool wake = false;
    {
        const std::scoped_lock lock(mutex_);
        if (waiting_.stop || waiting_.size() >= kCallsWaitingMax) return false;
        (waiting_.*list).push_back(std::move(sent));
        (waiting_.*senders).push_back(std::move(sender));
        wake = sleeping_;
    }
    if (wake) changed_.notify_one();
    return true;
}

bool Writer::submit(record::Call call, Sender sender) {
    return push(&Work::calls, &Work::senders, std::move(call), std::move(sender));
}

bool Writer::submit(store::FlowCommit commit, FlowSender sender) {
    return push(&Work::flows, &Work::flow_senders, std::move(commit), std::move(sender));
}

bool Writer::submit(store::Errand errand, ErrandSender sender) {
    return push(&Work::errands, &Work::errand_senders, std::move(errand), std::move(sender));
}

bool Writer::submit(Job job) {
    {
        const std::scoped_lock lock(mutex_);
        if (waiting_.stop) return false;
        waiting_.jobs.push_back(std::move(job));
    }
    changed_.notify_one();
    return true;
}

void Writer::note(store::TimelineEntry entry) {
    if (!engine_->add_note(std::move(entry))) return;
    // The first one wakes the writer, which then lets others gather. The lock: it is either asleep or has
    // yet to look.
    {
        const std::scoped_lock lock(mutex_);
    }
    changed_.notify_one();
}

std::size_t Writer::waiting() const {
    const std::scoped_lock lock(mutex_);
    return waiting_.size();
}

Writer::Work Writer::take(bool may_wait) {
    std::unique_lock lock(mutex_);
    while (may_wait && waiting_.empty() && !waiting_.stop) {
        sleeping_ = true;
        if (engine_->notes().size() == 0)
            changed_.wait(lock);
        else if (changed_.wait_for(lock, kNotesGather) == std::cv_status::timeout)
            may_wait = false;
        sleeping_ = false;
    }
    Work work;
    work.stop = waiting_.stop;
    work.calls.swap(waiting_.calls);
    work.senders.swap(waiting_.senders);
    work.flows.swap(waiting_.flows);
    work.flow_senders.swap(waiting_.flow_senders);
    work.errands.swap(waiting_.errands);
    work.errand_senders.swap(waiting_.errand_senders);
    work.jobs.swap(waiting_.jobs);
    return work;
}

void Writer::run() {
    auto tended = std::chrono::steady_clock::now();
    bool more = false;
    for (;;) {
        Work work = take(!more);
        if (work.stop && work.empty()) break;
        const std::size_t most =
            std::max({work.calls.size(), work.flows.size(), work.errands.size()});
        for (std::size_t from = 0; from < most; from += kCallsPerCommitMax) {
            commit(work, from);
            if (engine_->log_is_long()) engine_->checkpoint();
        }
        for (Job& job : work.jobs) job(*engine_);
        const auto now = std::chrono::steady_clock::now();
        if (!work.empty() && now - tended < kTendEvery) continue;
        tended = now;
        more = engine_->tend();
        if (work.empty() && !more) engine_->rest();
    }
    while (engine_->notes().size() > 0 && engine_->tend()) {
    }
}

void Writer::commit(Work& work, std::size_t from) {
    BatchReplies replies = engine_->commit_batch({.calls = part_of(work.calls, from),
                                                  .flows = part_of(work.flows, from),
                                                  .errands = part_of(work.errands, from)});
    deliver(part_of(work.senders, from), std::move(replies.calls));
    deliver(part_of(work.flow_senders, from), std::move(replies.flows));
    deliver(part_of(work.errand_senders, from), std::move(replies.errands));
}

}  // namespace pawl::sqlite
