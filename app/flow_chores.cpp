// SPDX-License-Identifier: Apache-2.0
#include "app/flow_chores.hpp"

#include <fmt/format.h>
#include <boost/asio/post.hpp>

#include "runtime/codec/visible.hpp"

namespace pawl::app {
namespace {

constexpr std::size_t kRetireStep = 200;
// Where entities are kept for ever: how long it is known who closed an entry for people, and why.
constexpr std::chrono::milliseconds kClosedKept = std::chrono::days{400};

std::string named(const store::FlowSubject& subject) {
    const bool by_id = !subject.id.empty();
    return fmt::format("{} {}", subject.flow, visible(by_id ? subject.id : subject.business_key));
}

}  // namespace

void FlowChores::contended(const store::FlowSubject& subject) {
    report_.warn(
        fmt::format("flow.contended: events of {} overtake each other, and one of them was "
                    "told to come again",
                    named(subject)));
}

void FlowChores::unsound(const store::FlowSubject& subject) {
    report_.error(
        fmt::format("the rows of {} contradict each other; nothing was written. Look at "
                    "them with `pawl flow timeline`",
                    named(subject)));
}

void FlowChores::paced(const timer::Plan& plan) {
    report_.warn(plan.clock_jumped
                     ? "the clock has jumped: deadlines that are due now are fired slowly, so that "
                       "there is time to look"
                     : "more deadlines are due at once than is usual after a start: they are fired "
                       "slowly, so that there is time to look");
}

void FlowChores::decided(const engine::Sent& sent, const engine::Outcome& outcome) {
    if (committed_ && outcome.told == engine::Told::applied) committed_();
    store::FlowSubject subject = sent.subject;
    if (!outcome.id.empty()) subject.id = outcome.id;
    if (outcome.is_second) {
        facts_.second_payments.add();
        report_.warn(
            fmt::format("`{}` of {} took effect before, and has come a second time: it is "
                        "compensated",
                        visible(sent.event.name), named(subject)));
    }
    // Of a notification `heard` tells.
    const bool told = sent.event.sender == flow::Sender::callback && !sent.settles;
    if (outcome.told == engine::Told::attention && !told)
        report_.warn(fmt::format("{} waits for a person: {} (`pawl attention list`)",
                                 named(subject), visible(outcome.reason)));
}

void FlowChores::heard(const engine::HeardNotification& one) {
    if (!one.alarm) return;
    report_.warn(
        fmt::format("a notification of {} {} waits for a person: {} (`pawl attention list`)",
                    one.provider, one.account, visible(one.why)));
}

void FlowChores::hint(Loop& from, std::int64_t next_due_ms) {
    if (&from == &loop_) {
        if (sweeper_) sweeper_->hint(next_due_ms);
        return;
    }
    boost::asio::post(loop_.executor(), [this, next_due_ms] {
        if (sweeper_) sweeper_->hint(next_due_ms);
    });
}

void FlowChores::start(FlowStation& first, std::optional<std::chrono::milliseconds> finished) {
    first_ = &first;
    finished_ = finished;
    sweeper_ = std::make_unique<engine::Sweeper>(loop_, first.store(), first.store(),
                                                 first.committer(), *this);
    parking_ = std::make_unique<engine::Parking>(loop_, first.store(), first.committer());
    sweeper_->start();
    parking_->start();
}

Task<bool> FlowChores::retire() {
    if (first_ == nullptr) co_return false;
    const auto gone = co_await first_->store().retire(
        kRetireStep, finished_.value_or(kClosedKept).count(), !finished_);
    co_return gone && *gone >= kRetireStep;
}

Task<void> FlowChores::tell_of_states(std::shared_ptr<const engine::Machines> machines,
                                      std::function<Task<bool>()> rest) {
    const auto stranded = co_await find_stranded(first_->store(), machines, std::move(rest));
    if (!stranded) co_return;
    for (const std::string& line : lines_of(*stranded, *machines)) report_.warn(line);
}

void FlowChores::tell_of_damage(const std::vector<store::DamagedRow>& rows) {
    for (const store::DamagedRow& row : rows)
        report_.error(
            fmt::format("a row of {} cannot be read ({}): whatever needs it is told store_corrupt, "
                        "all others are served. Put back a copy of the store",
                        row.table, visible(row.whose)));
}

Task<bool> FlowChores::end(MonotonicTime deadline) {
    if (!sweeper_) co_return true;
    const bool fired = co_await sweeper_->end(deadline);
    co_return co_await parking_->end(deadline) && fired;
}

}  // namespace pawl::app
