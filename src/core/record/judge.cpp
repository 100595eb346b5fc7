// SPDX-License-Identifier: Apache-2.0
// The record protocol. f is the record's fence; an owner's word also names its claim id.
//
//   state       | claim, same stamp + print  | newer      | older | renew | complete     | release
//   ------------+----------------------------+------------+-------+-------+--------------+-------------------
//   absent      | acquired                   | acquired   | acq.  | lost  | lost         | lost
//   freed       | acquired, fence > f        | acquired   | stale | lost  | stored_late  | freed
//   in_progress | in_progress                | in_progress| stale | held  | stored       | freed, restored (3)
//     lease over| uncertain; took_over (1)   | as left (2)| stale | held  | stored       | freed, restored (3)
//   open        | took_over (1)              | in_progress| stale | lost  | stored       | opened
//   uncertain   | uncertain                  | uncertain  | stale | lost  | stored       | freed, restored (3)
//   completed   | replay; expired when over  | superseded | stale | lost  | stored (4)   | lost (5)
//   tombstone   | expired                    | superseded | stale | lost  | lost         | lost (5)
//
//   state       | settle applied | settle not applied (6) | suspect        | lapse, boot ended | expire
//   ------------+----------------+------------------------+----------------+-------------------+--------------
//   absent      | conflict       | conflict               | lost           | unchanged         | unchanged
//   freed       | conflict       | freed                  | lost           | unchanged         | removed, shrunk
//   in_progress | conflict       | conflict               | suspected (7)  | boot: lapsed      | unchanged
//     lease over| stored         | freed, restored        | suspected (7)  | lapsed            | unchanged
//   open        | stored         | freed, restored        | opened         | boot: lapsed      | unchanged
//   uncertain   | stored         | freed, restored        | suspected      | boot: lapsed      | unchanged
//   completed   | conflict       | conflict               | lost           | unchanged         | buried ...
//   tombstone   | conflict       | conflict               | lost           | unchanged         | removed, shrunk
//
// (1) rerunnable by record and claim, while the upstream remembers. (2) Never takes over: in_progress where
// the left takes over. (3) After a takeover: opened. (4) The same digest again; other digest: lost; over a
// result that was given back: stored_late. (5) Given back before: restored. (6) quiet: owner_alive,
// too_early. (7) rerunnable: opened. Any other fence: lost, conflict. Same stamp with another fingerprint:
// mismatch, with another rule: other_rule, in every state but absent and freed.
#include "core/record/judge.hpp"

#include "core/record/moves.hpp"

namespace pawl::record {

Verdict judge(const Row& row, const Call& call, std::int64_t now_ms, Fence next) {
    Verdict verdict;
    verdict.row = row;
    const Moment at{now_ms, next};
    verdict.outcome =
        std::visit([&](const auto& present) { return judged(verdict, present, at); }, call);
    return verdict;
}

std::int64_t due_ms(const Row& row) {
    if (row.state == State::in_progress) return row.lease_until_ms;
    if (row.state == State::completed) return row.settled->result_until_ms;
    if (row.state == State::tombstone || row.state == State::freed) return row.key_until_ms;
    return kForever;
}

}  // namespace pawl::record
