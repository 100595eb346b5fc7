// SPDX-License-Identifier: Apache-2.0
// What a state does with an event, before anything of the entity but its state is looked at.
//
//   answer      | external event                     | any other event
//   ------------+------------------------------------+----------------------------------------------
//   transition  | the state is in its `from`         | the same
//   late        | the state's `late` names it        | -
//   park        | `early: park`, and it can become   | -
//               | possible yet                       |
//   ignore      | `early: ignore`, and so on         | -
//   noop        | -                                  | the entity is already where the event leads
//   refuse      | unanswered: the loader refuses it  | everything else
#pragma once

#include "core/flow/graph.hpp"

namespace pawl::flow {

enum class AnswerKind : std::uint8_t { transition, late, park, ignore, noop, refuse };
std::string_view name_of(AnswerKind kind);

// Points into the definition.
struct Answer {
    AnswerKind kind = AnswerKind::refuse;
    const Transition* transition = nullptr;
    const Late* late = nullptr;
};
Answer answer_of(const Definition& definition, const Graph& graph, std::size_t state,
                 const EventRule& event);

}  // namespace pawl::flow
