// SPDX-License-Identifier: Apache-2.0
// For tests: an outbox in memory that can fail before and after a call took effect, and a sink that says what its
// script says and remembers what it was given.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "runtime/task/hand_loop_fixture.hpp"
#include "stream/sink.hpp"

namespace pawl::stream {

inline store::OutboxRow row_of(std::uint64_t number, const std::string& entity,
                               std::uint64_t version, std::string type = "order.paid") {
    store::OutboxRow row;
    row.number = number;
    row.subject = {"shop", "order", entity, ""};
    row.history.version = version;
    row.history.event = "pay";
    row.history.from = "created";
    row.history.to = "paid";
    row.history.type = std::move(type);
    row.history.at_ms = 1'764'000'000'000;
    return row;
}

// The port's words (outbox.hpp), for one sink.
class OutboxInMemory final : public store::Outbox {
  public:
    explicit OutboxInMemory(HandClock& clock) : clock_(clock) {}

    enum class Fault : std::uint8_t { none, before, after };
    std::function<Fault()> fault = [] { return Fault::none; };
    std::vector<store::OutboxRow> rows;
    std::set<std::uint64_t> sent;
    std::map<std::uint64_t, std::string> parked_rows;
    int readings = 0;
    int writings = 0;

    void add(const std::string& entity, std::string type = "order.paid") {
        rows.push_back(row_of(rows.size() + 1, entity, ++versions_[entity], std::move(type)));
    }

    Task<Result<std::vector<store::OutboxRow>>> unsent(std::string, bool,
                                                       std::size_t limit) override {
        ++readings;
        if (fault() != Fault::none) co_return fail(Code::unavailable, "the store is away");
        std::vector<store::OutboxRow> found;
        std::set<std::string> seen;
        for (const store::OutboxRow& row : rows) {
            if (sent.contains(row.number) || !seen.insert(row.subject.id).second) continue;
            if (parked_rows.contains(row.number) || waits_until_[row.number] > now_ms()) continue;
            if (found.size() < limit) found.push_back(row);
        }
        co_return found;
    }
    Task<Status> delivered(std::string, std::vector<store::Delivery> deliveries) override {
        ++writings;
        const Fault chosen = fault();
        if (chosen == Fault::before) co_return fail(Code::unavailable, "the store is away");
        for (const store::Delivery& one : deliveries) {
            if (sent.contains(one.number)) continue;
            store::OutboxRow& row = rows[one.number - 1];
            if (one.kind == store::Delivery::Kind::sent) sent.insert(one.number);
            if (one.kind != store::Delivery::Kind::sent) row.tries = one.tries;
            if (one.kind == store::Delivery::Kind::parked) parked_rows[one.number] = one.said;
            waits_until_[one.number] = now_ms() + one.pause_ms;
        }
        if (chosen == Fault::after) co_return fail(Code::unknown, "no answer");
        co_return Status{};
    }
    Task<Result<std::vector<store::ParkedRow>>> parked(std::string, std::size_t) override {
        co_return std::vector<store::ParkedRow>{};
    }
    Task<Result<std::size_t>> redrive(std::string) override {
        const std::size_t count = parked_rows.size();
        for (const auto& [number, said] : parked_rows) rows[number - 1].tries = 0;
        parked_rows.clear();
        co_return count;
    }
    Task<Status> drop_sink(std::string) override { co_return Status{}; }
    Task<Result<store::OutboxFigures>> outbox_figures(std::string) override {
        co_return store::OutboxFigures{};
    }
    Task<Result<std::vector<std::string>>> sinks() override {
        co_return std::vector<std::string>{};
    }

  private:
    std::int64_t now_ms() const {
        return clock_.now.time_since_epoch() / std::chrono::milliseconds(1);
    }

    HandClock& clock_;
    std::map<std::string, std::uint64_t> versions_;
    std::map<std::uint64_t, std::int64_t> waits_until_;
};

class ScriptedSink final : public Sink {
  public:
    explicit ScriptedSink(Loop& loop) : loop_(&loop) {}

    std::function<Delivered(const Event&)> script = [](const Event&) { return Delivered{}; };
    std::chrono::milliseconds takes{};
    std::size_t batch = 1;
    std::size_t parallel = 4;
    std::vector<Event> given;
    std::vector<Event> accepted;
    std::size_t under_way = 0;
    std::size_t most_under_way = 0;

    void move_to(Loop& loop) {
        loop_ = &loop;
        under_way = 0;
    }
    std::size_t batch_max() const override { return batch; }
    std::size_t parallel_max() const override { return parallel; }
    Task<std::vector<Delivered>> deliver(std::vector<Event> events) override {
        most_under_way = std::max(most_under_way, ++under_way);
        if (takes.count() > 0) co_await loop_->sleep_for(takes);
        std::vector<Delivered> words;
        for (const Event& event : events) {
            given.push_back(event);
            words.push_back(script(event));
            if (words.back().kind == Delivered::Kind::sent) accepted.push_back(event);
        }
        --under_way;
        co_return words;
    }

  private:
    Loop* loop_;
};

}  // namespace pawl::stream
