// SPDX-License-Identifier: Apache-2.0
// Q4: a resource is one booking's at a time. Times are the texts of the bookings themselves, which sort as they
// are.
#include <algorithm>

#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

std::string field_of(const flow::Entity& entity, std::string_view name) {
    const auto at = entity.fields.find(name);
    return at == entity.fields.end() ? std::string() : at->second.text;
}

class SlotsApart final : public ShopAuditor {
  public:
    explicit SlotsApart(const ShopAuditParts& parts) : ShopAuditor("Q4", parts) {}

    void committed(const ShopCommit& event) override {
        if (!event.after || event.after->flow != "booking") return;
        const flow::Entity& one = *event.after;
        constexpr std::array<std::string_view, 3> kHolding{"reserved", "paid", "confirmed"};
        if (std::ranges::find(kHolding, one.state) == kHolding.end()) {
            held_.erase(one.id);
            return;
        }
        const Slot slot{field_of(one, "resource"), field_of(one, "start"), field_of(one, "end")};
        for (const auto& [id, other] : held_)
            if (id != one.id && other.resource == slot.resource && other.from < slot.to &&
                slot.from < other.to)
                find("{} from {} to {} is {}'s and {}'s", slot.resource, slot.from, slot.to, id,
                     one.id);
        held_[one.id] = slot;
    }

  private:
    struct Slot {
        std::string resource;
        std::string from;
        std::string to;
    };
    std::map<std::string, Slot> held_;  // by id
};

}  // namespace

ShopAuditorPtr slots_apart(const ShopAuditParts& parts) {
    return std::make_unique<SlotsApart>(parts);
}

}  // namespace pawl::sim
