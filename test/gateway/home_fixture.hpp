// SPDX-License-Identifier: Apache-2.0
// A home on virtual time over a store in memory, with an upstream that does what the test dictates. Only
// tests include it.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include <gtest/gtest.h>

#include "gateway/home.hpp"
#include "store/memory/simulated_records.hpp"

namespace pawl::gateway {

class HandClock final : public Clock {
  public:
    MonotonicTime monotonic() const override { return now; }
    WallTime wall() const override {
        return wall_time(
            1'700'000'000'000 +
            std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count());
    }
    MonotonicTime now{};
};

// What the upstream does with one request.
struct Script {
    std::chrono::nanoseconds takes{};
    effect::Kind kind = effect::Kind::answered;
    int status = 201;
    std::string body = "made";
    std::optional<effect::Declared> declared;
    bool is_long = false;  // a rest follows, and nothing of the body is kept
};

class NoMoreBytes final : public ByteSource {
  public:
    std::optional<std::uint64_t> size() const override { return 0; }
    Task<Result<std::string>> next(Loop&) override { co_return std::string(); }
};

struct FakeUpstream {
    std::deque<Script> scripts;  // empty: Script{}
    bool connects = true;
    int dead_connections = 0;  // so many die between prepare and the first byte
    int prepared = 0;
    std::vector<effect::Dispatch> sent;
};

class FakeAttempt final : public effect::Attempt {
  public:
    FakeAttempt(Loop& loop, FakeUpstream& upstream, bool dead)
        : loop_(loop), upstream_(upstream), dead_(dead) {}
    bool ready() override { return !dead_; }
    Task<effect::Found> run(effect::Dispatch dispatch, MonotonicTime give_up) override {
        Script script;
        if (!upstream_.scripts.empty()) {
            script = upstream_.scripts.front();
            upstream_.scripts.pop_front();
        }
        effect::Found found;
        found.kind = script.kind;
        if (script.kind == effect::Kind::not_sent) {
            found.error = {Code::unavailable, "The upstream refused the connection.", {}, {}};
            co_return found;
        }
        upstream_.sent.push_back(dispatch);
        const MonotonicTime done = loop_.now() + script.takes;
        const bool was_cut = (co_await cut_.wait(std::min(done, give_up))).has_value();
        if (done > give_up || was_cut) found.kind = effect::Kind::no_answer;
        if (found.kind == effect::Kind::answered) {
            found.answer.status = script.status;
            found.answer.body = script.body;
            found.answer.headers = {{"Content-Type", "text/plain"}, {"Set-Cookie", "s=1"}};
            found.declared = script.declared;
            found.answer.body_kept = !script.is_long;
            if (script.is_long) found.rest = std::make_shared<NoMoreBytes>();
        }
        co_return found;
    }

    void cut() override { cut_.set(true); }

  private:
    Loop& loop_;
    FakeUpstream& upstream_;
    bool dead_;
    Promise<bool> cut_{loop_};
};

class FakeEffect final : public effect::Effect {
  public:
    FakeEffect(Loop& loop, FakeUpstream& upstream) : loop_(loop), upstream_(upstream) {}
    Task<Result<std::unique_ptr<effect::Attempt>>> prepare(MonotonicTime) override {
        ++upstream_.prepared;
        if (!upstream_.connects)
            co_return fail(Code::unavailable, "No connection to the upstream.");
        co_return std::make_unique<FakeAttempt>(loop_, upstream_, upstream_.dead_connections-- > 0);
    }

  private:
    Loop& loop_;
    FakeUpstream& upstream_;
};

class HomeTest : public testing::Test {
  protected:
    using Answered = std::shared_ptr<std::shared_ptr<const Ended>>;

    static Operation operation(std::string_view key, std::string_view body = "body") {
        Operation operation;
        operation.claim.identity = sha256(key);
        operation.claim.fingerprint = sha256(body);
        operation.claim.rule = sha256("rule");
        operation.claim.lease_ms = 30'000;
        operation.claim.horizon_ms = 60'000;
        operation.claim.keep = {24 * 3'600'000, 48 * 3'600'000};
        operation.claim.operation = "POST /orders";
        operation.claim.key_label = key;
        operation.fingerprint_under = [](const Digest&) { return std::nullopt; };
        operation.classify = [](const effect::Found& found) {
            return policy::classify(policy::Profile::strict_money, false,
                                    {found.kind, found.answer.status, found.declared});
        };
        operation.kept = [](const record::Answer& said) {
            record::Answer kept = said;
            std::erase_if(kept.headers,
                          [](const auto& line) { return line.first == "Set-Cookie"; });
            if (!kept.body_kept) kept.body.clear();
            return kept;
        };
        operation.hold_max = std::chrono::minutes{10};
        return operation;
    }

    // The request's answer, null until it comes.
    Answered ask(Operation asked, std::chrono::nanoseconds patience = std::chrono::seconds{10}) {
        asked.wait_until = clock.now + patience;
        auto answered = std::make_shared<std::shared_ptr<const Ended>>();
        clients.spawn([](Home& there, Operation what, FakeUpstream& where, Loop& on,
                         Answered out) -> Task<void> {
            *out = co_await there.run(std::move(what), std::make_unique<FakeEffect>(on, where));
        }(home(), std::move(asked), upstream, loop, answered));
        poll();
        return answered;
    }

    void poll() {
        do {
            context.restart();
            context.poll();
        } while (alarms.fire(clock.now) > 0);
    }
    void advance(std::chrono::nanoseconds by) {
        const MonotonicTime end = clock.now + by;
        while (alarms.next() && *alarms.next() <= end) {
            clock.now = *alarms.next();
            poll();
        }
        clock.now = end;
    }
    record::Row row(std::string_view key) {
        const auto stored = records.shelf().read(sha256(key));
        EXPECT_TRUE(stored);
        return *stored ? (*stored)->row : record::Row{};
    }
    Home& home() {
        if (!home_) home_.emplace(loop, records, record::Owner{"node:1", 1}, limits, figures);
        return *home_;
    }

    HandClock clock;
    SeededEntropy entropy{1};
    boost::asio::io_context context{1};
    Alarms alarms;
    Loop loop{context, clock, alarms, entropy};
    store::MemoryRecords records{loop};
    FakeUpstream upstream;
    HomeLimits limits;
    HomeFigures figures;
    TaskGroup clients{loop};

  private:
    std::optional<Home> home_;
};

}  // namespace pawl::gateway
