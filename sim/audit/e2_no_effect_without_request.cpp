// SPDX-License-Identifier: Apache-2.0
// E2: no effect without a request: some client asked for just this, and its request held the claim under
// whose fence the effect happened.
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class NoEffectWithoutRequest final : public Auditor {
  public:
    explicit NoEffectWithoutRequest(const AuditParts& parts)
        : Auditor("E2", parts.book, parts.ledger, parts.findings) {}

    void committed(const Committed& event) override {
        const auto* claim = std::get_if<record::Claim>(&event.call);
        if (claim != nullptr && record::is_acquired(event.outcome))
            holders_.emplace(event.after.fence.number, exchange_in(claim->trace_id));
    }

    void applied(const Applied& effect) override {
        if (effect.exchange == 0 || effect.exchange > book_.exchanges().size())
            return find("effect of request {}, which nobody sent", effect.exchange);
        const Exchange& exchange = book_.exchange(effect.exchange);
        if (effect.intent == 0 || exchange.intent != effect.intent ||
            book_.intent(effect.intent).name != effect.name)
            find("effect of request {}: it asked for intent {}, done was {}", effect.exchange,
                 exchange.intent, effect.intent);
        const auto holder = holders_.find(effect.fence.number);
        if (holder == holders_.end() || holder->second != effect.exchange)
            find("effect of request {} under fence {}, which it never held", effect.exchange,
                 effect.fence.number);
    }

  private:
    std::unordered_map<std::uint64_t, Number> holders_;  // fence -> request
};

}  // namespace

AuditorPtr no_effect_without_request(const AuditParts& parts) {
    return std::make_unique<NoEffectWithoutRequest>(parts);
}

}  // namespace pawl::sim
