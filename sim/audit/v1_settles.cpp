// SPDX-License-Identifier: Apache-2.0
// V1: once faults stop, everything settles in bounded time or stands in the list of what needs a person.
// Where the upstream answers a closing probe nothing needs a person.
#include <unordered_set>

#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class EverythingSettles final : public Auditor {
  public:
    explicit EverythingSettles(const AuditParts& parts)
        : Auditor("V1", parts.book, parts.ledger, parts.findings) {}

    void ended(const Ending& ending) override {
        if (ending.attempts_running > 0) find("{} attempts still run", ending.attempts_running);
        if (ending.words_in_hand > 0)
            find("{} words of owners are not with the store", ending.words_in_hand);
        std::unordered_set<Number> listed;
        for (const record::Row& row : ending.unresolved) {
            const Number name = book_.known_as(row.identity);
            listed.insert(name);
            if (row.state == record::State::in_progress && ending.now_ms >= row.lease_until_ms)
                find("name {}: the claim under fence {} is over and still in progress", name,
                     row.fence.number);
            if (name != 0 && book_.name(name).promise == Promise::closing)
                find("name {}: {} although its upstream answers a closing probe", name,
                     record::name_of(row.state));
        }
        for (const record::Row& row : ending.rows)
            if (record::is_unresolved(row.state) && !listed.contains(book_.known_as(row.identity)))
                find("name {}: {} and not in the list of unresolved records",
                     book_.known_as(row.identity), record::name_of(row.state));
        for (const Number name : ending.waiting_clients)
            if (!listed.contains(name))
                find("name {} ({}): its client got no last word, and it is not listed", name,
                     name_of(book_.name(name).promise));
    }
};

}  // namespace

AuditorPtr everything_settles(const AuditParts& parts) {
    return std::make_unique<EverythingSettles>(parts);
}

}  // namespace pawl::sim
