// SPDX-License-Identifier: Apache-2.0
// Any sequence of events on any flow that the check lets pass, with somebody else's event between reading and
// commit: L2 legal transitions and version + 1, L3 paid or timed out, L4 no early deadline, Q1 to Q3 of the
// stock, no stock that is reserved by what has ended, and what is refused changes nothing.
#include <functional>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/flow/check.hpp"
#include "core/flow/world_fixture.hpp"

namespace pawl::flow {
namespace {

using Numbers = std::vector<int>;

// A chain of states, and more events between them as the numbers say.
Definition flow_of(const Numbers& numbers) {
    std::size_t at = 0;
    const auto next = [&](std::size_t below) {
        const auto number = at < numbers.size() ? static_cast<std::size_t>(numbers[at]) : 0;
        ++at;
        return number % below;
    };
    Definition flow;
    flow.name = "any";
    flow.initial = "s0";
    flow.items = true;
    flow.correlate = Correlate{"out_trade_no", "business_key"};
    flow.sagas = {{"undo", "POST http://pay/undo", {"transaction_id"}, {}},
                  {"recall", "POST http://courier/recall", {"id"}, {}}};
    // Where it ends without stock.
    StateRule out{"out", true, {}, {}};
    bool may_run_out = false;
    const std::size_t count = 3 + next(3);
    const auto name = [](std::size_t i) { return "s" + std::to_string(i); };
    for (std::size_t i = 0; i < count; ++i)
        flow.states.push_back({name(i), i + 1 == count, {}, {}});
    const std::size_t events = count - 1 + next(5);
    for (std::size_t i = 0; i < events; ++i) {
        const std::size_t from = i < count - 1 ? i : next(count - 1);
        std::size_t to = i < count - 1 ? i + 1 : next(count);
        EventRule rule =
            event("e" + std::to_string(i), {name(from)}, from == to ? "same" : name(to));
        Transition& way = rule.transitions[0];
        if (const auto action = next(6); action < 4) way.stock = static_cast<stock::Action>(action);
        const bool takes =
            way.stock == stock::Action::reserve || way.stock == stock::Action::confirm;
        if (next(2) == 0) way.emit = rule.name;
        rule.external = next(3) == 0;
        if (rule.external) {
            // What brings money is never ignored.
            const bool money = next(2) == 0;
            const std::string undo = money ? "undo" : "recall";
            rule.unique = {{{money ? "transaction_id" : "provider"}, {}}};
            if (takes) way.short_of = Branch{out.name, undo};
            for (std::size_t s = 0; s < count; ++s)
                if (s != from)
                    flow.states[s].late.push_back(
                        !money && next(2) == 0 ? ignored(rule.name) : compensated(rule.name, undo));
            out.late.push_back(compensated(rule.name, undo));
        } else if (to != from && !flow.states[from].deadline && next(2) == 0) {
            flow.states[from].deadline = timer::Rule{name(from), rule.name, {}, 15min, {}};
            if (takes) way.short_of = Branch{out.name, ""};
        }
        may_run_out = may_run_out || way.short_of;
        flow.events.push_back(std::move(rule));
    }
    if (may_run_out) flow.states.push_back(out);
    if (std::ranges::none_of(flow.events, &EventRule::external)) flow.sagas.clear();
    flow.create.transitions[0].to = "s0";
    return flow;
}

bool is_legal(const Machine& machine, const History& row) {
    if (row.course == Course::created) return row.from.empty() && row.version == 1;
    const Answer& answer = machine.answer(row.from, *machine.event(row.event));
    if (row.course == Course::compensated)
        return answer.kind == AnswerKind::late && row.from == row.to;
    if (answer.kind != AnswerKind::transition) return false;
    const Transition& way = *answer.transition;
    if (row.course == Course::branched) return way.short_of && way.short_of->to == row.to;
    return row.to == (way.to == kSame ? row.from : way.to);
}

void check_history(const World& world) {
    std::map<std::string, const History*> last;
    for (const auto& [id, row] : world.history) {
        RC_ASSERT(is_legal(world.machine, row));
        const History* before = last[id];
        RC_ASSERT(row.version == (before == nullptr ? 1 : before->version + 1));
        if (before != nullptr) RC_ASSERT(row.from == before->to && row.at_ms >= before->at_ms);
        last[id] = &row;
    }
    for (const auto& [id, entity] : world.entities) {
        RC_ASSERT(entity.version == last.at(id)->version && entity.state == last.at(id)->to);
        if (world.machine.state(entity.state)->final) RC_ASSERT(entity.deadlines.empty());
        std::set<std::string> names;
        for (const timer::Running& one : entity.deadlines) RC_ASSERT(names.insert(one.name).second);
    }
}

void check_stock(const World& world, std::int64_t total) {
    const stock::Level& level = world.levels.at(sku("A"));
    RC_ASSERT(stock::is_sound(level) && stock::total_of(level) == total);
    std::int64_t open = 0;
    std::int64_t sold = 0;
    for (const auto& [id, entity] : world.entities)
        for (const HeldStock& held : entity.stock) {
            RC_ASSERT(stock::is_sound(held.reservation));
            if (world.machine.state(entity.state)->final)
                RC_ASSERT(stock::open_of(held.reservation) == 0);
            open += stock::open_of(held.reservation);
            sold += held.reservation.confirmed - held.reservation.returned;
        }
    RC_ASSERT(level.reserved == open && level.sold == sold);
}

// An event as the numbers say: of a customer, a provider, or a timer.
std::string take(World& world, int number) {
    const auto& events = world.machine.definition().events;
    const auto n = static_cast<std::size_t>(number);
    const std::string id = n % 2 == 0 ? "1" : "2";
    const EventRule& rule = events[n / 2 % events.size()];
    const std::string transaction = "T" + std::to_string(n / 50 % 4);
    Event event{.name = rule.name, .caller = "ann"};
    if (rule.external) {
        event.sender = Sender::callback;
        event.values = {{"transaction_id", transaction}, {"provider", "wx"}, {"amount", "12.50"}};
        if (world.machine.definition().name == "any") event.values.erase("amount");
        return world.send(event, id);
    }
    if (world.machine.is_of_a_deadline(rule)) {
        const auto before = world.entities.contains(id) ? world.entity(id).deadlines
                                                        : std::vector<timer::Running>();
        const std::string deadline = before.empty() ? "none" : before[n % before.size()].name;
        const std::string told = world.fire(deadline, rule.name, id);
        if (told.starts_with("applied"))
            for (const timer::Running& one : before)
                if (one.name == deadline) RC_ASSERT(one.due_ms <= world.now_ms);
        return told;
    }
    // A part of it, or more than there is.
    if (world.machine.definition().items && n / 11 % 3 == 0)
        event.items = {{sku("A"), 1 + static_cast<std::int64_t>(n / 33 % 4)}};
    return world.send(event, id);
}

void run(World& world, const Numbers& numbers) {
    world.levels[sku("A")] = {5, 0, 0};
    for (const auto* id : {"1", "2"}) {
        const bool any = world.machine.definition().name == "any";
        world.create(
            any ? Event{.items = {{sku("A"), 3}}, .caller = "ann"} : new_order({{sku("A"), 3}}),
            id);
    }
    for (const int number : numbers) {
        if (number % 7 == 0) world.now_ms += number % 5 * 400'000;
        const auto before = world.entities;
        const std::size_t rows = world.history.size();
        const bool alone = number % 3 != 0;
        if (!alone) world.before_commit = [&world, number] { take(world, number / 3); };
        world.probe = static_cast<Probed>(1 + number % 3);
        world.probe_facts = {{"provider", "wx"}, {"transaction_id", "T9"}, {"amount", "12.50"}};
        const std::string told = take(world, number);
        world.before_commit = [] {};
        RC_ASSERT(told != "contended" && told != "unsound");
        const bool changes = told.find("applied") != std::string::npos ||
                             told.starts_with("compensated") || told.starts_with("branched");
        if (alone && !changes) {
            RC_ASSERT(world.history.size() == rows);
            if (told != "later" && told != "attention") RC_ASSERT(world.entities == before);
        }
        check_history(world);
        check_stock(world, 5);
    }
}

rc::Gen<Numbers> numbers() {
    return rc::gen::scale(2.0, rc::gen::container<Numbers>(rc::gen::inRange(0, 100'000)));
}

TEST(FlowProperty, AnySequenceOnAnyFlowKeepsTheRules) {
    EXPECT_TRUE(rc::check([] {
        Definition flow = flow_of(*numbers());
        for (const Finding& one : check(flow))
            if (one.severity == policy::Severity::error) RC_FAIL(one.path + ": " + one.what);
        World world(flow);
        run(world, *numbers());
    }));
}

TEST(FlowProperty, AnySequenceOnTheOrderKeepsTheRules) {
    EXPECT_TRUE(rc::check([] {
        World world(order_flow());
        run(world, *rc::gen::resize(150, numbers()));
        // L3, and each order is paid at most once.
        std::map<std::string, int> ends;
        for (const auto& [id, row] : world.history)
            if (row.course != Course::compensated &&
                (row.event == "pay" || row.event == "expire" || row.event == "cancel"))
                ++ends[id];
        for (const auto& [id, count] : ends) RC_ASSERT(count <= 1);
    }));
}

// However facts are repeated and shuffled, also before the order: one is applied, every other transaction is
// refunded once.
TEST(FlowProperty, RepeatedAndShuffledFactsConverge) {
    EXPECT_TRUE(rc::check([] {
        World world(order_flow());
        world.levels[sku("A")] = {10, 0, 0};
        const auto told = *rc::gen::nonEmpty(rc::gen::container<Numbers>(rc::gen::inRange(0, 4)));
        const auto created_at = *rc::gen::inRange<std::size_t>(0, told.size() + 1);
        for (std::size_t i = 0; i <= told.size(); ++i) {
            if (i == created_at) world.create(new_order());
            if (i < told.size()) world.send(payment("T" + std::to_string(told[i])));
        }
        const std::set<int> transactions(told.begin(), told.end());
        RC_ASSERT(world.entity().state == "paid");
        RC_ASSERT(world.sagas.size() == transactions.size() - 1);
        RC_ASSERT(world.levels.at(sku("A")) == (stock::Level{8, 0, 2}));
        RC_ASSERT(world.waiting.empty() && world.attention.empty());
        RC_ASSERT(world.history.size() == 1 + transactions.size());
    }));
}

}  // namespace
}  // namespace pawl::flow
