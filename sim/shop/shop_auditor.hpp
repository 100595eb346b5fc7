// SPDX-License-Identifier: Apache-2.0
// One invariant of flows, stock, deadlines and facts, checked over what the world saw. An auditor knows the
// book and the declared flows, and nothing of how the engine works.
#pragma once

#include <functional>
#include <memory>

#include "sim/audit/auditor.hpp"
#include "sim/shop/shop_events.hpp"

namespace pawl::sim {

// The flows as they are declared; read, never run.
using Declared = std::map<std::string, flow::Definition, std::less<>>;

struct ShopAuditParts {
    const ShopBook& book;
    const Declared& declared;
    std::vector<Finding>& findings;
};

class ShopAuditor {
  public:
    ShopAuditor(std::string invariant, const ShopAuditParts& parts)
        : book_(parts.book),
          declared_(parts.declared),
          invariant_(std::move(invariant)),
          findings_(parts.findings) {}
    virtual ~ShopAuditor() = default;

    virtual void committed(const ShopCommit&) {}
    virtual void answered(const ShopAnswer&) {}
    virtual void heard(const ShopHeard&) {}
    virtual void retired(const ShopRetired&) {}
    virtual void rested(const ShopEnding&) {}  // the faults have stopped for a while
    virtual void ended(const ShopEnding&) {}

  protected:
    template <class... Parts>
    void find(fmt::format_string<Parts...> text, Parts&&... parts) {
        if (findings_.size() < kFindingsMax)
            findings_.push_back({invariant_, fmt::format(text, std::forward<Parts>(parts)...)});
    }
    const flow::Definition& declared(std::string_view flow) const {
        return declared_.find(flow)->second;
    }

    const ShopBook& book_;

  private:
    static constexpr std::size_t kFindingsMax = 20;

    const Declared& declared_;
    std::string invariant_;
    std::vector<Finding>& findings_;
};

class ShopAudit {
  public:
    ShopAudit(const ShopBook& book, const Declared& declared);

    void committed(const ShopCommit& event) {
        for (const auto& auditor : auditors_) auditor->committed(event);
    }
    void answered(const ShopAnswer& event) {
        for (const auto& auditor : auditors_) auditor->answered(event);
    }
    void heard(const ShopHeard& event) {
        for (const auto& auditor : auditors_) auditor->heard(event);
    }
    void retired(const ShopRetired& event) {
        for (const auto& auditor : auditors_) auditor->retired(event);
    }
    void rested(const ShopEnding& event) {
        for (const auto& auditor : auditors_) auditor->rested(event);
    }
    void ended(const ShopEnding& event) {
        for (const auto& auditor : auditors_) auditor->ended(event);
    }
    const std::vector<Finding>& findings() const { return findings_; }

  private:
    std::vector<Finding> findings_;
    std::vector<std::unique_ptr<ShopAuditor>> auditors_;
};

// A declared transition, and whether what is given fits it.
const flow::StateRule* state_in(const flow::Definition& declared, std::string_view state);
const flow::EventRule* event_in(const flow::Definition& declared, std::string_view event);
bool is_declared(const flow::Definition& declared, const flow::History& row);
// Of all flows: the event by which money comes in.
inline bool is_payment(std::string_view event) { return event == "pay" || event == "paid"; }
// The value of a row or a saga under this name; empty: none.
std::string value_in(const flow::Texts& values, std::string_view name);

using ShopAuditorPtr = std::unique_ptr<ShopAuditor>;
ShopAuditorPtr no_order_lost(const ShopAuditParts& parts);            // L1
ShopAuditorPtr legal_transitions(const ShopAuditParts& parts);        // L2
ShopAuditorPtr paid_or_over(const ShopAuditParts& parts);             // L3
ShopAuditorPtr no_early_deadline(const ShopAuditParts& parts);        // L4, H2
ShopAuditorPtr stock_books(const ShopAuditParts& parts);              // Q1, Q2, Q3
ShopAuditorPtr slots_apart(const ShopAuditParts& parts);              // Q4
ShopAuditorPtr once_per_key(const ShopAuditParts& parts);             // E1
ShopAuditorPtr same_answer(const ShopAuditParts& parts);              // R1
ShopAuditorPtr first_result_is_private(const ShopAuditParts& parts);  // R4
ShopAuditorPtr no_fact_lost(const ShopAuditParts& parts);             // L5
ShopAuditorPtr notifications_kept(const ShopAuditParts& parts);       // N
ShopAuditorPtr ids_unique(const ShopAuditParts& parts);               // I1
ShopAuditorPtr only_what_is_over(const ShopAuditParts& parts);        // H3
ShopAuditorPtr one_refund(const ShopAuditParts& parts);               // G1
ShopAuditorPtr refunds_made(const ShopAuditParts& parts);             // G2
ShopAuditorPtr bought_once(const ShopAuditParts& parts);              // G3
ShopAuditorPtr events_delivered(const ShopAuditParts& parts);         // O1, O3
ShopAuditorPtr shop_settles(const ShopAuditParts& parts);             // V1

}  // namespace pawl::sim
