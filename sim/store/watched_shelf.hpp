// SPDX-License-Identifier: Apache-2.0
// A shelf that is watched: every commit is told to the auditors with the record before and after it. What
// changes a record without a call (a sweep, a start) is noticed at the next look and told as what it must
// have been: the end of a lease or of a retention.
#pragma once

#include <map>

#include "sim/audit/auditor.hpp"
#include "sim/history/rare.hpp"
#include "sim/world/trace.hpp"
#include "store/port/shelf.hpp"

namespace pawl::sim {

class ClaimsInFlight {
  public:
    void begin(const record::ClaimId& claim) { ++counts_[claim]; }
    void end(const record::ClaimId& claim) {
        if (const auto found = counts_.find(claim); found != counts_.end() && --found->second == 0)
            counts_.erase(found);
    }
    bool contains(const record::ClaimId& claim) const { return counts_.contains(claim); }

  private:
    std::map<record::ClaimId, int> counts_;
};

class WatchedShelf final : public store::Shelf {
  public:
    WatchedShelf(Book& book, Audit& audit, Rarities& rarities, Trace& trace)
        : book_(book), audit_(audit), rarities_(rarities), trace_(trace) {}

    // The shelf that is watched; another one after a restart. It outlives its watching.
    void put(store::Shelf& shelf) { shelf_ = &shelf; }

    store::Capabilities capabilities() const override { return shelf_->capabilities(); }
    std::int64_t now_ms() const override { return shelf_->now_ms(); }
    std::vector<Result<store::Reply>> commit(std::span<const record::Call> calls) override;
    Result<std::optional<store::Stored>> read(const Digest& identity) override {
        return shelf_->read(identity);
    }
    bool may_know(const Digest& identity) const override { return shelf_->may_know(identity); }
    Result<store::SweepReport> sweep(std::size_t limit) override;
    Result<std::vector<record::Row>> unresolved(const store::UnresolvedQuery& query) override {
        return shelf_->unresolved(query);
    }
    Result<store::Totals> totals() override { return shelf_->totals(); }
    Result<std::vector<store::TimelineEntry>> timeline(const Digest& identity) override {
        return shelf_->timeline(identity);
    }
    Result<std::vector<Digest>> find(store::LookUp kind, const std::string& value,
                                     std::size_t limit) override {
        return shelf_->find(kind, value, limit);
    }
    void note(store::TimelineEntry entry) override;
    bool tend() override { return shelf_->tend(); }

    // Looks at every record; after a start.
    void look_at_all(std::uint64_t present_boot);
    std::vector<record::Row> rows() const;
    // Claims whose senders still wait for their answer.
    void set_in_flight(const ClaimsInFlight& in_flight) { in_flight_ = &in_flight; }
    // Called when a node may be made to crash: its call has been committed.
    std::function<void(std::string_view step)> on_commit;

  private:
    struct Seen {
        record::Row row;
        Number name = 0;
    };

    Seen& seen(const Digest& identity);
    void look(const Digest& identity, Seen& known, std::uint64_t present_boot);
    void tell(const record::Call& call, Seen& known, record::Row after, record::Outcome outcome);
    void count(const Committed& event);
    void count_claim(const Committed& event, const record::Claim& claim);
    void count_settle(const Committed& event, const record::Settle& word);

    store::Shelf* shelf_ = nullptr;
    Book& book_;
    Audit& audit_;
    Rarities& rarities_;
    Trace& trace_;
    const ClaimsInFlight* in_flight_ = nullptr;
    std::unordered_map<Digest, std::size_t, DigestHash> places_;
    std::vector<Seen> seen_;
};

}  // namespace pawl::sim
