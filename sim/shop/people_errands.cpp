// SPDX-License-Identifier: Apache-2.0
// The ways that people go, drawn step by step.
#include "core/flow/scan_token.hpp"
#include "sim/shop/people.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

Task<void> People::going(Task<void> way) {
    ++going_;
    co_await std::move(way);
    --going_;
}

Task<void> People::buy(Number number) {
    Purchase& purchase = book_.purchase(number);
    if (chance_.hit(80)) provider_.pay(number);  // before the shop knows of it
    if (chance_.hit(30)) provider_.deliver(number);
    const Number creation = creation_of(
        number, purchase.shopper, {{"amount", purchase.amount}, {"currency", "EUR"}}, draw_items());
    if (chance_.hit(100)) errands_.spawn(meanwhile(creation));
    const Told made = co_await have(creation);
    if (made && !made->id.empty()) purchase.id = made->id;
    purchase.made_at = world_.now();
    if (chance_.hit(100)) {
        // Another tab: the same business key under a key of its own.
        const Wish& first = book_.wish(creation);
        co_await go(
            creation_of(number, purchase.shopper, first.sent.event.values, first.sent.event.items));
    }
    std::size_t ahead = 0;
    for (std::uint64_t steps = chance_.between(4, 12); steps > 0; --steps) {
        co_await loop().sleep_for(chance_.hit(300) ? chance_.between(0ms, 300ms)
                                                   : chance_.between(0ms, 5'000ms));
        co_await step(number, ahead);
    }
}

Task<void> People::step(Number number, std::size_t& ahead) {
    const std::string shopper = book_.purchase(number).shopper;
    const std::uint64_t drawn = chance_.below(100);
    if (drawn < 55) {
        constexpr std::array<const char*, 5> kAhead{"begin_payment", "reserve", "", "ship", ""};
        const std::size_t next = std::min<std::size_t>(ahead++, kAhead.size() - 1);
        if (next == 2) provider_.pay(number);
        if (next == 4) provider_.deliver(number);
        if (*kAhead[next] != '\0') co_await go(event_of(number, kAhead[next], shopper));
    } else if (drawn < 60) {
        co_await go(event_of(number, "cancel", shopper));
    } else if (drawn < 65) {
        provider_.pay(number);
    } else if (drawn < 69) {
        provider_.deliver(number);
    } else if (drawn < 77) {
        constexpr std::array<const char*, 3> kStates{"created", "paying", "reserved"};
        co_await go(renewal_of(number, kStates[chance_.below(kStates.size())]));
    } else if (drawn < 80) {
        co_await go(refund_of(number));
    } else if (drawn < 88) {
        co_await go(repeat_of(number));
    } else if (drawn < 91) {
        co_await go(reuse_key_of(number));
    } else if (drawn < 96) {
        // Two who want the same at once.
        constexpr std::array<const char*, 4> kRaced{"begin_payment", "reserve", "cancel", "ship"};
        const char* event = kRaced[chance_.below(kRaced.size())];
        errands_.spawn(meanwhile(event_of(number, event, shopper)));
        co_await go(event_of(number, event, shopper));
    } else if (drawn < 97) {
        // Money again and again while others want something.
        for (int i = 0; i < 6; ++i) provider_.pay(number);
        for (const char* event : {"ship", "cancel", "ship"})
            errands_.spawn(meanwhile(event_of(number, event, shopper)));
    } else {
        // Money just as the time is over, or more time when somebody may be asking already.
        const bool pays = chance_.hit(500);
        const auto apart =
            pays ? chance_.between(0ms, 200ms) - 100ms : chance_.between(0ms, 3'000ms);
        co_await loop().sleep_until(book_.purchase(number).made_at + kUnpaidFor + apart);
        if (pays)
            provider_.pay(number);
        else
            co_await go(renewal_of(number, "created"));
    }
}

Task<void> People::book_room(Number number) {
    Purchase& purchase = book_.purchase(number);
    const std::uint64_t hour = chance_.below(6);
    const flow::Given values{{"user", purchase.shopper},
                             {"resource", fmt::format("room-{}", 1 + chance_.below(2))},
                             {"start", fmt::format("2026-05-01T1{}:00:00Z", hour)},
                             {"end", fmt::format("2026-05-01T1{}:30:00Z", hour + chance_.below(3))},
                             {"token", fmt::format("t{}", number)},
                             {"order", purchase.key},
                             {"operation", "book"},
                             {"amount", purchase.amount},
                             {"currency", "EUR"}};
    const Told made = co_await have(creation_of(number, purchase.shopper, values));
    if (made && !made->id.empty()) purchase.id = made->id;
    if (chance_.hit(300)) co_await go(creation_of(number, purchase.shopper, values));
    if (chance_.hit(300)) co_await go(creation_of(number, "stranger", values));
    constexpr std::array<const char*, 7> kSteps{"reserve", "",        "confirm", "cancel",
                                                "reserve", "confirm", ""};
    for (std::size_t steps = chance_.between(2, 5), ahead = 0; steps > 0; --steps) {
        co_await loop().sleep_for(chance_.between(0ms, 5'000ms));
        const std::size_t next =
            chance_.hit(650) ? std::min<std::size_t>(ahead++, 3) : chance_.below(kSteps.size());
        if (*kSteps[next] == '\0')
            provider_.pay(number);
        else
            co_await go(event_of(number, kSteps[next], purchase.shopper));
        if (chance_.hit(100)) co_await go(repeat_of(number));
    }
}

Task<void> People::pack_box(Number number) {
    const std::string box = fmt::format("X{}", number);
    const Told made = co_await have(creation_of(number, "line", {{"box", box}}));
    if (made && !made->id.empty()) book_.purchase(number).id = made->id;
    if (chance_.hit(900)) co_await go(event_of(number, "arrive", "line"));
    if (chance_.hit(200)) co_await go(event_of(number, "arrive", "line"));
    for (std::uint64_t scans = chance_.between(1, 3); scans > 0; --scans) {
        const std::string terminal = fmt::format("terminal{}", 1 + chance_.below(3));
        if (chance_.hit(500))
            errands_.spawn(scan(box, number, terminal));
        else
            co_await scan(box, number, terminal);
    }
}

Number People::refund_of(Number number) {
    const Number wish = event_of(number, "refund", "support");
    book_.wish(wish).sent.event.roles = {"support"};
    book_.wish(wish).sent.may_read = true;
    return wish;
}

Task<void> People::pay_online(Number number) {
    Purchase& purchase = book_.purchase(number);
    if (chance_.hit(80)) provider_.pay(number);  // before the shop knows of it
    const Told made = co_await have(creation_of(
        number, purchase.shopper,
        {{"amount", purchase.amount}, {"currency", "EUR"}, {"merchant", std::string(kMerchant)}}));
    if (made && !made->id.empty()) purchase.id = made->id;
    for (std::uint64_t steps = chance_.between(2, 7); steps > 0; --steps) {
        co_await loop().sleep_for(chance_.between(0ms, 5'000ms));
        const std::uint64_t drawn = chance_.below(100);
        if (drawn < 25)
            co_await go(event_of(number, "begin", purchase.shopper));
        else if (drawn < 55)
            provider_.pay(number);
        else if (drawn < 65)
            provider_.decline(number);
        else if (drawn < 75)
            provider_.close(number);
        else if (drawn < 90)
            co_await go(refund_of(number));
        else
            co_await go(repeat_of(number));
    }
}

void People::come_back() {
    constexpr std::array<const char*, 4> kWanted{"begin_payment", "cancel", "ship", "confirm"};
    for (Number number = 1; number <= book_.purchases().size(); ++number) {
        if (chance_.hit(700) || wishes_of_[number].empty()) continue;
        errands_.spawn(meanwhile(repeat_of(number)));
        const Purchase& purchase = book_.purchase(number);
        if (purchase.id.empty() || purchase.flow == "packing") continue;
        errands_.spawn(
            meanwhile(event_of(number, kWanted[chance_.below(kWanted.size())], purchase.shopper)));
    }
}

// One scan, its bounces, and the same token at another terminal.
Task<void> People::scan(std::string box, Number number, std::string terminal) {
    const std::int64_t made_ms = store_now_() - (chance_.hit(100) ? 40'000 : 0);
    const std::string nonce = fmt::format("n{}", ++last_key_);
    const std::vector<std::string> seen{box, std::to_string(made_ms), nonce};
    const flow::Given values{{"token", flow::scan_token({"packing", "pack", seen}, "")},
                             {"ts_ms", std::to_string(made_ms)},
                             {"nonce", nonce}};
    co_await go(event_of(number, "pack", terminal, values));
    for (std::uint64_t bounces = chance_.below(3); bounces > 0; --bounces) {
        co_await loop().sleep_for(chance_.hit(200) ? chance_.between(20s, 40s)
                                                   : chance_.between(0ms, 500ms));
        co_await go(event_of(number, "pack", terminal, values));
    }
    if (chance_.hit(300)) co_await go(event_of(number, "pack", "stranger", values));
}

}  // namespace pawl::sim
