// SPDX-License-Identifier: Apache-2.0
// S2: claims are linearizable per identity: fences rise over the whole shard, at most one claim is held at a
// time, and one claim acts once. A claim that a living owner was given is spoken of again by that owner: it
// is not left to its lease. One that lands when nobody waits for it any more is nobody's.
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

class ClaimsLinearizable final : public Auditor {
  public:
    explicit ClaimsLinearizable(const AuditParts& parts)
        : Auditor("S2", parts.book, parts.ledger, parts.findings) {}

    void committed(const Committed& event) override {
        if (const auto* claim = std::get_if<record::Claim>(&event.call))
            return claimed(event, *claim);
        std::visit(
            [&](const auto& word) {
                if constexpr (requires { word.claim; }) spoken(word.claim);
            },
            event.call);
    }

    void sent(const Sent& event) override {
        const auto [first, fresh] = sent_.emplace(event.fence.number, event.exchange);
        if (!fresh)
            find("fence {} was sent to the upstream twice, by requests {} and {}",
                 event.fence.number, first->second, event.exchange);
        if (!held_.contains(event.fence.number))
            find("request {} went out under fence {}, which no claim was given", event.exchange,
                 event.fence.number);
    }

    void ended(const Ending& ending) override {
        for (const Given& given : given_) {
            const bool alive =
                std::ranges::find(ending.living_boots, given.boot) != ending.living_boots.end();
            if (alive && !given.spoken_of)
                find(
                    "name {}: the claim under fence {} was given and its owner, still alive, never "
                    "spoke of it "
                    "again",
                    given.name, given.fence);
        }
    }

  private:
    struct Given {
        record::ClaimId claim;
        std::uint64_t fence = 0;
        std::uint64_t boot = 0;
        Number name = 0;
        bool spoken_of = false;
    };
    struct ClaimHash {
        std::size_t operator()(const record::ClaimId& claim) const {
            std::size_t value = 0;
            std::memcpy(&value, claim.bytes.data(), sizeof value);
            return value;
        }
    };

    void claimed(const Committed& event, const record::Claim& claim) {
        spoken(claim.claim);
        if (!record::is_acquired(event.outcome)) return;
        const std::uint64_t fence = event.after.fence.number;
        if (event.before.state == record::State::in_progress && event.before.claim == claim.claim)
            return;
        if (event.before.state == record::State::in_progress &&
            event.now_ms < event.before.lease_until_ms)
            find("name {}: fence {} was given out while fence {} was held", event.name, fence,
                 event.before.fence.number);
        if (fence <= last_fence_)
            find("name {}: fence {} after fence {}", event.name, fence, last_fence_);
        last_fence_ = std::max(last_fence_, fence);
        held_.emplace(fence, claim.claim);
        by_claim_.insert_or_assign(claim.claim, given_.size());
        given_.push_back({claim.claim, fence, claim.owner.boot, event.name, !event.awaited});
    }

    void spoken(const record::ClaimId& claim) {
        if (const auto found = by_claim_.find(claim); found != by_claim_.end())
            given_[found->second].spoken_of = true;
    }

    std::uint64_t last_fence_ = 0;
    std::unordered_map<std::uint64_t, record::ClaimId> held_;
    std::unordered_map<std::uint64_t, Number> sent_;
    std::vector<Given> given_;
    std::unordered_map<record::ClaimId, std::size_t, ClaimHash> by_claim_;
};

}  // namespace

AuditorPtr claims_linearizable(const AuditParts& parts) {
    return std::make_unique<ClaimsLinearizable>(parts);
}

}  // namespace pawl::sim
