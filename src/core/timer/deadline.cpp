// SPDX-License-Identifier: Apache-2.0
#include "core/timer/deadline.hpp"

#include <algorithm>

#include "runtime/plant/planted.hpp"

namespace pawl::timer {

std::int64_t after_ms(std::int64_t from_ms, std::chrono::milliseconds span) {
    if (span.count() <= 0) return from_ms;
    return from_ms > kNever - span.count() ? kNever : from_ms + span.count();
}

Running started(const Rule& rule, std::int64_t created_ms, std::int64_t now_ms) {
    const std::int64_t from_ms = rule.from == From::create ? created_ms : now_ms;
    std::int64_t due_ms = after_ms(from_ms, rule.after);
    if (rule.cap) due_ms = std::min(due_ms, after_ms(created_ms, *rule.cap));
    return {rule.name, due_ms, due_ms, 0};
}

std::optional<std::int64_t> renewed_due_ms(const Rule& rule, const Running& running,
                                           std::int64_t created_ms, std::int64_t now_ms) {
    if (rule.from == From::create) return std::nullopt;
    if (is_planted(Plant::renewal_shortens)) return after_ms(now_ms, rule.after / 2);
    return std::max(running.due_ms, started(rule, created_ms, now_ms).due_ms);
}

std::int64_t earliest_ms(std::span<const Running> running) {
    std::int64_t earliest = kNever;
    for (const Running& one : running) earliest = std::min(earliest, one.next_ms);
    return earliest;
}

std::optional<Running> taken(Running running, std::int64_t now_ms) {
    if (!is_due(running, now_ms) || running.next_ms > now_ms) return std::nullopt;
    running.next_ms = after_ms(now_ms, kTakeLease);
    return running;
}

Running asked_again(Running running, std::int64_t now_ms) {
    constexpr std::uint32_t kDoublingsMax = 16;
    const auto pause =
        std::min(kAskCap, kAskBase * (std::int64_t{1} << std::min(running.asked, kDoublingsMax)));
    ++running.asked;
    running.next_ms = after_ms(now_ms, pause);
    return running;
}

bool is_given_up(const Running& running, std::chrono::milliseconds give_up, std::int64_t now_ms) {
    return now_ms >= after_ms(running.due_ms, give_up);
}

}  // namespace pawl::timer
