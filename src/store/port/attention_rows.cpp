// SPDX-License-Identifier: Apache-2.0
#include "store/port/attention_rows.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "runtime/plant/planted.hpp"

namespace pawl::store {
namespace {

constexpr std::array<std::string_view, 3> kClosedAs{"settled", "left", "taken"};

template <class Rows>
void close_entry(Rows& rows, AttentionEntry entry, const CloseAttention& word,
                 std::int64_t now_ms) {
    entry.closed_ms = now_ms;
    entry.closed_by = word.by;
    entry.why = word.why;
    entry.closed_as = word.as;
    rows.put_attention_entry(entry);
}

Closing told_of(const AttentionEntry& closed, const CloseAttention& word) {
    if (closed.closed_as == ClosedAs::taken) return Closing::taken;
    const bool same =
        closed.closed_by == word.by && closed.why == word.why && closed.closed_as == word.as;
    return same ? Closing::closed : Closing::by_another;
}

bool is_taken(ErrandRows& rows, const AttentionEntry& entry) {
    if (is_planted(Plant::taken_fact_stays_open)) return false;
    return std::ranges::any_of(
        entry.about, [&](const flow::Fact& fact) { return rows.fact(fact.key).has_value(); });
}

void take(ErrandRows& rows, const AttentionEntry& entry, const CloseAttention& word,
          std::int64_t now_ms) {
    if (is_planted(Plant::settled_fact_is_free)) return;
    for (flow::Fact fact : entry.about) {
        fact.holder = {entry.subject.id, 0, word.by, now_ms};
        rows.put_fact(entry.subject, fact);
        // Not as settled: the same word about the other one must not make anybody do it twice.
        for (const AttentionEntry& other : rows.open_about(fact.key))
            if (other.number != entry.number)
                close_entry(rows, other,
                            {.by = word.by,
                             .why = fmt::format("with entry {}: {}", entry.number, word.why),
                             .as = ClosedAs::taken},
                            now_ms);
    }
}

}  // namespace

std::string_view name_of(ClosedAs as) { return kClosedAs[std::to_underlying(as)]; }

void close_taken(FlowRows& rows, const flow::Fact& fact, std::int64_t now_ms) {
    if (is_planted(Plant::taken_fact_stays_open)) return;
    for (const AttentionEntry& entry : rows.open_about(fact.key))
        close_entry(rows, entry, {.as = ClosedAs::taken}, now_ms);
}

Result<Closing> close(ErrandRows& rows, const CloseAttention& word, std::int64_t now_ms) {
    if (word.as == ClosedAs::taken)
        return fail(Code::request_invalid, "A person settles an entry or leaves it.", {},
                    "attention");
    const auto entry = rows.attention_entry(word.number);
    if (!entry) return fail(Code::not_found, "There is no such entry.", {}, "attention");
    if (entry->closed_ms != 0) return told_of(*entry, word);
    if (word.as == ClosedAs::settled && is_taken(rows, *entry)) {
        close_entry(rows, *entry, {.as = ClosedAs::taken}, now_ms);
        return Closing::taken;
    }
    if (word.as == ClosedAs::settled) take(rows, *entry, word, now_ms);
    close_entry(rows, *entry, word, now_ms);
    return Closing::closed;
}

}  // namespace pawl::store
