// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/provider.hpp"

#include <algorithm>

namespace pawl::sim {

using namespace std::chrono_literals;

namespace {

bool is_taken(const std::optional<int>& status) {
    return status && *status >= 200 && *status < 300;
}

}  // namespace

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
        if (chance_.hit(dose_.told_days_late))
            held_back_.push_back(money.number);
        else
            reports_.spawn(report_payment(money.number));
    }
}

void Provider::close(Number purchase) {
    Closing& closing = book_.add_closing(purchase);
    world_.trace().mark("closed", closing.number, purchase);
    reports_.spawn(report({.account = book_.purchase(purchase).flow,
                           .says = "payment.closed",
                           .key = book_.purchase(purchase).key,
                           .transaction = closing.transaction},
                          closing.acknowledged));
}

void Provider::gave_back(const Refund& refund) {
    const Money* money = book_.transaction(refund.transaction);
    if (money == nullptr || book_.purchase(money->purchase).flow != "payment") return;
    Reversal& reversal = book_.add_reversal(money->number, refund.amount);
    Notice notice = notice_of(money->number);
    notice.says = "payment.refunded";
    notice.amount = fmt::format("{}", cents_of(refund.amount));
    notice.refund = fmt::format("R{}", reversal.number);
    reports_.spawn(report(std::move(notice), reversal.acknowledged));
}

void Provider::tell_of(Number purchase, std::string event) {
    const Message& made = book_.add_message(purchase, std::move(event));
    world_.trace().mark("reported", made.number, purchase);
    reports_.spawn(report_message(made.number));
}

void Provider::day_begins() {
    for (const Number money : std::exchange(held_back_, {})) reports_.spawn(report_payment(money));
}

void Provider::tell_again_of_old() {
    for (const Money& money : book_.money()) {
        if (!chance_.hit(100)) continue;
        Notice notice = notice_of(money.number);
        name_event(notice);
        reports_.spawn(tell(std::move(notice)));
    }
}

Notice Provider::notice_of(Number number) {
    const Money& money = book_.money(number);
    const Purchase& purchase = book_.purchase(money.purchase);
    return {.account = purchase.flow,
            .key = purchase.key,
            .transaction = money.transaction,
            .amount = fmt::format("{}", cents_of(money.amount))};
}

void Provider::name_event(Notice& notice) {
    if (!notice.event_id.empty() && chance_.hit(500)) return;
    notice.event_id = fmt::format("E{}", ++last_event_[notice.account]);
}

std::chrono::nanoseconds Provider::pause_before_first() {
    if (chance_.hit(dose_.told_late)) return chance_.between(5s, 90s);
    return chance_.hit(700) ? chance_.between(0ms, 3'000ms) : 0ns;
}

Task<void> Provider::report_payment(Number number) {
    const Notice notice = notice_of(number);
    if (chance_.hit(dose_.strays)) stray(notice);
    co_await report(notice, book_.money(number).acknowledged);
}

Task<void> Provider::report_unreadable(Number number, std::string account) {
    Unreadable& unreadable = book_.unreadable(number);
    Notice notice{.kind = Notice::Kind::unreadable,
                  .account = std::move(account),
                  .key = "B1",
                  .transaction = unreadable.transaction,
                  .amount = "twelve"};
    co_await report(std::move(notice), unreadable.acknowledged);
}

Task<void> Provider::report(Notice notice, bool& acknowledged) {
    Loop& loop = world_.outside().loop();
    ++waiting_;
    co_await loop.sleep_for(pause_before_first());
    for (std::chrono::nanoseconds pause = 1s;;
         pause = std::min<std::chrono::nanoseconds>(2 * pause, 30s)) {
        name_event(notice);
        sign(notice, notice.account, world_.clock().wall());
        acknowledged = is_taken(co_await front_.tell(notice));
        if (acknowledged) break;
        co_await loop.sleep_for(pause);
    }
    --waiting_;
    while (chance_.hit(dose_.told_again)) {
        co_await loop.sleep_for(chance_.hit(500) ? chance_.between(0ms, 500ms)
                                                 : chance_.between(1s, 60s));
        name_event(notice);
        co_await tell(notice);
    }
}

Task<void> Provider::tell(Notice notice) {
    sign(notice, notice.account, world_.clock().wall());
    co_await pass_on(std::move(notice));
}

Task<void> Provider::pass_on(Notice notice) { co_await front_.tell(std::move(notice)); }

void Provider::stray(const Notice& beside) {
    Notice notice = beside;
    switch (chance_.below(3)) {
        case 0:
            reports_.spawn(report_unreadable(book_.add_unreadable().number, notice.account));
            return;
        case 1:
            // Of the money itself, under an id that is about to come, or of money that nobody has paid.
            notice.kind = Notice::Kind::forged;
            notice.event_id = fmt::format("E{}", last_event_[notice.account] + 1);
            if (chance_.hit(500)) notice.transaction = "F" + notice.transaction;
            sign(notice, "a guess", world_.clock().wall());
            break;
        default: {
            notice.kind = Notice::Kind::misdirected;
            notice.event_id = fmt::format("E{}", last_event_[notice.account] + 1);
            const std::string own = notice.account;
            notice.account = own == "order" ? "booking" : "order";
            sign(notice, own, world_.clock().wall());
        }
    }
    reports_.spawn(pass_on(std::move(notice)));
}

Task<void> Provider::report_message(Number number) {
    Message& message = book_.message(number);
    const Purchase& purchase = book_.purchase(message.purchase);
    Wish fact;
    fact.purchase = purchase.number;
    fact.sent.subject = {std::string(kShopTenant), purchase.flow, {}, purchase.key};
    fact.sent.event = {.name = message.event,
                       .values = {{"message", fmt::format("D{}", number)}},
                       .sender = flow::Sender::callback,
                       .caller = "courier"};
    fact.sent.store_first = chance_.hit(500);
    const auto name = [this, &fact] {
        if (fact.sent.claim && chance_.hit(500)) return;
        fact.sent.claim =
            claim_of("courier", "callback", fmt::format("D{}", ++last_message_), "message");
        fact.sent.acknowledgement = record::Answer{.status = 204};
    };
    Loop& loop = world_.outside().loop();
    ++waiting_;
    co_await loop.sleep_for(pause_before_first());
    for (std::chrono::nanoseconds pause = 1s;;
         pause = std::min<std::chrono::nanoseconds>(2 * pause, 30s)) {
        name();
        const auto heard = co_await front_.ask(fact);
        message.acknowledged = heard && *heard && (*heard)->told != engine::Told::contended;
        if (message.acknowledged) break;
        co_await loop.sleep_for(pause);
    }
    --waiting_;
    if (!chance_.hit(dose_.told_again)) co_return;
    co_await loop.sleep_for(chance_.between(0ms, 60s));
    name();
    co_await front_.ask(fact);
}

std::optional<engine::Finding> Provider::look(const flow::Entity& entity) {
    if (chance_.hit(dose_.probe_hangs)) return std::nullopt;
    const Purchase* purchase = book_.known_as(entity.business_key);
    engine::Finding finding;
    if (purchase == nullptr || chance_.hit(dose_.probe_unknown)) return finding;
    finding.probed = flow::Probed::unpaid;
    // Money that fits, or else any that came.
    for (const Money& money : book_.money()) {
        const bool is_named = finding.probed == flow::Probed::paid;
        if (money.purchase != purchase->number || (is_named && !money.fits)) continue;
        finding.probed = flow::Probed::paid;
        finding.facts = {{"provider", std::string(kProvider)},
                         {"account", purchase->flow},
                         {"out_trade_no", purchase->key},
                         {"transaction_id", money.transaction},
                         {"amount", money.amount},
                         {"currency", "EUR"},
                         {"merchant", std::string(kMerchant)}};
        if (money.fits) break;
    }
    if (finding.probed == flow::Probed::paid && chance_.hit(dose_.probe_nameless))
        finding.facts.erase("transaction_id");
    book_.add_look({purchase->number, entity.version, finding.probed});
    world_.trace().tell("look", purchase->number, entity.version, "{} version {}: {}",
                        purchase->key, entity.version,
                        finding.probed == flow::Probed::paid ? "paid" : "unpaid");
    return finding;
}

}  // namespace pawl::sim
