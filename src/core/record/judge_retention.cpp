// SPDX-License-Identifier: Apache-2.0
// How a settled record ends. Unresolved records never go by age. A stamped key keeps its highest stamp for
// ever, in a row that holds little else, so that an older stamp stays stale.
#include "core/record/moves.hpp"

namespace pawl::record {
namespace {

// Nothing to be done with a stamped row that has shrunk before: its key_until_ms is kForever.
Outcome end_key(Verdict& verdict, Moment at) {
    const Row before = verdict.row;
    remove(verdict);
    if (!before.stamp) return Outcome::removed;
    Row& row = verdict.row;
    row.fence = before.fence;
    row.stamp = before.stamp;
    row.created_ms = before.created_ms;
    row.attempts = before.attempts;
    row.forced = before.forced;
    row.key_until_ms = kForever;
    become(verdict, State::freed, at);
    return Outcome::shrunk;
}

}  // namespace

Outcome judged(Verdict& verdict, const Expire&, Moment at) {
    const Row& row = verdict.row;
    const bool ends =
        row.state == State::tombstone || row.state == State::freed ||
        (row.state == State::completed && is_over(row.settled->result_until_ms, at.now_ms));
    if (!ends) return Outcome::unchanged;
    if (is_over(row.key_until_ms, at.now_ms)) return end_key(verdict, at);
    if (row.state != State::completed) return Outcome::unchanged;
    bury(verdict, at);
    return Outcome::buried;
}

Outcome judged(Verdict& verdict, const Forget& call, Moment) {
    const Row& row = verdict.row;
    if (row.state == State::absent) return Outcome::removed;
    if (is_unresolved(row.state)) return Outcome::refused;
    if (row.fence != call.fence) return Outcome::conflict;
    remove(verdict);
    return Outcome::removed;
}

}  // namespace pawl::record
