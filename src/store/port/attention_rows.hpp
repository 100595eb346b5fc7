// SPDX-License-Identifier: Apache-2.0
// Who decides about a fact that stands before a person: the machine that takes it, or the person who closes its entry,
// whichever commits first. A fact is taken once, so that money is paid back by one of the two.
//
//   the entry is          a bundle takes its fact     a person: settled           a person: left
//   --------------------  --------------------------  --------------------------  --------------------------
//   open                  closed as taken             its facts are taken, other  closed; the facts stay free
//                                                     entries about them closed
//                                                     as taken
//   closed as settled     lost: the fact is taken     by_another, or the same     by_another
//   closed as left        takes it                    by_another                  by_another, or the same
//   closed as taken       -                           taken                       taken
#pragma once

#include "store/port/errand_rows.hpp"
#include "store/port/flow_rows.hpp"

namespace pawl::store {

// The machine has taken this fact.
void close_taken(FlowRows& rows, const flow::Fact& fact, std::int64_t now_ms);
// A person's word. Errors: not_found, request_invalid; nothing was written.
Result<Closing> close(ErrandRows& rows, const CloseAttention& word, std::int64_t now_ms);

}  // namespace pawl::store
