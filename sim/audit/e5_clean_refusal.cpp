// SPDX-License-Identifier: Apache-2.0
// E5: a clean refusal has no effect: what a client was told was not executed was not executed by its
// request, then or later.
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class CleanRefusal final : public Auditor {
  public:
    explicit CleanRefusal(const AuditParts& parts)
        : Auditor("E5", parts.book, parts.ledger, parts.findings) {}

    void answered(const Answered& answer) override {
        switch (answer.tone) {
            case Tone::unavailable:
            case Tone::limited:
            case Tone::mismatch:
            case Tone::released:
                refused_.push_back({answer.exchange, answer.response.status});
                break;
            case Tone::forbidden:  // who lost the right while it ran is told no more of it
            case Tone::stale:
            case Tone::malformed:
                // Its own attempt may have lost the record to a repeat, and that one to a newer version.
                if (!book_.exchange(answer.exchange).acquired)
                    refused_.push_back({answer.exchange, answer.response.status});
                break;
            default:
                break;
        }
    }

    void ended(const Ending&) override {
        for (const auto& [exchange, status] : refused_)
            if (ledger_.caused_effect(exchange))
                find("request {} was refused with {} and took effect", exchange, status);
    }

  private:
    std::vector<std::pair<Number, int>> refused_;
};

}  // namespace

AuditorPtr clean_refusal_has_no_effect(const AuditParts& parts) {
    return std::make_unique<CleanRefusal>(parts);
}

}  // namespace pawl::sim
