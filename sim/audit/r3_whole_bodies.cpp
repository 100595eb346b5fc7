// SPDX-License-Identifier: Apache-2.0
// R3: whole bodies only: an answer of the upstream's is passed on byte for byte, with its status, or not.
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class WholeBodies final : public Auditor {
  public:
    explicit WholeBodies(const AuditParts& parts)
        : Auditor("R3", parts.book, parts.ledger, parts.findings) {}

    void answered(const Answered& answer) override {
        if (answer.said == nullptr) return;
        if (answer.response.status != answer.said->status)
            find("request {} was answered {}, the upstream had said {}", answer.exchange,
                 answer.response.status, answer.said->status);
        if (answer.response.body != answer.said->body)
            find("request {} got {} bytes of body, the upstream had sent {}{}", answer.exchange,
                 answer.response.body.size(), answer.said->body.size(),
                 answer.response.body.size() == answer.said->body.size() ? " others" : "");
    }
};

}  // namespace

AuditorPtr whole_bodies(const AuditParts& parts) { return std::make_unique<WholeBodies>(parts); }

}  // namespace pawl::sim
