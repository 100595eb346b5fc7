// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/clerk.hpp"

#include "runtime/result/assert.hpp"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;
using store::ClosedAs;

constexpr std::size_t kAtOnce = 50;

}  // namespace

Clerk::Clerk(World& world, ShopBook& book, WatchedFlows& flows, ShopRarities& rarities)
    : world_(world),
      chance_(world.chance_for("clerk")),
      book_(book),
      flows_(flows),
      rarities_(rarities),
      work_(world.outside().loop()) {}

Task<void> Clerk::look_now_and_then() {
    Loop& loop = world_.outside().loop();
    for (;;) {
        co_await loop.sleep_for(chance_.between(2s, 20s));
        const auto list = flows_.attention(0, kAtOnce);
        if (!list) continue;
        for (const store::AttentionEntry& entry : *list)
            if (chance_.hit(700)) work_.spawn(see_to(entry));
    }
}

Task<void> Clerk::see_to(store::AttentionEntry entry) {
    Loop& loop = world_.outside().loop();
    co_await loop.sleep_for(chance_.between(0ms, 15'000ms));
    store::CloseAttention word{entry.number, fmt::format("clerk {}", chance_.below(3)), "seen"};
    if (may_be_left(entry) && chance_.hit(300)) word.as = ClosedAs::left;
    store::Closing closing = say(word, entry);
    while (chance_.hit(200)) {
        co_await loop.sleep_for(chance_.between(0ms, 5'000ms));
        closing = say(word, entry);
    }
    if (closing == store::Closing::taken) rarities_.count(ShopRare::taken_before_closed);
    if (closing != store::Closing::closed) co_return;
    rarities_.count(word.as == ClosedAs::settled ? ShopRare::settled_by_hand
                                                 : ShopRare::left_to_the_flow);
}

// What is his to do he does at once, whether or not he is going to say it again.
store::Closing Clerk::say(const store::CloseAttention& word, const store::AttentionEntry& entry) {
    const store::Errand errand = word;
    const auto reply = std::move(flows_.commit_errands({&errand, 1}).front());
    PAWL_ASSERT(reply.has_value());
    world_.trace().mark("closes", word.number, static_cast<std::uint64_t>(*reply));
    const auto closing = static_cast<store::Closing>(*reply);
    if (closing == store::Closing::closed) act(entry, word.as);
    return closing;
}

void Clerk::act(const store::AttentionEntry& entry, ClosedAs as) {
    if (entry.event) book_.add_seen_to(entry.event->values);
    if (as != ClosedAs::settled) return;
    const bool of_a_probe = entry.event && (entry.event->sender == flow::Sender::probe ||
                                            entry.event->sender == flow::Sender::timer);
    if (of_a_probe && entry.about.empty()) book_.add_let_go(entry.subject.id, entry.judged_on);
    for (const flow::Fact& fact : entry.about)
        for (const auto& [name, value] : fact.values)
            if (name == "transaction_id" && is_payment(fact.event) &&
                book_.transaction(value) != nullptr && book_.pay_back(value, entry.number))
                world_.trace().tell("paid back", entry.number, 0, "{} by hand", value);
}

bool Clerk::may_be_left(const store::AttentionEntry& entry) const {
    if (!entry.event) return false;
    const auto at = entry.event->values.find("transaction_id");
    const Money* money = at == entry.event->values.end() ? nullptr : book_.transaction(at->second);
    return money != nullptr && money->fits;
}

}  // namespace pawl::sim
