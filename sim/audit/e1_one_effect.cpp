// SPDX-License-Identifier: Apache-2.0
// E1: at most one effect per identity and version, counted by the upstream's ledger. A natural key
// names a new operation once its window is over, so its effects lie at least a window apart.
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class AtMostOneEffect final : public Auditor {
  public:
    explicit AtMostOneEffect(const AuditParts& parts)
        : Auditor("E1", parts.book, parts.ledger, parts.findings),
          window_(parts.rules.natural_window) {}

    void applied(const Applied& effect) override {
        last_.resize(std::max<std::size_t>(last_.size(), effect.operation + 1));
        std::optional<Applied>& last = last_[effect.operation];
        const Name& name = book_.name(effect.name);
        const bool natural = name.promise == Promise::natural;
        // Store time is in whole milliseconds.
        const bool apart =
            last && natural && effect.at - last->at >= window_ - std::chrono::milliseconds{2};
        if (last && !apart && !name.excused)
            find(
                "second effect of {} name {}: request {} under fence {}, after request {} under "
                "fence {}",
                name_of(name.promise), effect.name, effect.exchange, effect.fence.number,
                last->exchange, last->fence.number);
        last = effect;
    }

  private:
    std::chrono::milliseconds window_;
    std::vector<std::optional<Applied>> last_;  // by operation
};

}  // namespace

AuditorPtr at_most_one_effect(const AuditParts& parts) {
    return std::make_unique<AtMostOneEffect>(parts);
}

}  // namespace pawl::sim
