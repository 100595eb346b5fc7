// SPDX-License-Identifier: Apache-2.0
// Q1: no quantity below zero. Q2: what is available, reserved and sold adds up to what was ever put in, after
// every commit. Q3: what one order holds of one SKU ends once: never more confirmed and released than held, never
// taken back, and nothing open in a state that is final. At the end orders and levels agree.
#include <algorithm>

#include "sim/shop/shop_auditor.hpp"

namespace pawl::sim {
namespace {

class StockBooks final : public ShopAuditor {
  public:
    explicit StockBooks(const ShopAuditParts& parts) : ShopAuditor("Q", parts) {}

    void committed(const ShopCommit& event) override {
        if (event.reply.outcome != store::FlowOutcome::applied) return;
        if (const auto* change = std::get_if<store::StockChange>(&event.commit.decision)) {
            std::int64_t& total = totals_[change->sku];
            total = change->kind == store::StockChange::Kind::set ? change->quantity
                                                                  : total + change->quantity;
        }
        for (const auto& [sku, level] : event.levels) check_level(sku, level);
        if (event.after) check_reservations(event.before, *event.after);
    }

    void ended(const ShopEnding& ending) override {
        std::map<stock::Sku, stock::Level> held;
        for (const Story& story : ending.stories)
            for (const flow::HeldStock& one : story.entity.stock) {
                const std::int64_t open = open_of(one.reservation);
                held[one.sku].reserved += open;
                held[one.sku].sold += one.reservation.confirmed - one.reservation.returned;
                const flow::StateRule* state =
                    state_in(declared(story.entity.flow), story.entity.state);
                if (open != 0 && state != nullptr && state->final)
                    find("Q3: {} is {} and holds {} of {}", story.entity.id, story.entity.state,
                         open, one.sku.code);
            }
        for (const auto& [sku, level] : ending.levels) {
            check_level(sku, level);
            if (held[sku].reserved != level.reserved || held[sku].sold != level.sold)
                find("Q2: of {} orders hold {} and bought {}, the level says {} and {}", sku.code,
                     held[sku].reserved, held[sku].sold, level.reserved, level.sold);
        }
    }

  private:
    void check_level(const stock::Sku& sku, const stock::Level& level) {
        if (level.available < 0 || level.reserved < 0 || level.sold < 0)
            find("Q1: of {} there are {} available, {} reserved, {} sold", sku.code,
                 level.available, level.reserved, level.sold);
        const std::int64_t total = level.available + level.reserved + level.sold;
        if (total != totals_[sku])
            find("Q2: of {} there are {} available, {} reserved, {} sold, and {} were put in",
                 sku.code, level.available, level.reserved, level.sold, totals_[sku]);
    }

    void check_reservations(const std::optional<flow::Entity>& before, const flow::Entity& after) {
        for (const flow::HeldStock& one : after.stock) {
            const stock::Reservation& is = one.reservation;
            if (is.held < is.confirmed + is.released || is.confirmed < is.returned ||
                is.returned < 0 || is.released < 0)
                find("Q3: {} holds {} of {}: {} confirmed, {} released, {} returned", after.id,
                     is.held, one.sku.code, is.confirmed, is.released, is.returned);
            if (!before) continue;
            const auto was = std::ranges::find(before->stock, one.sku, &flow::HeldStock::sku);
            if (was == before->stock.end()) continue;
            const stock::Reservation& had = was->reservation;
            if (is.held < had.held || is.confirmed < had.confirmed || is.released < had.released ||
                is.returned < had.returned)
                find("Q3: {} had {} of {} and now {}", after.id, had.held, one.sku.code, is.held);
        }
    }

    static std::int64_t open_of(const stock::Reservation& one) {
        return one.held - one.confirmed - one.released;
    }

    std::map<stock::Sku, std::int64_t> totals_;
};

}  // namespace

ShopAuditorPtr stock_books(const ShopAuditParts& parts) {
    return std::make_unique<StockBooks>(parts);
}

}  // namespace pawl::sim
