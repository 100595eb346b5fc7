// SPDX-License-Identifier: Apache-2.0
// Deadlines as values. Truth is `due_ms` in the entity's row, by the store's clock; several run side by side
// and the row is found by the earliest `next_ms`. Whoever fires commits "this deadline is due and the entity
// has the version I read", so a renewal is one write and a timer that it overtook does nothing (H2, L4).
//
// Taking a due deadline writes `next_ms`, the time when somebody else may look again, and leaves `due_ms`:
// what has to be asked first is asked outside the sweep, and a worker that dies is followed by the next.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

namespace pawl::timer {

using namespace std::chrono_literals;

// How long a taken deadline is left to its taker.
inline constexpr std::chrono::milliseconds kTakeLease = 30s;
// How long after an answer that settled nothing the question is asked again: doubled each time.
inline constexpr std::chrono::milliseconds kAskBase = 1s;
inline constexpr std::chrono::milliseconds kAskCap = 5min;

inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

enum class From : std::uint8_t { enter, create };

// Deadlines of a state count from entering it and are renewed there, at most until `cap` after creation; that
// is a tier. Those of the whole flow count from creation and are the bound that no renewing moves.
struct Rule {
    std::string name;
    std::string event;
    From from = From::enter;
    std::chrono::milliseconds after{0};
    std::optional<std::chrono::milliseconds> cap;
    bool operator==(const Rule&) const = default;
};

struct Running {
    std::string name;
    std::int64_t due_ms = 0;   // never fired before
    std::int64_t next_ms = 0;  // when a sweep looks next: due_ms, or later while it is taken
    std::uint32_t asked = 0;   // questions that settled nothing
    bool operator==(const Running&) const = default;
};

// Sums stop at kNever instead of passing it.
std::int64_t after_ms(std::int64_t from_ms, std::chrono::milliseconds span);

Running started(const Rule& rule, std::int64_t created_ms, std::int64_t now_ms);

// A renewal's due time: the whole span again from now, never earlier than it was and never past the cap.
// nullopt: this deadline is not renewed.
std::optional<std::int64_t> renewed_due_ms(const Rule& rule, const Running& running,
                                           std::int64_t created_ms, std::int64_t now_ms);

constexpr bool is_due(const Running& running, std::int64_t now_ms) {
    return running.due_ms <= now_ms;
}
// How long to wait; a time that has passed, by however much the clock was set, is now.
constexpr std::int64_t delay_ms(std::int64_t due_ms, std::int64_t now_ms) {
    return due_ms <= now_ms ? 0 : due_ms - now_ms;
}
// When a sweep has to look at these; kNever for none.
std::int64_t earliest_ms(std::span<const Running> running);

// Left to one worker. nullopt: not due, or another worker has it.
std::optional<Running> taken(Running running, std::int64_t now_ms);
// The question settled nothing: asked again later.
Running asked_again(Running running, std::int64_t now_ms);
// Asked in vain for so long that a person has to look.
bool is_given_up(const Running& running, std::chrono::milliseconds give_up, std::int64_t now_ms);

}  // namespace pawl::timer
