// SPDX-License-Identifier: Apache-2.0
// A1: nothing leaves for the upstream, and nothing is replayed, for a caller who has no permission. A2: no replay
// is later than five seconds after the loss of the right. Judged by the rights themselves, not by what was asked.
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

constexpr auto kAgeMax = 5'000ms;

class Permission final : public Auditor {
  public:
    explicit Permission(const AuditParts& parts)
        : Auditor("A1", parts.book, parts.ledger, parts.findings) {}

    void answered(const Answered& answer) override {
        if (!answer.marked) return;
        const Name& name = book_.name(answer.name);
        if (name.promise != kPermitted) return;
        if (!book_.rights.might(name.caller, answer.at - kAgeMax, answer.at))
            find(
                "request {} was answered with a replay more than 5 s after caller {} lost the "
                "right",
                answer.exchange, name.caller);
    }

    // A permission that its request began with lasts for its attempt.
    void sent(const Sent& sent) override {
        if (sent.exchange == 0) return;
        const Name& name = book_.name_of_exchange(sent.exchange);
        if (name.promise != kPermitted) return;
        const MonotonicTime since = book_.exchange(sent.exchange).sent_at - kAgeMax;
        if (!book_.rights.might(name.caller, since, sent.at))
            find("request {} of caller {} was carried out without permission", sent.exchange,
                 name.caller);
    }
};

}  // namespace

AuditorPtr no_answer_without_permission(const AuditParts& parts) {
    return std::make_unique<Permission>(parts);
}

}  // namespace pawl::sim
