// SPDX-License-Identifier: Apache-2.0
#include "stream/relay.hpp"

#include <algorithm>
#include <utility>

#include "runtime/plant/planted.hpp"
#include "runtime/result/assert.hpp"

namespace pawl::stream {
namespace {

constexpr std::size_t kReturnedMax = 4'096;
constexpr std::size_t kSuspectsMax =
    100'000;  // beyond it all are forgotten, and counted a try later

bool holds(const std::vector<std::string>& patterns, std::string_view name) {
    return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
               return pattern.ends_with('*') ? name.starts_with(std::string_view(pattern).substr(
                                                   0, pattern.size() - 1))
                                             : name == pattern;
           });
}

}  // namespace

std::string_view name_of(Standing::Kind kind) {
    switch (kind) {
        case Standing::Kind::working:
            return "working";
        case Standing::Kind::paused:
            return "paused";
        case Standing::Kind::stopped:
            break;
    }
    return "stopped";
}

Relay::Relay(Loop& loop, store::Outbox& outbox, Sink& sink, RelaySetup setup, RelayFigures& figures)
    : loop_(loop),
      outbox_(outbox),
      sink_(sink),
      setup_(std::move(setup)),
      figures_(figures),
      bell_(loop),
      group_(loop) {}

// Reading and writing down take turns: a reading that had begun before a row was written down as sent would give
// it out once more.
Task<void> Relay::run() {
    while (true) {
        if (!outcomes_.empty() && loop_.now() >= record_at_) co_await record();
        const bool gives_up = record_failures_ >= kRecordTriesOnLeaving;
        if (is_leaving_ && running_ == 0 && (outcomes_.empty() || gives_up)) break;
        if (may_read() && (is_dirty_ || loop_.now() >= std::min(look_at_, again_at_)))
            co_await read();
        if (!is_leaving_) launch();
        if (!outcomes_.empty() && loop_.now() >= record_at_) continue;
        if (co_await bell_.wait(next_turn())) is_dirty_ = read_failures_ == 0;
    }
    co_await group_.drain(kNever);
}

void Relay::stop() {
    is_leaving_ = true;
    bell_.ring();
}

Task<Result<std::size_t>> Relay::redrive() {
    auto redriven = co_await outbox_.redrive(setup_.sink);
    if (!redriven) co_return redriven;
    stopped_.clear();
    endpoint_failures_ = 0;
    paused_until_ = {};
    bell_.ring();
    co_return redriven;
}

Standing Relay::standing() const {
    if (!stopped_.empty()) return {Standing::Kind::stopped, stopped_};
    if (endpoint_failures_ > 0) return {Standing::Kind::paused, trouble_};
    return {};
}

bool Relay::wants(const store::OutboxRow& row) const {
    return holds(setup_.flows, row.subject.flow) && holds(setup_.types, row.history.type);
}

// Rows that were given back do not keep others from being read: one of them may be what the endpoint fails at.
bool Relay::may_read() const {
    return !is_leaving_ && stopped_.empty() && loop_.now() >= paused_until_ && fresh_.empty() &&
           returned_.size() < kReturnedMax;
}

Task<void> Relay::read() {
    is_dirty_ = false;
    const std::size_t limit = setup_.limits.rows_max + taken_.size();
    auto rows = co_await outbox_.unsent(setup_.sink, setup_.from_the_beginning, limit);
    if (!rows) {
        look_at_ = loop_.now() + setup_.limits.store.pause(loop_.entropy(), ++read_failures_);
        again_at_ = kNever;
        co_return;
    }
    read_failures_ = 0;
    look_at_ = loop_.now() + setup_.limits.look_every;
    if (again_at_ <= loop_.now()) again_at_ = kNever;
    for (store::OutboxRow& row : *rows) {
        if (!taken_.insert(row.number).second) continue;
        if (wants(row)) {
            fresh_.push_back(std::move(row));
            continue;
        }
        outcomes_.push_back({row.number, store::Delivery::Kind::sent});
        figures_.passed_over.add();
    }
}

std::size_t Relay::calls_max() const { return endpoint_failures_ > 0 ? 1 : sink_.parallel_max(); }

bool Relay::may_launch() const {
    return !(fresh_.empty() && returned_.empty()) && stopped_.empty() &&
           loop_.now() >= paused_until_ && running_ < calls_max();
}

// An endpoint in trouble is asked with one row at a time, each time another, so that no row alone decides
// whether it is back. A sink may have answered when spawn() returns.
void Relay::launch() {
    while (may_launch()) {
        const std::size_t rows_max = endpoint_failures_ > 0 ? 1 : sink_.batch_max();
        std::vector<store::OutboxRow> rows;
        while (!(fresh_.empty() && returned_.empty()) && rows.size() < rows_max) {
            const bool takes_fresh = endpoint_failures_ > 0 ? !fresh_.empty() : returned_.empty();
            std::deque<store::OutboxRow>& from = takes_fresh ? fresh_ : returned_;
            rows.push_back(std::move(from.front()));
            from.pop_front();
        }
        ++running_;
        group_.spawn(deliver(std::move(rows)));
    }
}

Task<void> Relay::deliver(std::vector<store::OutboxRow> rows) {
    std::vector<Event> events;
    events.reserve(rows.size());
    for (const store::OutboxRow& row : rows) events.push_back(event_of(row));
    if (is_planted(Plant::told_before_delivered))
        for (const store::OutboxRow& row : rows) outcomes_.push_back({row.number});
    std::vector<Delivered> words = co_await sink_.deliver(std::move(events));
    PAWL_ASSERT(words.size() == rows.size());
    --running_;
    for (std::size_t i = 0; i < rows.size(); ++i) note(std::move(rows[i]), std::move(words[i]));
    bell_.ring();
}

void Relay::note(store::OutboxRow row, Delivered word) {
    using Kind = Delivered::Kind;
    if ((word.kind == Kind::refused && is_planted(Plant::refusal_is_delivered)) ||
        (word.kind == Kind::failed && is_planted(Plant::silence_is_delivered)) ||
        (word.kind == Kind::away && is_planted(Plant::absence_is_delivered)))
        word.kind = Kind::sent;
    const std::uint64_t number = row.number;
    if (word.kind == Kind::sent || word.kind == Kind::refused) {
        ++answers_;
        endpoint_failures_ = 0;
        if (!was_asked_to_wait_) paused_until_ = {};
    }
    switch (word.kind) {
        case Kind::sent:
            suspects_.erase(number);
            figures_.sent.add();
            outcomes_.push_back({number, store::Delivery::Kind::sent});
            return;
        case Kind::refused:
            return charge(row, std::move(word));
        case Kind::failed: {
            if (suspects_.size() >= kSuspectsMax) suspects_.clear();
            const auto [at, is_new] = suspects_.try_emplace(number, answers_);
            if (!is_new && std::exchange(at->second, answers_) < answers_)
                return charge(row, std::move(word));
            return give_back(std::move(row), word);
        }
        case Kind::away:
            return give_back(std::move(row), word);
        case Kind::gone:
            stopped_ = word.said;
            return give_back(std::move(row), word);
    }
}

void Relay::charge(const store::OutboxRow& row, Delivered word) {
    const std::uint32_t tries = row.tries + 1;
    figures_.refused.add();
    if (tries >= setup_.limits.tries_max || is_planted(Plant::parked_at_once)) {
        figures_.parked.add();
        suspects_.erase(row.number);
        outcomes_.push_back(
            {row.number, store::Delivery::Kind::parked, 0, tries, std::move(word.said)});
        return;
    }
    const auto pause = setup_.limits.row.pause(loop_.entropy(), tries, word.retry_after);
    again_at_ = std::min(again_at_, loop_.now() + pause);
    outcomes_.push_back({row.number, store::Delivery::Kind::again, pause.count(), tries, {}});
}

// Those that were under way together fail together: that is one failure.
void Relay::give_back(store::OutboxRow row, const Delivered& word) {
    figures_.failed.add();
    returned_.push_back(std::move(row));
    trouble_ = word.said;
    const MonotonicTime now = loop_.now();
    const bool asked = word.retry_after.count() > 0;
    if (now < paused_until_ && endpoint_failures_ > 0 && !asked) return;
    if (now >= paused_until_ || endpoint_failures_ == 0) ++endpoint_failures_;
    const auto pause =
        setup_.limits.endpoint.pause(loop_.entropy(), endpoint_failures_, word.retry_after);
    paused_until_ = std::max(paused_until_, now + pause);
    was_asked_to_wait_ = asked;
}

Task<void> Relay::record() {
    const std::vector<store::Delivery> written = outcomes_;
    const auto done = co_await outbox_.delivered(setup_.sink, written);
    // Also where it may have been written: the same again changes nothing. A row that the store has not is let go.
    if (!done && done.error().code != Code::request_invalid) {
        record_at_ = loop_.now() + setup_.limits.store.pause(loop_.entropy(), ++record_failures_);
        co_return;
    }
    record_failures_ = 0;
    record_at_ = {};
    outcomes_.erase(outcomes_.begin(),
                    outcomes_.begin() + static_cast<std::ptrdiff_t>(written.size()));
    for (const store::Delivery& delivery : written) taken_.erase(delivery.number);
    is_dirty_ = read_failures_ == 0;
}

MonotonicTime Relay::next_turn() const {
    MonotonicTime next = kNever;
    if (!outcomes_.empty()) next = std::min(next, record_at_);
    if (is_leaving_ || !stopped_.empty()) return next;
    if (loop_.now() < paused_until_) return std::min(next, paused_until_);
    return may_read() ? std::min({next, look_at_, again_at_}) : next;
}

}  // namespace pawl::stream
