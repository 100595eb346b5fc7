// SPDX-License-Identifier: Apache-2.0
// The built-in flows against somebody who wants money that is not his: payments of several transactions and amounts,
// refunds of any of them in any order, also before the payment and the order, and requests that name sums. By its own
// ledger every payment is the entity's, goes back as it came, waits, or is before a person.
#include <functional>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/flow/money.hpp"
#include "core/flow/world_fixture.hpp"
#include "surface/flow_file/built_in.hpp"
#include "surface/flow_file/load.hpp"

namespace pawl::flow_file {
namespace {

using flow::Event;
using flow::Sender;
using flow::World;
using Numbers = std::vector<int>;
using Money = std::pair<std::string, std::string>;  // amount, currency

const std::vector<Money> kSums{{"12.50", "EUR"}, {"12.5", "EUR"}, {"12.50", "USD"},
                               {"5", "EUR"},     {"5000", "EUR"}, {"0", "EUR"}};

// What the provider said of each transaction, and what became of it.
struct Ledger {
    std::map<std::string, std::set<Money>> reported;
    std::set<std::string> refunds_reported;  // of the whole sum
};

flow::Definition built_in_flow(std::string_view name) {
    for (const BuiltIn& one : built_in())
        if (one.name == name) return load_flow(one.text).value().definition;
    return {};
}

Event creation(const flow::Definition& definition) {
    static const std::map<std::string, std::string> kTexts{{"amount", "12.50"},
                                                           {"currency", "EUR"},
                                                           {"start", "2026-05-01T10:00:00Z"},
                                                           {"end", "2026-05-01T11:00:00Z"}};
    Event event{.caller = "ann"};
    for (const flow::Field& field : definition.fields) {
        const auto at = kTexts.find(field.name);
        event.values[field.name] = at == kTexts.end() ? field.name + "-1" : at->second;
    }
    if (definition.items) event.items = {{flow::sku("A"), 2}};
    return event;
}

bool starts_with_any(const std::string& text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words,
                               [&](std::string_view word) { return text.starts_with(word); });
}

flow::Given told_of(const std::string& transaction, const Money& sum) {
    return {{"provider", "wx"},        {"account", "m-7"},
            {"out_trade_no", "B1"},    {"transaction_id", transaction},
            {"amount", sum.first},     {"currency", sum.second},
            {"merchant", "merchant-1"}};
}

void report(World& world, const flow::EventRule& rule, std::size_t n, Ledger& ledger) {
    const std::string transaction = "T" + std::to_string(n % 4);
    const Money& sum = kSums[n / 4 % kSums.size()];
    Event event{.name = rule.name, .values = told_of(transaction, sum), .sender = Sender::callback};
    const bool is_refund = !rule.reverses.empty();
    if (is_refund) event.values["refund_number"] = "R" + std::to_string(n / 64 % 2);
    if (is_refund && n / 4 % kSums.size() < 2) ledger.refunds_reported.insert(transaction);
    const bool is_payment = rule.name == "pay" || rule.name == "paid";
    if (is_payment) ledger.reported[transaction].insert(sum);
    const std::string told = world.send(event);
    RC_ASSERT(!told.starts_with("refused"));
    // Money is never waved through.
    if (is_payment) RC_ASSERT(told != "ignored");
}

void ask(World& world, const flow::EventRule& rule, std::size_t n) {
    Event event{.name = rule.name, .caller = "sue", .roles = {"support"}};
    if (n % 2 == 0) event.values = {{"amount", kSums[n / 2 % kSums.size()].first}};
    if (n % 3 == 0) event.values["currency"] = kSums[n / 2 % kSums.size()].second;
    world.send(event);
}

void step(World& world, int number, Ledger& ledger) {
    const auto& events = world.machine.definition().events;
    const auto n = static_cast<std::size_t>(number);
    const flow::EventRule& rule = events[n % events.size()];
    if (rule.external) return report(world, rule, n / events.size(), ledger);
    if (!world.machine.is_of_a_deadline(rule)) return ask(world, rule, n / events.size());
    if (!world.entities.contains("1")) return;
    const auto running = world.entity().deadlines;
    if (running.empty()) return;
    const timer::Running& one = running[n % running.size()];
    if (n % 2 == 0) world.now_ms = std::max(world.now_ms, one.due_ms);
    world.fire(one.name, rule.name);
}

std::string own_payment(const World& world) {
    for (const auto& [id, row] : world.history)
        if ((row.event == "pay" || row.event == "paid") && row.course == flow::Course::applied)
            return row.values.at("transaction_id");
    return {};
}

void check(const World& world, const Ledger& ledger) {
    std::set<std::string> refunded;
    for (const auto& [key, saga] : world.sagas) {
        if (saga.name != "refund") continue;
        const std::string& transaction = *flow::told_in(saga.values, "transaction_id");
        const Money sum{*flow::told_in(saga.values, "amount"),
                        *flow::told_in(saga.values, "currency")};
        RC_ASSERT(refunded.insert(transaction).second);
        RC_ASSERT(ledger.reported.contains(transaction));
        RC_ASSERT(ledger.reported.at(transaction).contains(sum));
    }
    if (!world.entities.contains("1")) return;
    const flow::Entity& entity = world.entities.at("1");
    const std::string own = own_payment(world);
    const bool is_paid = starts_with_any(
        entity.state, {"paid", "shipped", "delivered", "success", "confirmed", "refunding"});
    if (is_paid) RC_ASSERT(!own.empty());
    // Its own money goes back when somebody asked for it, and not otherwise.
    const bool asked = starts_with_any(entity.state, {"refund", "cancelled"});
    if (refunded.contains(own)) RC_ASSERT(asked);
    if (asked && !own.empty() && world.machine.definition().name != "payment")
        RC_ASSERT(refunded.contains(own));
    if (entity.flow == "payment" && entity.state == "refunded")
        RC_ASSERT(ledger.refunds_reported.contains(own));
    if (world.machine.state(entity.state)->final)
        for (const flow::HeldStock& held : entity.stock)
            RC_ASSERT(stock::open_of(held.reservation) == 0);
}

void play(const std::string& name) {
    World world(built_in_flow(name));
    world.levels[flow::sku("A")] = {4, 0, 0};
    Ledger ledger;
    const auto created_at = *rc::gen::inRange<std::size_t>(0, 4);
    const auto numbers =
        *rc::gen::resize(100, rc::gen::container<Numbers>(rc::gen::inRange(0, 100'000)));
    for (std::size_t i = 0; i <= numbers.size(); ++i) {
        if (i == std::min(created_at, numbers.size()))
            world.create(creation(world.machine.definition()));
        if (i == numbers.size()) break;
        // What a probe finds is another word of the provider.
        const auto n = static_cast<std::size_t>(numbers[i]);
        const std::string found = "T" + std::to_string(n / 3 % 4);
        const Money& sum = kSums[n / 12 % kSums.size()];
        world.probe = static_cast<flow::Probed>(1 + n % 3);
        world.probe_facts.clear();
        const flow::Given told = told_of(found, sum);
        for (const auto& [fact, place] : world.machine.definition().probes.front().facts)
            world.probe_facts[fact] = told.at(fact);
        if (world.probe == flow::Probed::paid) ledger.reported[found].insert(sum);
        if (numbers[i] % 5 == 0)
            world.before_commit = [&world, &ledger, n = numbers[i] / 5] { step(world, n, ledger); };
        step(world, numbers[i], ledger);
        world.before_commit = [] {};
        check(world, ledger);
    }
}

TEST(BuiltInMoney, OfAnOrderIsItsOwnOrGoesBackAsItCame) {
    EXPECT_TRUE(rc::check([] { play("order"); }));
}

TEST(BuiltInMoney, OfABookingIsItsOwnOrGoesBackAsItCame) {
    EXPECT_TRUE(rc::check([] { play("booking"); }));
}

TEST(BuiltInMoney, OfAPaymentIsItsOwnOrGoesBackAsItCame) {
    EXPECT_TRUE(rc::check([] { play("payment"); }));
}

}  // namespace
}  // namespace pawl::flow_file
