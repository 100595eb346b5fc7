// SPDX-License-Identifier: Apache-2.0
#include "engine/desk.hpp"

#include <algorithm>

#include "engine/sweeper.hpp"

namespace pawl::engine {
namespace {

constexpr std::size_t kContendedEntitiesMax = 1'000;

}  // namespace

void DeskFigures::add(const DeskFigures& others) {
    for (const auto& [labels, count] : others.transitions) transitions[labels] += count;
    contended += others.contended;
    woken += others.woken;
    forgotten += others.forgotten;
    unsound += others.unsound;
}

Desk::Desk(Loop& loop, Observer& observer, std::function<void(std::int64_t)> due)
    : loop_(loop), observer_(observer), due_(std::move(due)), group_(loop) {}

Task<bool> Desk::end(MonotonicTime deadline) {
    ended_ = true;
    co_return co_await group_.drain(deadline);
}

void Desk::wakes(store::FlowSubject subject, std::vector<flow::WaitingFact> facts) {
    if (facts.empty() || committer_ == nullptr || ended_) return;
    const std::string meeting = facts.front().meeting;
    const bool is_new = !queues_.contains(meeting);
    Queue& queue = queues_[meeting];
    queue.subject = std::move(subject);
    for (flow::WaitingFact& fact : facts) {
        if (std::ranges::find(queue.facts, fact) != queue.facts.end()) continue;
        if (waiting_ >= kWakesMax) {
            ++figures_.forgotten;
            continue;
        }
        queue.facts.push_back(std::move(fact));
        ++waiting_;
    }
    if (is_new) group_.spawn(send_again(meeting));
}

Task<void> Desk::send_again(std::string meeting) {
    for (;;) {
        Queue& queue = queues_.at(meeting);
        if (queue.facts.empty() || ended_) break;
        Sent sent{.subject = queue.subject, .event = queue.facts.front().event};
        sent.settles = std::move(queue.facts.front());
        queue.facts.pop_front();
        --waiting_;
        ++figures_.woken;
        // Where it fails it goes on waiting, and the sweep comes by.
        const Result<Outcome> outcome = co_await committer_->send(std::move(sent));
        static_cast<void>(outcome);
    }
    waiting_ -= queues_.at(meeting).facts.size();
    queues_.erase(meeting);
}

// Later ones are found by the sweeper's own look.
void Desk::due(std::int64_t next_due_ms, std::int64_t now_ms) {
    if (due_ && next_due_ms - now_ms <= kLookEvery.count()) due_(next_due_ms);
}

void Desk::decided(const Sent& sent, const Outcome& outcome) {
    count(sent, outcome);
    if (outcome.told == Told::contended) tell_contended(sent.subject);
    observer_.decided(sent, outcome);
}

void Desk::unsound(const store::FlowSubject& subject) {
    ++figures_.unsound;
    observer_.unsound(subject);
}

void Desk::count(const Sent& sent, const Outcome& outcome) {
    const bool unknown = outcome.refusal && outcome.refusal->reason == flow::Reason::not_found;
    TransitionLabels labels{sent.subject.flow, unknown ? "other" : sent.event.name, outcome.from,
                            outcome.to, outcome.told};
    const auto at = figures_.transitions.find(labels);
    if (at == figures_.transitions.end() && figures_.transitions.size() >= kTransitionSeriesMax)
        labels = {"other", "other", {}, {}, outcome.told};
    ++figures_.transitions[std::move(labels)];
}

void Desk::tell_contended(const store::FlowSubject& subject) {
    ++figures_.contended;
    const MonotonicTime now = loop_.now();
    if (contended_.size() >= kContendedEntitiesMax)
        std::erase_if(contended_,
                      [now](const auto& one) { return now - one.second >= kContendedEvery; });
    if (contended_.size() >= kContendedEntitiesMax) return;
    const std::string entity =
        flow::meeting_of(subject.tenant, subject.flow, subject.business_key, subject.id);
    const auto [at, is_new] = contended_.try_emplace(entity, now);
    if (!is_new && now - at->second < kContendedEvery) return;
    at->second = now;
    observer_.contended(subject);
}

}  // namespace pawl::engine
