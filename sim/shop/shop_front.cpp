// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_front.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

namespace {

// Of whoever sends: a probe that is asked on the way may take as long as the engine lets it.
constexpr std::chrono::nanoseconds kPatience = 8s;

}  // namespace

template <class Answer>
Task<std::optional<Answer>> ShopFront::cross(Arrive<Answer> arrive) {
    pawl::Promise<Answer> slot(world_.outside().loop());
    if (chance_.hit(dose_.request_copied)) carry<Answer>(arrive, slot);
    if (!chance_.hit(dose_.request_lost)) carry<Answer>(arrive, slot);
    co_return co_await slot.wait(world_.now() + kPatience);
}

template <class Answer>
void ShopFront::carry(const Arrive<Answer>& arrive, pawl::Promise<Answer> slot) {
    ++sent_;
    const auto way =
        chance_.hit(30) ? chance_.between(20ms, 2'000ms) : chance_.between(100us, 10ms);
    world_.after(way, [this, arrive, slot] {
        ShopNode* node = fleet_.some(chance_);
        if (node == nullptr) return;
        arrive(*node, [this, slot](Answer told) {
            if (chance_.hit(dose_.answer_lost)) return;
            world_.after(chance_.between(100us, 10ms),
                         [slot, kept = std::make_shared<Answer>(std::move(told))]() mutable {
                             if (!slot.is_set()) slot.set(std::move(*kept));
                         });
        });
    });
}

Task<ShopFront::Heard> ShopFront::ask(Wish wish) {
    world_.trace().tell("sent", wish.number, wish.purchase, "wish {}: {} `{}{}` of {} under `{}`",
                        wish.number, wish.sent.event.caller, wish.sent.event.name, wish.deadline,
                        wish.sent.subject.business_key,
                        wish.sent.claim ? wish.sent.claim->key_label : std::string());
    const auto what = std::make_shared<const Wish>(std::move(wish));
    using Told = Result<engine::Outcome>;
    co_return co_await cross<Told>(
        [this, what, sent_ms = store_now_()](ShopNode& node, std::function<void(Told)> back) {
            node.accept(chance_.below(node.seats()), *what,
                        [this, what, sent_ms, tell = std::move(back)](Told told) {
                            answered(*what, sent_ms, told);
                            tell(std::move(told));
                        });
        });
}

Task<std::optional<int>> ShopFront::tell(Notice notice) {
    world_.trace().tell("told", 0, 0, "{} {} {} to {}: {} of {}", name_of(notice.kind), notice.says,
                        notice.event_id, notice.account, notice.transaction, notice.key);
    const auto what = std::make_shared<const Notice>(std::move(notice));
    co_return co_await cross<int>([this, what, stepped = world_.clock().stepped()](
                                      ShopNode& node, std::function<void(int)> back) {
        node.hear(
            chance_.below(node.seats()), *what,
            [this, what, stepped, arrived = world_.now(), tell = std::move(back)](int status) {
                heard(*what, status, arrived, stepped);
                tell(status);
            });
    });
}

void ShopFront::answered(const Wish& wish, std::int64_t sent_ms,
                         const Result<engine::Outcome>& told) {
    world_.trace().tell("answered", wish.number, told ? static_cast<std::uint64_t>(told->told) : 99,
                        "wish {} `{}`: {} {} version {} {}", wish.number, wish.sent.event.name,
                        told ? engine::name_of(told->told) : pawl::name_of(told.error().code),
                        told ? told->to : std::string(), told ? told->version : 0,
                        told ? told->reason : told.error().text);
    if (!told && told.error().code == Code::not_found && !wish.sent.subject.id.empty())
        rarities_.count(ShopRare::asked_of_retired);
    if (!told) return;
    count(wish, *told);
    audit_.answered({wish, *told, sent_ms});
}

// Signed by the provider's clock, and judged by the node's: whoever steps them between the two makes it out of time.
void ShopFront::heard(const Notice& notice, int status, MonotonicTime arrived,
                      std::chrono::milliseconds stepped) {
    world_.trace().tell("heard", static_cast<std::uint64_t>(status), 0, "{} {} of {}: {}",
                        name_of(notice.kind), notice.event_id, notice.account, status);
    using enum ShopRare;
    const bool is_own = notice.kind == Notice::Kind::genuine;
    if (status == 500 && world_.now() - arrived >= engine::kNotificationBudget)
        rarities_.count(notice_outlived_budget);
    if (status == 401) rarities_.count(is_own ? notice_out_of_time : notice_not_believed);
    if (status == 204 && notice.kind == Notice::Kind::unreadable)
        rarities_.count(notice_for_people);
    audit_.heard({notice, status, stepped != world_.clock().stepped()});
}

void ShopFront::count(const Wish& wish, const engine::Outcome& outcome) {
    using enum ShopRare;
    using engine::Told;
    switch (outcome.told) {
        case Told::repeated:
            if (wish.sent.event.sender != flow::Sender::callback)
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
