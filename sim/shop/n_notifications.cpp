// SPDX-License-Identifier: Apache-2.0
// N: a notification of the provider is never refused, unless somebody set the clock; it is acknowledged only after
// what it says is in the store; what nobody vouches for is not acknowledged, and is nowhere. What was acknowledged and
// cannot be laid to an order stands before a person.
#include <algorithm>

#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class NotificationsKept final : public ShopAuditor {
  public:
    explicit NotificationsKept(const ShopAuditParts& parts) : ShopAuditor("N", parts) {}

    void committed(const ShopCommit& event) override {
        using enum store::FlowOutcome;
        const store::FlowOutcome outcome = event.reply.outcome;
        if (outcome != applied && outcome != applied_before) return;
        if (event.commit.request) {
            const record::Claim& claim = event.commit.request->claim;
            kept_.insert(claim.operation + " " + claim.key_label);
        }
        if (const auto* bundle = std::get_if<flow::Bundle>(&event.commit.decision))
            keep(event.commit.subject.flow, bundle->history.values);
        const auto* told = std::get_if<flow::Arbitration>(&event.commit.decision);
        if (told != nullptr && told->event) keep(event.commit.subject.flow, told->event->values);
        // Each account counts its own, and says one thing under each.
        if (told != nullptr && told->reason.starts_with("its id came before"))
            find("a notification of `{}` was taken for another one", event.commit.subject.flow);
    }

    void heard(const ShopHeard& event) override {
        const Notice& notice = event.notice;
        const bool acknowledged = event.status >= 200 && event.status < 300;
        const bool vouched =
            notice.kind == Notice::Kind::genuine || notice.kind == Notice::Kind::unreadable;
        if (!vouched && acknowledged)
            find("{} of {} was {}, and acknowledged", notice.event_id, notice.account,
                 name_of(notice.kind));
        if (vouched && event.status >= 400 && event.status < 500 && !event.clock_stepped)
            find("{} of {} about {} was refused with {}", notice.event_id, notice.account,
                 notice.transaction, event.status);
        if (!vouched || !acknowledged) return;
        const std::string id =
            fmt::format("callback {}/{} {}", kProvider, notice.account, notice.event_id);
        if (!kept_.contains(id) && !said_.contains(fact_of(notice)))
            find("{} of {} about {} was acknowledged before it was stored", notice.event_id,
                 notice.account, notice.transaction);
    }

    void ended(const ShopEnding& ending) override {
        std::set<std::string> shown = book_.seen_to();
        for (const store::AttentionEntry& entry : ending.attention)
            if (entry.event) shown.insert(text_in(entry.event->values, "transaction_id"));
        for (const Unreadable& one : book_.unreadable())
            if (one.acknowledged && !shown.contains(one.transaction))
                find("{} was acknowledged, cannot be read, and no person sees it", one.transaction);
    }

  private:
    static std::string text_in(const flow::Given& values, std::string_view name) {
        const auto at = values.find(name);
        return at == values.end() ? std::string() : at->second;
    }
    static std::string fact_of(const Notice& notice) {
        return fmt::format("{} {} {}", notice.says, notice.transaction, notice.refund);
    }
    // What the provider never said of this account is nowhere.
    void keep(const std::string& flow, const flow::Given& values) {
        const std::string transaction = text_in(values, "transaction_id");
        if (transaction.empty()) return;
        said_.insert(fmt::format("payment.{} {} {}", text_in(values, "kind"), transaction,
                                 text_in(values, "refund_number")));
        if (transaction.starts_with('U') || transaction.starts_with('C')) return;
        const Money* money = book_.transaction(transaction);
        if (money == nullptr)
            find("`{}` took in {}, which nobody paid", flow, transaction);
        else if (book_.purchases()[money->purchase - 1].flow != flow)
            find("`{}` took in {}, which is of another account", flow, transaction);
    }

    std::set<std::string> kept_;  // by operation and key of their records
    std::set<std::string> said_;  // facts that are in the store
};

}  // namespace

ShopAuditorPtr notifications_kept(const ShopAuditParts& parts) {
    return std::make_unique<NotificationsKept>(parts);
}

}  // namespace pawl::sim
