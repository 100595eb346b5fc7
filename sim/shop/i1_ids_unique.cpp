// SPDX-License-Identifier: Apache-2.0
// I1: no id twice. Whoever makes an id uses it for one creation, however often that is sent; another one, of another
// loop, of a boot that came back, or under a clock that was set back, has another id.
#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class IdsUnique final : public ShopAuditor {
  public:
    explicit IdsUnique(const ShopAuditParts& parts) : ShopAuditor("I1", parts) {}

    // What loses counts too: it was given the id.
    void committed(const ShopCommit& event) override {
        const auto* bundle = std::get_if<flow::Bundle>(&event.commit.decision);
        if (bundle == nullptr || bundle->course != flow::Course::created || !event.commit.request)
            return;
        const record::Claim& claim = event.commit.request->claim;
        const auto [at, is_new] = made_for_.emplace(bundle->created.id, claim.claim);
        if (!is_new && at->second != claim.claim)
            find("{} was given out twice, the second time for `{}`", bundle->created.id,
                 claim.key_label);
    }

  private:
    std::map<std::string, record::ClaimId> made_for_;
};

}  // namespace

ShopAuditorPtr ids_unique(const ShopAuditParts& parts) {
    return std::make_unique<IdsUnique>(parts);
}

}  // namespace pawl::sim
