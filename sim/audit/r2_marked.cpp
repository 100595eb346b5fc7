// SPDX-License-Identifier: Apache-2.0
// R2: a replay is marked and carries nothing that belongs to the first exchange alone; the first carries
// every line and is not marked, and there is one first.
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class ReplaysMarked final : public Auditor {
  public:
    explicit ReplaysMarked(const AuditParts& parts)
        : Auditor("R2", parts.book, parts.ledger, parts.findings) {}

    void answered(const Answered& answer) override {
        if (answer.said == nullptr) return;
        const std::size_t cookies = http::values_of(answer.response.headers, "Set-Cookie").size();
        if (answer.marked && cookies > 0)
            find("request {} was answered with a replay that sets a cookie", answer.exchange);
        if (answer.tone != Tone::settled && answer.tone != Tone::doubtful) return;
        const std::string& key = book_.name(answer.name).key;
        if (answer.marked) {
            if (!key.empty() && http::first_of(answer.response.headers, "Idempotency-Key") != key)
                find("request {} was answered with a replay that does not echo its key",
                     answer.exchange);
            return;
        }
        if (cookies != 2)
            find("request {} was the first and got {} of 2 cookies", answer.exchange, cookies);
        const Number serial = answer.said->serial;
        if (firsts_.size() <= serial) firsts_.resize(serial + 1);
        if (firsts_[serial] != 0)
            find("requests {} and {} both got the upstream's answer {} unmarked", firsts_[serial],
                 answer.exchange, serial);
        firsts_[serial] = answer.exchange;
    }

  private:
    std::vector<Number> firsts_;  // by the upstream's answer
};

}  // namespace

AuditorPtr replays_marked(const AuditParts& parts) {
    return std::make_unique<ReplaysMarked>(parts);
}

}  // namespace pawl::sim
