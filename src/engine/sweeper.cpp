// SPDX-License-Identifier: Apache-2.0
#include "engine/sweeper.hpp"

#include <algorithm>

#include "engine/deciding.hpp"
#include "engine/draft.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::engine {
namespace {

std::string name_of(const store::FlowSubject& subject) {
    return flow::meeting_of(subject.tenant, subject.flow, {}, subject.id);
}

// A repeat soon would get the same.
bool is_lasting(const Error& error) {
    return error.code == Code::internal || error.code == Code::store_corrupt;
}

}  // namespace

Sweeper::Sweeper(Loop& loop, store::Flows& flows, store::Timers& timers, Committer& committer,
                 Observer& observer)
    : loop_(loop),
      flows_(flows),
      timers_(timers),
      committer_(committer),
      observer_(observer),
      firing_(loop),
      beside_(loop) {}

void Sweeper::start() { beside_.spawn(run()); }

// A time that has passed, by however much a clock was set, is now.
MonotonicTime Sweeper::time_of(std::int64_t store_ms) const {
    const std::int64_t delay_ms = timer::delay_ms(store_ms, store_ms_);
    return read_at_ + std::chrono::milliseconds(std::min(delay_ms, kLookEvery.count()));
}

void Sweeper::hint(std::int64_t next_due_ms) {
    hinted_ms_ = std::min(hinted_ms_, next_due_ms);
    if (time_of(next_due_ms) < look_at_) loop_.wake(std::exchange(resting_, {}), true);
}

Task<bool> Sweeper::end(MonotonicTime deadline) {
    ended_ = true;
    to_ask_.clear();
    loop_.wake(std::exchange(resting_, {}), true);
    const bool fired = co_await firing_.drain(deadline);
    co_return co_await beside_.drain(deadline) && fired;
}

Task<void> Sweeper::run() {
    while (!ended_) {
        const MonotonicTime next = co_await step();
        for (;;) {
            look_at_ = next;
            if (hinted_ms_ != timer::kNever) look_at_ = std::min(next, time_of(hinted_ms_));
            if (ended_ || loop_.now() >= look_at_) break;
            co_await loop_.park(look_at_, [this](ParkId id) { resting_ = id; });
        }
    }
}

bool Sweeper::is_left_alone(const store::FlowSubject& subject) const {
    const std::string name = name_of(subject);
    return busy_.contains(name) || shunned_.contains(name);
}

void Sweeper::forget_shunned() {
    const MonotonicTime now = loop_.now();
    std::erase_if(shunned_, [now](const auto& one) { return one.second <= now; });
}

std::vector<Sweeper::Due> Sweeper::due_in(const store::DueRows& read) const {
    std::vector<Due> due;
    for (const store::DueRow& row : read.rows) {
        const auto earliest = std::ranges::min_element(row.deadlines, {}, &timer::Running::next_ms);
        if (earliest == row.deadlines.end() || earliest->next_ms > read.now_ms) continue;
        if (!is_left_alone(row.subject)) due.push_back({row.subject, row.version, *earliest});
    }
    return due;
}

Task<MonotonicTime> Sweeper::step() {
    const std::size_t wanted = first_ ? timer::kFirstPassDueMax + 1 : timer::kFireStep + 1;
    forget_shunned();
    const std::size_t limit = std::min(wanted + busy_.size() + shunned_.size(), kSweepReadMax);
    hinted_ms_ = timer::kNever;
    // Looks ahead as far as there is anything: what is not due yet says when to look again.
    const Result<store::DueRows> read = co_await timers_.due(timer::kNever, limit);
    if (!read) {
        ++figures_.failed;
        if (is_planted(Plant::sweep_stops)) ended_ = true;
        co_return loop_.now() + kStoreAwayAgain;
    }
    store_ms_ = read->now_ms;
    read_at_ = loop_.now();
    std::vector<Due> due = due_in(*read);
    const timer::Plan plan = pacer_.plan(
        {milliseconds_of(loop_.clock().wall()),
         std::chrono::duration_cast<std::chrono::milliseconds>(loop_.now().time_since_epoch())
             .count(),
         due.size()});
    first_ = false;
    ++figures_.steps;
    if (plan.is_paced) ++figures_.paced;
    if (plan.raises_alarm()) observer_.paced(plan);
    const std::size_t most = std::min(plan.most, kFiringMax - firing_now_);
    const bool more = due.size() > most;
    if (more) due.resize(most);
    for (Due& one : due) {
        busy_.insert(name_of(one.subject));
        ++firing_now_;
        firing_.spawn(fire(std::move(one)));
    }
    co_await firing_.drain(loop_.now() + kStepPatience);
    co_return next_look(*read, more, plan.is_paced);
}

MonotonicTime Sweeper::next_look(const store::DueRows& read, bool more, bool is_paced) {
    if (is_paced) return loop_.now() + timer::kPacedStepEvery;
    if (more) return loop_.now();
    std::int64_t next_ms = timer::kNever;
    for (const store::DueRow& row : read.rows) {
        const std::int64_t one_ms = timer::earliest_ms(row.deadlines);
        if (one_ms > read.now_ms) next_ms = std::min(next_ms, one_ms);
    }
    return time_of(next_ms);
}

Sent Sweeper::sent_of(const Due& due, const flow::Machine& machine) const {
    Sent sent{.subject = {due.subject.tenant, due.subject.flow, due.subject.id, {}},
              .event = {.name = event_of(machine, due.deadline.name),
                        .sender = flow::Sender::timer,
                        .deadline = due.deadline.name}};
    sent.store_first = true;
    return sent;
}

Task<void> Sweeper::fire(Due due) {
    const std::string name = name_of(due.subject);
    const std::shared_ptr<const Machines> machines = committer_.machines();
    const flow::Machine* machine = machines->find(due.subject.flow);
    bool asks = false;
    if (machine == nullptr) {
        (void)co_await set_aside(std::move(due), store_ms_);
    } else {
        Sent sent = sent_of(due, *machine);
        ++figures_.fired;
        figures_.late_ms = store_ms_ - due.deadline.due_ms;
        const Result<Outcome> outcome = co_await committer_.send(sent);
        if (!outcome) ++figures_.failed;
        if (!outcome && is_lasting(outcome.error()) &&
            !co_await set_aside(std::move(due), store_ms_))
            shunned_[name] = loop_.now() + kUnservedAgain;
        asks = outcome && outcome->asks && !ended_;
        if (asks && to_ask_.size() >= kToAskMax) {
            ++figures_.left;
            asks = false;
        }
        if (asks) {
            sent.store_first = false;
            to_ask_.push_back(std::move(sent));
        }
    }
    --firing_now_;
    if (!asks) busy_.erase(name);
    if (asks && asking_ < kAskingMax) {
        ++asking_;
        beside_.spawn(ask());
    }
}

// The version stays, and with it whatever is under way.
Task<bool> Sweeper::set_aside(Due due, std::int64_t now_ms) {
    due.deadline.next_ms = timer::after_ms(now_ms, kUnservedAgain);
    const Result<store::FlowReply> reply =
        co_await flows_.commit({due.subject, flow::Later{due.deadline, due.version}});
    if (!reply) ++figures_.failed;
    co_return reply && reply->outcome != store::FlowOutcome::lost;
}

Task<void> Sweeper::ask() {
    while (!to_ask_.empty() && !ended_) {
        Sent sent = std::move(to_ask_.front());
        to_ask_.pop_front();
        const std::string name = name_of(sent.subject);
        ++figures_.asked;
        const Result<Outcome> outcome = co_await committer_.send(std::move(sent));
        if (!outcome) ++figures_.failed;
        busy_.erase(name);
    }
    --asking_;
}

}  // namespace pawl::engine
