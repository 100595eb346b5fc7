// SPDX-License-Identifier: Apache-2.0
// R4: never another caller's body, nor that of another operation. Callers choose keys without knowing of each
// other, and choose the same ones.
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class NoOtherCallersBody final : public Auditor {
  public:
    explicit NoOtherCallersBody(const AuditParts& parts)
        : Auditor("R4", parts.book, parts.ledger, parts.findings) {}

    void answered(const Answered& answer) override {
        if (answer.said == nullptr) return;
        const Name& name = book_.name(answer.name);
        if (answer.said->caller != name.caller)
            find("request {} of caller {} got an answer made for caller {}", answer.exchange,
                 name.caller, answer.said->caller);
        else if (answer.said->name != answer.name)
            find("request {} under name {} got the answer of name {}", answer.exchange, answer.name,
                 answer.said->name);
    }
};

}  // namespace

AuditorPtr no_other_callers_body(const AuditParts& parts) {
    return std::make_unique<NoOtherCallersBody>(parts);
}

}  // namespace pawl::sim
