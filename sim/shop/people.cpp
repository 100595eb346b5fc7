// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/people.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

namespace {

bool is_last_word(const Result<engine::Outcome>& told) {
    if (!told)
        return told.error().code == Code::not_found || told.error().code == Code::request_invalid;
    if (told->told == engine::Told::contended) return false;
    return !told->refusal || told->refusal->reason != flow::Reason::undecided;
}

}  // namespace

People::People(World& world, ShopBook& book, ShopFront& front, Provider& provider,
               ShopTraffic traffic, StoreNow store_now)
    : world_(world),
      chance_(world.chance_for("people")),
      book_(book),
      front_(front),
      provider_(provider),
      traffic_(traffic),
      store_now_(std::move(store_now)),
      errands_(world.outside().loop()) {}

std::vector<stock::Sku> People::skus() {
    std::vector<stock::Sku> skus;
    for (int i = 0; i < kSkus; ++i)
        skus.push_back({i + 1 == kSkus ? stock::Kind::voucher : stock::Kind::goods,
                        std::string(1, static_cast<char>('A' + i))});
    return skus;
}

void People::start() {
    errands_.spawn(fill_shelves());
    errands_.spawn(come());
}

Task<People::Told> People::have(Number number) {
    waiting_.insert(number);
    const auto ended = [this, number] { waiting_.erase(number); };
    for (;;) {
        const auto heard = co_await front_.ask(book_.wish(number));
        if (heard && is_last_word(*heard)) {
            ended();
            if (!*heard) co_return std::nullopt;
            const Number of = book_.wish(number).purchase;
            if (of != 0 && (*heard)->version > 0) book_.purchase(of).version = (*heard)->version;
            co_return **heard;
        }
        const bool leaves = !patient_ && book_.wish(number).may_be_left;
        if (leaves && chance_.hit(dose_.sender_leaves)) {
            ended();
            co_return std::nullopt;
        }
        co_await loop().sleep_for(chance_.between(50ms, 2'000ms));
    }
}

Task<void> People::meanwhile(Number wish) { co_await have(wish); }

Task<void> People::go(Number wish) {
    if (chance_.hit(250)) {
        errands_.spawn(meanwhile(wish));
        co_return;
    }
    co_await have(wish);
}

// Totals first, then now and then more, or less.
Task<void> People::fill_shelves() {
    const auto change = [this](const stock::Sku& sku, store::StockChange::Kind kind,
                               std::int64_t quantity) {
        const std::string key = new_key();
        Wish wish;
        wish.kind = Wish::Kind::stock;
        wish.change = store::StockChange{sku, kind, quantity};
        wish.sent.event = {.name = "stock", .caller = "keeper"};
        wish.sent.claim =
            claim_of("keeper", "stock", key, fmt::format("{} {}", sku.code, quantity));
        wish.may_be_left = false;
        return book_.add_wish(std::move(wish)).number;
    };
    for (const stock::Sku& sku : skus())
        co_await have(change(sku, store::StockChange::Kind::set,
                             static_cast<std::int64_t>(chance_.between(5, 60))));
    while (!came_all_) {
        co_await loop().sleep_for(chance_.between(1s, 10s));
        const auto sku = skus()[chance_.below(kSkus)];
        const std::int64_t more = static_cast<std::int64_t>(chance_.between(0, 12)) - 3;
        if (more != 0) co_await have(change(sku, store::StockChange::Kind::adjust, more));
    }
}

Task<void> People::come() {
    Number left[] = {traffic_.purchases, traffic_.bookings, traffic_.boxes, traffic_.payments};
    for (Number all = left[0] + left[1] + left[2] + left[3]; all > 0; --all) {
        co_await loop().sleep_for(chance_.between(0ns, 2 * traffic_.pause));
        std::uint64_t drawn = chance_.below(all);
        std::size_t kind = 0;
        while (drawn >= left[kind]) drawn -= left[kind++];
        --left[kind];
        constexpr std::array<const char*, 4> kFlows{"order", "booking", "packing", "payment"};
        const std::string who = fmt::format("shopper{}", 1 + chance_.below(8));
        const std::string amount = fmt::format("{}.50", 1 + chance_.below(90));
        const Number number = book_.add_purchase(kFlows[kind], who, amount).number;
        errands_.spawn(going(kind == 0   ? buy(number)
                             : kind == 1 ? book_room(number)
                             : kind == 2 ? pack_box(number)
                                         : pay_online(number)));
    }
    came_all_ = true;
}

Number People::event_of(Number number, std::string event, std::string caller, flow::Given values) {
    const Purchase& purchase = book_.purchase(number);
    const std::string key = new_key();
    Wish wish;
    wish.purchase = number;
    wish.sent.subject = {std::string(kShopTenant), purchase.flow, purchase.id, purchase.key};
    wish.sent.claim = claim_of(caller, purchase.flow + "." + event, key, key);
    wish.sent.event = {
        .name = std::move(event), .values = std::move(values), .caller = std::move(caller)};
    if (purchase.version > 0 && chance_.hit(150)) wish.sent.event.if_match = purchase.version;
    wishes_of_[number].push_back(static_cast<Number>(book_.wishes().size() + 1));
    return book_.add_wish(std::move(wish)).number;
}

Number People::creation_of(Number number, std::string caller, flow::Given values,
                           std::vector<stock::Line> items) {
    const Number made = event_of(number, "create", std::move(caller), std::move(values));
    Wish& wish = book_.wish(made);
    wish.sent.creates = true;
    wish.sent.subject.id.clear();
    wish.sent.event.if_match.reset();
    wish.sent.event.items = std::move(items);
    return made;
}

// It has no key, and is not repeated.
Number People::renewal_of(Number number, std::string deadline) {
    const Number made = event_of(number, "renew", book_.purchase(number).shopper);
    Wish& wish = book_.wish(made);
    wish.kind = Wish::Kind::renewal;
    wish.deadline = std::move(deadline);
    wish.sent.claim.reset();
    wishes_of_[number].pop_back();
    return made;
}

// The same request once more.
Number People::repeat_of(Number purchase) {
    const auto& wishes = wishes_of_[purchase];
    return wishes[chance_.below(wishes.size())];
}

// The key of an earlier wish with another body.
Number People::reuse_key_of(Number purchase) {
    Wish other = book_.wish(repeat_of(purchase));
    other.sent.claim->fingerprint = sha256(fmt::format("other body {}", other.number));
    return book_.add_wish(std::move(other)).number;
}

std::vector<stock::Line> People::draw_items() {
    std::vector<stock::Line> items;
    const auto all = skus();
    for (std::uint64_t lines = chance_.between(1, 3); lines > 0; --lines)
        items.push_back(
            {all[chance_.below(kSkus)], static_cast<std::int64_t>(chance_.between(1, 3))});
    return items;
}

}  // namespace pawl::sim
