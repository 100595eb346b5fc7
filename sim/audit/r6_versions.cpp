// SPDX-License-Identifier: Apache-2.0
// R6: versions of one operation (rulings 1). An older one never lands over a newer one, goes upstream under its
// own name, and every answer says truly what became of it: 1 the first to be executed, 2 it replaced a result,
// 0 it changed nothing. Versions are compared here as the digits that they are.
#include <unordered_map>
#include <unordered_set>

#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class Versions final : public Auditor {
  public:
    explicit Versions(const AuditParts& parts)
        : Auditor("R6", parts.book, parts.ledger, parts.findings) {}

    void committed(const Committed& event) override {
        const auto* claim = std::get_if<record::Claim>(&event.call);
        if (claim == nullptr || !claim->stamp || !record::is_acquired(event.outcome)) return;
        const Number exchange = exchange_in(claim->trace_id);
        if (event.after.beside) replaces_.insert(exchange);
        const auto& known = event.before.settled ? event.before.settled->stamp : event.before.stamp;
        if (known && is_older(claim->stamp->canonical, known->canonical))
            find("name {}: version {} was given the record of version {}", event.name,
                 claim->stamp->canonical, known->canonical);
        const bool waits = record::is_unresolved(event.before.state);
        if (waits && event.before.stamp && event.before.stamp != claim->stamp)
            find("name {}: version {} took over from version {}", event.name,
                 claim->stamp->canonical, event.before.stamp->canonical);
    }

    void sent(const Sent& event) override {
        if (event.exchange == 0) return;
        const std::string& stamp = book_.intent(book_.exchange(event.exchange).intent).stamp;
        if (event.version != stamp)
            find("request {} of version {} went out as version {}", event.exchange, stamp,
                 event.version);
    }

    void applied(const Applied& effect) override {
        if (effect.intent == 0) return;
        const std::string& stamp = book_.intent(effect.intent).stamp;
        if (stamp.empty() || book_.name(effect.name).excused) return;
        std::string& last = last_[effect.name];
        if (is_older(stamp, last))
            find("name {}: version {} took effect after version {}", effect.name, stamp, last);
        last = stamp;
    }

    void answered(const Answered& answer) override {
        const bool versioned = !book_.intent(answer.intent).stamp.empty();
        const std::string_view decision =
            http::first_of(answer.response.headers, "Pawl-Version-Decision");
        if (decision != expected(answer, versioned))
            find("request {} ({}) was told the decision `{}`", answer.exchange,
                 name_of(answer.tone), decision);
    }

  private:
    std::string_view expected(const Answered& answer, bool versioned) const {
        if (!versioned) return "";
        switch (answer.tone) {
            case Tone::settled:
                if (answer.marked) return "0";
                return replaces_.contains(answer.exchange) ? "2" : "1";
            case Tone::stale:
            case Tone::expired:
                return "0";
            default:
                return "";
        }
    }

    std::unordered_set<Number> replaces_;           // requests whose claim was given over a result
    std::unordered_map<Number, std::string> last_;  // by name: the version that took effect last
};

}  // namespace

AuditorPtr versions_in_order(const AuditParts& parts) { return std::make_unique<Versions>(parts); }

}  // namespace pawl::sim
