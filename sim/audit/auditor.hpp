// SPDX-License-Identifier: Apache-2.0
// One invariant of the design, checked over what the world saw: answers, effects, commits. An auditor knows
// the book and the ledger, and nothing of how Pawl works.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/history/events.hpp"

namespace pawl::sim {

struct Finding {
    std::string invariant;
    std::string text;
};

// When everything has come to rest, or should have.
struct Ending {
    std::vector<record::Row> unresolved;  // as the store lists them for people
    std::vector<record::Row> rows;        // all that the auditors saw
    std::vector<std::uint64_t> living_boots;
    std::size_t attempts_running = 0;
    std::size_t words_in_hand = 0;  // of owners, not yet taken by the store
    std::vector<Number>
        waiting_clients;      // names whose clients got no last word and have not given up
    std::int64_t now_ms = 0;  // store time
};

class Auditor {
  public:
    Auditor(std::string invariant, Book& book, const Ledger& ledger, std::vector<Finding>& findings)
        : book_(book), ledger_(ledger), invariant_(std::move(invariant)), findings_(findings) {}
    virtual ~Auditor() = default;

    virtual void answered(const Answered&) {}
    virtual void applied(const Applied&) {}
    virtual void committed(const Committed&) {}
    virtual void sent(const Sent&) {}
    virtual void ended(const Ending&) {}

  protected:
    template <class... Parts>
    void find(fmt::format_string<Parts...> text, Parts&&... parts) {
        if (findings_.size() < kFindingsMax)
            findings_.push_back({invariant_, fmt::format(text, std::forward<Parts>(parts)...)});
    }
    // A name whose answers and effects the rules still bind. A natural key names another operation when its
    // window is over.
    bool is_bound(Number name) const {
        return name != 0 && !book_.name(name).excused &&
               book_.name(name).promise != Promise::natural;
    }

    Book& book_;
    const Ledger& ledger_;

  private:
    static constexpr std::size_t kFindingsMax = 20;

    std::string invariant_;
    std::vector<Finding>& findings_;
};

struct AuditRules {
    std::chrono::milliseconds natural_window{};
    std::chrono::milliseconds result_kept{};
    std::chrono::milliseconds refusal_kept{};
    std::size_t answer_bytes_max = 0;  // a longer body is not kept for repeats
};

// All of them, in the order of the design's list.
class Audit {
  public:
    Audit(Book& book, const Ledger& ledger, AuditRules rules);

    void answered(const Answered& event) {
        tell([&](Auditor& auditor) { auditor.answered(event); });
    }
    void applied(const Applied& event) {
        tell([&](Auditor& auditor) { auditor.applied(event); });
    }
    void committed(const Committed& event) {
        tell([&](Auditor& auditor) { auditor.committed(event); });
    }
    void sent(const Sent& event) {
        tell([&](Auditor& auditor) { auditor.sent(event); });
    }
    void ended(const Ending& event) {
        tell([&](Auditor& auditor) { auditor.ended(event); });
    }

    const std::vector<Finding>& findings() const { return findings_; }

  private:
    template <class Tell>
    void tell(Tell to) {
        for (const auto& auditor : auditors_) to(*auditor);
    }

    std::vector<Finding> findings_;
    std::vector<std::unique_ptr<Auditor>> auditors_;
};

struct AuditParts {
    Book& book;
    const Ledger& ledger;
    AuditRules rules;
    std::vector<Finding>& findings;
};
using AuditorPtr = std::unique_ptr<Auditor>;
AuditorPtr at_most_one_effect(const AuditParts& parts);            // E1
AuditorPtr no_effect_without_request(const AuditParts& parts);     // E2
AuditorPtr success_implies_effect(const AuditParts& parts);        // E3
AuditorPtr no_success_lost(const AuditParts& parts);               // E4
AuditorPtr clean_refusal_has_no_effect(const AuditParts& parts);   // E5
AuditorPtr terminal_answers_identical(const AuditParts& parts);    // R1
AuditorPtr replays_marked(const AuditParts& parts);                // R2
AuditorPtr whole_bodies(const AuditParts& parts);                  // R3
AuditorPtr no_other_callers_body(const AuditParts& parts);         // R4
AuditorPtr mismatch_changes_nothing(const AuditParts& parts);      // R5
AuditorPtr versions_in_order(const AuditParts& parts);             // R6
AuditorPtr record_automaton(const AuditParts& parts);              // S1
AuditorPtr claims_linearizable(const AuditParts& parts);           // S2
AuditorPtr everything_settles(const AuditParts& parts);            // V1
AuditorPtr no_answer_without_permission(const AuditParts& parts);  // A1, A2

}  // namespace pawl::sim
