// SPDX-License-Identifier: Apache-2.0
// The moves that several calls of the protocol share: how a claim ends, how a record becomes applied or
// not applied, how times add up. Internal to this folder; each move changes the verdict's row and says so.
#pragma once

#include "core/record/judge.hpp"

namespace pawl::record {

struct Moment {
    std::int64_t now_ms = 0;
    Fence next;
};

// Sums stop at the end of the numbers instead of passing it; a negative span counts as none.
std::int64_t add_ms(std::int64_t from_ms, std::int64_t span_ms);
// A retention, where negative means for ever.
std::int64_t kept_until(std::int64_t from_ms, std::int64_t keep_ms);
bool is_over(std::int64_t until_ms, std::int64_t now_ms);

// Stands for a row that could not be read (row_format.hpp): nothing about it is known but its name.
bool is_unreadable(const Row& row);

// Gives out a fence above the row's.
Fence draw(Verdict& verdict, Moment at);

void become(Verdict& verdict, State state, Moment at);

// The claim has ended without a word about its effect: open where it may be run again, else uncertain.
void end_claim(Verdict& verdict, bool may_rerun, Moment at);

// Its owner has said, or is known, to be gone. Says nothing while an earlier owner may live.
void owner_ended(Verdict& verdict, Moment at);

// The effect happened. Without an answer the record is a tombstone at once. `result_ms`: how long the answer
// is kept, where that is not what the claim said.
void applied(Verdict& verdict, const Answer* answer, const Digest& answer_digest, Source source,
             Moment at, std::optional<std::int64_t> result_ms = {});

// The effect did not happen and cannot any more: freed, or the superseded stamp's result is back.
Outcome not_applied(Verdict& verdict, Moment at);

// The present claim's owner says that nothing of its own took effect.
Outcome released(Verdict& verdict, Moment at);

// The result is dropped, the rest of the row stays.
void bury(Verdict& verdict, Moment at);

// The row goes, and with it its stored answer.
void remove(Verdict& verdict);

Outcome judged(Verdict& verdict, const Claim& call, Moment at);
Outcome judged(Verdict& verdict, const Renew& call, Moment at);
Outcome judged(Verdict& verdict, const Complete& call, Moment at);
Outcome judged(Verdict& verdict, const Release& call, Moment at);
Outcome judged(Verdict& verdict, const Suspect& call, Moment at);
Outcome judged(Verdict& verdict, const Withdraw& call, Moment at);
Outcome judged(Verdict& verdict, const Settle& call, Moment at);
Outcome judged(Verdict& verdict, const Lapse& call, Moment at);
Outcome judged(Verdict& verdict, const BootEnded& call, Moment at);
Outcome judged(Verdict& verdict, const Expire& call, Moment at);
Outcome judged(Verdict& verdict, const Forget& call, Moment at);

}  // namespace pawl::record
