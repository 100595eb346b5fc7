// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/provider.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

Provider::Provider(World& world, ShopBook& book, ShopFront& front)
    : world_(world),
      chance_(world.chance_for("provider")),
      book_(book),
      front_(front),
      reports_(world.outside().loop()) {}

void Provider::pay(Number purchase) {
    std::string amount = book_.purchase(purchase).amount;
    if (chance_.hit(dose_.wrong_amount)) amount = "0.01";
    const int times = chance_.hit(dose_.paid_twice) ? (chance_.hit(300) ? 3 : 2) : 1;
    for (int i = 0; i < times; ++i) {
        const Money& money = book_.add_money(purchase, amount);
        world_.trace().tell("paid", money.number, purchase, "{} pays {} for {}", money.transaction,
                            amount, book_.purchase(purchase).key);
        reports_.spawn(report_payment(money.number));
    }
}

void Provider::deliver(Number purchase) {
    const Delivery& delivery = book_.add_delivery(purchase);
    world_.trace().mark("delivered", delivery.number, purchase);
    reports_.spawn(report_delivery(delivery.number));
}

Wish Provider::fact_of(Number number, std::string event, flow::Given values) {
    const Purchase& purchase = book_.purchase(number);
    Wish fact;
    fact.purchase = number;
    fact.sent.subject = {std::string(kShopTenant), purchase.flow, {}, purchase.key};
    fact.sent.event = {.name = std::move(event),
                       .values = std::move(values),
                       .sender = flow::Sender::callback,
                       .caller = std::string(kProvider)};
    fact.sent.store_first = chance_.hit(500);
    return fact;
}

void Provider::name_event(Wish& fact) {
    if (fact.sent.claim && chance_.hit(500)) return;
    fact.sent.claim = claim_of(std::string(kProvider), "callback",
                               fmt::format("E{}", ++last_event_), fact.sent.event.name);
    fact.sent.acknowledgement = record::Answer{.status = 204};
}

Task<void> Provider::report_payment(Number number) {
    Money& money = book_.money(number);
    flow::Given values{{"provider", std::string(kProvider)},
                       {"account", std::string(kAccount)},
                       {"transaction_id", money.transaction},
                       {"amount", money.amount},
                       {"currency", "EUR"}};
    co_await report(fact_of(money.purchase, "pay", std::move(values)), money.acknowledged);
}

Task<void> Provider::report_delivery(Number number) {
    Delivery& delivery = book_.delivery(number);
    flow::Given values{{"delivery", fmt::format("D{}", number)}};
    co_await report(fact_of(delivery.purchase, "deliver", std::move(values)),
                    delivery.acknowledged);
}

Task<void> Provider::report(Wish fact, bool& acknowledged) {
    Loop& loop = world_.outside().loop();
    ++waiting_;
    if (chance_.hit(dose_.told_late))
        co_await loop.sleep_for(chance_.between(5s, 90s));
    else if (chance_.hit(700))
        co_await loop.sleep_for(chance_.between(0ms, 3'000ms));
    for (std::chrono::nanoseconds pause = 1s;;
         pause = std::min<std::chrono::nanoseconds>(2 * pause, 30s)) {
        name_event(fact);
        const auto heard = co_await front_.ask(fact);
        acknowledged = heard && *heard && (*heard)->told != engine::Told::contended;
        if (acknowledged) break;
        co_await loop.sleep_for(pause);
    }
    --waiting_;
    while (chance_.hit(dose_.told_again)) {
        co_await loop.sleep_for(chance_.hit(500) ? chance_.between(0ms, 500ms)
                                                 : chance_.between(1s, 60s));
        name_event(fact);
        co_await front_.ask(fact);
    }
}

std::optional<engine::Finding> Provider::look(const flow::Entity& entity) {
    if (chance_.hit(dose_.probe_hangs)) return std::nullopt;
    const Purchase* purchase = book_.known_as(entity.business_key);
    engine::Finding finding;
    if (purchase == nullptr || chance_.hit(dose_.probe_unknown)) return finding;
    finding.probed = flow::Probed::unpaid;
    for (const Money& money : book_.money()) {
        if (money.purchase != purchase->number || !money.fits) continue;
        finding.probed = flow::Probed::paid;
        finding.facts = {{"provider", std::string(kProvider)},
                         {"account", std::string(kAccount)},
                         {"transaction_id", money.transaction},
                         {"amount", money.amount},
                         {"currency", "EUR"}};
        break;
    }
    book_.add_look({purchase->number, entity.version, finding.probed});
    world_.trace().tell("look", purchase->number, entity.version, "{} version {}: {}",
                        purchase->key, entity.version,
                        finding.probed == flow::Probed::paid ? "paid" : "unpaid");
    return finding;
}

}  // namespace pawl::sim
