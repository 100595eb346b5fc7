// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_front.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

namespace {

// Of whoever sends: a probe that is asked on the way may take as long as the engine lets it.
constexpr std::chrono::nanoseconds kPatience = 8s;

}  // namespace

Task<ShopFront::Heard> ShopFront::ask(Wish wish) {
    Slot slot(world_.outside().loop());
    if (chance_.hit(dose_.request_copied)) carry(wish, slot);
    if (!chance_.hit(dose_.request_lost)) carry(std::move(wish), slot);
    co_return (co_await slot.wait(world_.now() + kPatience)).value_or(std::nullopt);
}

void ShopFront::carry(Wish wish, Slot slot) {
    ++sent_;
    world_.trace().tell("sent", wish.number, wish.purchase, "wish {}: {} `{}{}` of {} under `{}`",
                        wish.number, wish.sent.event.caller, wish.sent.event.name, wish.deadline,
                        wish.sent.subject.business_key,
                        wish.sent.claim ? wish.sent.claim->key_label : std::string());
    const auto way =
        chance_.hit(30) ? chance_.between(20ms, 2'000ms) : chance_.between(100us, 10ms);
    world_.after(way, [this, sent_ms = store_now_(), slot, what = std::move(wish)]() mutable {
        arrive(std::move(what), slot, sent_ms);
    });
}

void ShopFront::arrive(Wish wish, Slot slot, std::int64_t sent_ms) {
    ShopNode* node = some_node(chance_);
    if (node == nullptr) return;
    Wish asked = wish;
    node->accept(chance_.below(node->seats()), std::move(asked),
                 [this, slot, sent_ms, what = std::move(wish)](Result<engine::Outcome> told) {
                     answer(what, slot, sent_ms, std::move(told));
                 });
}

void ShopFront::answer(const Wish& wish, Slot slot, std::int64_t sent_ms,
                       Result<engine::Outcome> told) {
    world_.trace().tell("answered", wish.number, told ? static_cast<std::uint64_t>(told->told) : 99,
                        "wish {} `{}`: {} {} version {} {}", wish.number, wish.sent.event.name,
                        told ? engine::name_of(told->told) : pawl::name_of(told.error().code),
                        told ? told->to : std::string(), told ? told->version : 0,
                        told ? told->reason : told.error().text);
    if (told) {
        count(wish, *told);
        audit_.answered({wish, *told, sent_ms});
    }
    if (chance_.hit(dose_.answer_lost)) return;
    world_.after(
        chance_.between(100us, 10ms),
        [slot, kept = std::make_shared<Result<engine::Outcome>>(std::move(told))]() mutable {
            if (!slot.is_set()) slot.set(std::move(*kept));
        });
}

void ShopFront::count(const Wish& wish, const engine::Outcome& outcome) {
    using enum ShopRare;
    using engine::Told;
    const bool is_fact = wish.sent.event.sender == flow::Sender::callback;
    switch (outcome.told) {
        case Told::repeated:
            if (!is_fact)
                rarities_.count(outcome.verdict ? repeated_same_key : repeated_fact_of_own);
            if (wish.sent.event.name == "pack") rarities_.count(box_scanned_again);
            break;
        case Told::present:
            rarities_.count(nothing_to_do);
            break;
        case Told::parked:
            rarities_.count(outcome.id.empty() ? parked_without_order : parked_early);
            break;
        case Told::ignored:
            if (wish.sent.event.name == "deliver") rarities_.count(delivery_ignored);
            break;
        case Told::recorded:
            if (outcome.verdict && outcome.verdict->outcome == record::Outcome::mismatch)
                rarities_.count(key_reused);
            break;
        case Told::contended:
            rarities_.count(contended);
            break;
        case Told::refused:
            if (!outcome.refusal) break;
            switch (outcome.refusal->reason) {
                case flow::Reason::out_of_stock:
                    rarities_.count(refused_out_of_stock);
                    break;
                case flow::Reason::slot_taken:
                    rarities_.count(refused_slot);
                    break;
                case flow::Reason::business_key_taken:
                    rarities_.count(business_key_taken);
                    break;
                case flow::Reason::duplicate_request:
                    rarities_.count(refused_to_stranger);
                    break;
                case flow::Reason::undecided:
                    rarities_.count(undecided);
                    break;
                case flow::Reason::token_expired:
                    rarities_.count(scan_too_old);
                    break;
                default:
                    break;
            }
            break;
        default:
            break;
    }
}

}  // namespace pawl::sim
