// SPDX-License-Identifier: Apache-2.0
// libpawl: makes a function of your program take effect once per key, however often it is called and
// whenever the process dies, on an embedded store in one file.
//
//     auto engine = pawl::Engine::open({.path = "orders.db"});
//     pawl::Ran ran = (*engine)->run({.operation = "charge", .key = "order-17", .payload = body},
//                                    [&](const pawl::Attempt& attempt) { return charge(attempt); });
//
// The engine claims durably before it calls the function, stores what the function returned before it
// returns it, and gives the stored result to every repeat. When the process dies in between, the operation
// is `uncertain`: it is never run again by age, only settled by evidence.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>

namespace pawl {

enum class RunOutcome : std::uint8_t {
    first,        // this call made it happen
    replayed,     // it had happened before; `result` is the first one's
    mismatch,     // the key was used with another payload; nothing was executed
    in_progress,  // another call is still running after `wait`
    uncertain,    // an attempt may have taken effect; ends by evidence
    stale,        // a newer version was accepted
    expired,      // took effect; the result is no longer kept
    refused,      // the function said not applied: the key is free; `result` is what it said
    unavailable,  // nothing was executed: the store is away, or the call is malformed (`detail`)
};
std::string_view name_of(RunOutcome outcome);

// What the function is told.
struct Attempt {
    std::uint64_t fence = 0;  // strictly rising per operation; hand it to what must refuse the past
    std::string operation_key;  // equal for all attempts of one operation; 64 hexadecimal digits
    std::string operation_ref;  // names the operation in settle() and in `pawl explain`
};

// What the function says happened. An exception that leaves the function means `unknown`.
struct Effected {
    enum class Word : std::uint8_t { applied, not_applied, unknown };
    Word word = Word::unknown;
    std::string result;  // any bytes; kept for repeats when applied, see kResultBytesMax
};

// A longer result reaches the first caller only; repeats are told `expired`.
inline constexpr std::size_t kResultBytesMax = std::size_t{1} << 20;

struct Run {
    std::string tenant;
    std::string caller;     // whose key it is: two callers' equal keys are two operations
    std::string operation;  // stable name, 1 to 200 bytes
    std::string key;        // 1 to 255 bytes, any
    std::string
        payload;  // what must be equal for a repeat to be a repeat; JSON is compared by value
    std::chrono::milliseconds wait =
        std::chrono::seconds{10};  // patience of this call, not of the attempt
    std::chrono::milliseconds hold = std::chrono::minutes{10};  // the attempt's longest life
    std::chrono::milliseconds keep_result = std::chrono::hours{24};
    std::optional<std::chrono::milliseconds> keep_key =
        std::chrono::hours{24 * 400};  // nullopt: for ever
    // How long after its process has ended an effect may still land; unset: "not applied" is never believed.
    std::optional<std::chrono::milliseconds> effect_horizon;
    bool rerunnable =
        false;  // the function honours operation_key: it may be called again after a crash
};

struct Ran {
    RunOutcome outcome = RunOutcome::unavailable;
    std::string result;
    std::string operation_ref;
    std::string detail;  // for people: what to do about it
};

struct EngineOptions {
    std::string path = "pawl.db";
    std::string node = "embedded";  // shown as the executor
};

struct EngineError {
    std::string code;  // "store_locked", "store_readonly", "store_corrupt", "store_newer", ...
    std::string text;  // one sentence that says what to do
};

using EffectFunction = std::function<Effected(const Attempt&)>;
using EffectCoroutine = std::function<boost::asio::awaitable<Effected>(Attempt)>;

class Engine {
  public:
    // Opens or creates the store; one process at a time. What an earlier process left running is uncertain
    // afterwards (open for another run where the operation is rerunnable).
    static std::expected<std::unique_ptr<Engine>, EngineError> open(EngineOptions options);
    // Waits for running attempts up to 10 s, then closes the store; what is left becomes uncertain.
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // From any thread; the function is called on the calling thread, at most once.
    // Durable: the claim before the function is called, the result before this returns.
    Ran run(Run call, EffectFunction effect);

    // The same as a coroutine: resumes on, and runs the effect on, the caller's executor.
    // Cancel: not before the attempt has ended; `wait` bounds the call.
    boost::asio::awaitable<Ran> async_run(Run call, EffectCoroutine effect);

    // Evidence about an uncertain operation, from one who has looked. `result` is what repeats are given.
    // Errors: conflict (not uncertain), owner_alive, too_early ("not applied" before the effect horizon has
    // passed, or without one), not_found.
    std::expected<void, EngineError> settle_applied(std::string operation_ref, std::string result);
    std::expected<void, EngineError> settle_not_applied(std::string operation_ref);

  private:
    class Body;
    explicit Engine(std::unique_ptr<Body> body);
    std::unique_ptr<Body> body_;
};

}  // namespace pawl
