// SPDX-License-Identifier: Apache-2.0
// E1: one effect per key and per fact: a request moves something at most once however often it is sent, a
// payment is in the history of one order once, a scan packs one box, a change of stock is made once.
#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class OncePerKey final : public ShopAuditor {
  public:
    explicit OncePerKey(const ShopAuditParts& parts) : ShopAuditor("E1", parts) {}

    void committed(const ShopCommit& event) override {
        if (event.reply.outcome != store::FlowOutcome::applied || !event.commit.request) return;
        if (!std::holds_alternative<store::StockChange>(event.commit.decision)) return;
        const record::Claim& claim = event.commit.request->claim;
        if (++changes_[claim.identity] > 1)
            find("a change of stock was made twice under `{}`", claim.key_label);
    }

    void ended(const ShopEnding& ending) override {
        std::map<Digest, std::string> requests;
        std::map<std::string, std::string> facts;
        for (const Story& story : ending.stories)
            for (const store::FlowStep& step : story.steps) {
                const flow::History& row = step.history;
                const std::string place = fmt::format("version {} of {} {}", row.version,
                                                      story.entity.flow, story.entity.id);
                if (step.request) note(requests, *step.request, "a request", place);
                if (is_payment(row.event))
                    note(facts, "payment " + value_of(row, "transaction_id"), "a payment", place);
                if (row.event == "refunded")
                    note(facts, "reversal " + value_of(row, "refund_number"), "a reversal", place);
                if (row.event == "pack")
                    note(facts, "scan " + value_of(row, "token"), "a scan", place);
                if (row.event == "create" && story.entity.flow == "booking")
                    note(facts, "booking " + value_of(row, "user") + value_of(row, "token"),
                         "a booking", place);
            }
    }

  private:
    static std::string value_of(const flow::History& row, std::string_view name) {
        const auto at = row.values.find(name);
        return at == row.values.end() ? std::string("nothing") : at->second;
    }
    template <class Key>
    void note(std::map<Key, std::string>& seen, const Key& key, std::string_view what,
              const std::string& place) {
        const auto [at, fresh] = seen.emplace(key, place);
        if (!fresh) find("{} made {} and {}", what, at->second, place);
    }

    std::map<Digest, int> changes_;
};

}  // namespace

ShopAuditorPtr once_per_key(const ShopAuditParts& parts) {
    return std::make_unique<OncePerKey>(parts);
}

}  // namespace pawl::sim
