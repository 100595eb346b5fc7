// SPDX-License-Identifier: Apache-2.0
// R5: another body under the same key changes nothing, and is never answered with what the first one got; unless a
// person freed a key whose first request landed all the same, and the upstream tells of that one.
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class MismatchChangesNothing final : public Auditor {
  public:
    explicit MismatchChangesNothing(const AuditParts& parts)
        : Auditor("R5", parts.book, parts.ledger, parts.findings) {}

    void answered(const Answered& answer) override {
        if (answer.name != 0 && book_.name(answer.name).excused) return;
        if (answer.said != nullptr && answer.said->intent != answer.intent)
            find("request {} asked for intent {} and got the answer to intent {}", answer.exchange,
                 answer.intent, answer.said->intent);
    }

    void committed(const Committed& event) override {
        const bool refused = event.outcome == record::Outcome::mismatch ||
                             event.outcome == record::Outcome::other_rule;
        if (refused && event.before != event.after)
            find("a claim under another fingerprint changed the record of name {}", event.name);
        const auto* claim = std::get_if<record::Claim>(&event.call);
        const bool first = event.before.state == record::State::absent ||
                           event.before.state == record::State::freed;
        const bool other_version =
            claim != nullptr && event.before.settled && event.before.settled->stamp != claim->stamp;
        if (claim != nullptr && record::is_acquired(event.outcome) && !first && !other_version &&
            claim->fingerprint != event.before.fingerprint)
            find("a claim under another fingerprint acquired the record of name {}", event.name);
    }
};

}  // namespace

AuditorPtr mismatch_changes_nothing(const AuditParts& parts) {
    return std::make_unique<MismatchChangesNothing>(parts);
}

}  // namespace pawl::sim
