// SPDX-License-Identifier: Apache-2.0
#include "sim/audit/auditor.hpp"

namespace pawl::sim {

Audit::Audit(Book& book, const Ledger& ledger, AuditRules rules) {
    const AuditParts parts{book, ledger, rules, findings_};
    for (const auto make :
         {at_most_one_effect, no_effect_without_request, success_implies_effect, no_success_lost,
          clean_refusal_has_no_effect, terminal_answers_identical, replays_marked, whole_bodies,
          no_other_callers_body, mismatch_changes_nothing, versions_in_order, record_automaton,
          claims_linearizable, everything_settles, no_answer_without_permission})
        auditors_.push_back(make(parts));
}

}  // namespace pawl::sim
