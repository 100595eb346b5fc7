// SPDX-License-Identifier: Apache-2.0
// E3: a success, first or repeated, implies its effect. The other way round, the upstream's stored refusal
// has none.
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class SuccessImpliesEffect final : public Auditor {
  public:
    explicit SuccessImpliesEffect(const AuditParts& parts)
        : Auditor("E3", parts.book, parts.ledger, parts.findings) {}

    void answered(const Answered& answer) override {
        if (answer.tone == Tone::strange)
            find("request {} was answered {} {}, which is no answer of the protocol: {}",
                 answer.exchange, answer.response.status, answer.code,
                 answer.response.body.substr(0, 200));
        if (answer.tone != Tone::settled || answer.said == nullptr) return;
        const bool success =
            answer.response.status < 400 || answer.said->declared == policy::Declared::applied;
        if (success && (!answer.said->applied || ledger_.effects_of(answer.operation) == 0))
            find("request {} was answered {} and there is no effect", answer.exchange,
                 answer.response.status);
        if (!success && answer.said->applied)
            find("request {} was refused with {} and there is an effect", answer.exchange,
                 answer.response.status);
    }
};

}  // namespace

AuditorPtr success_implies_effect(const AuditParts& parts) {
    return std::make_unique<SuccessImpliesEffect>(parts);
}

}  // namespace pawl::sim
