// SPDX-License-Identifier: Apache-2.0
#include "sim/run/stage.hpp"

#include <array>

#include "sim/run/stage_store.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

namespace {

// Longer than every horizon and lease, and than a closing probe's longest pause.
constexpr std::chrono::nanoseconds kSettlesWithin = 200s;

store::SealingKeys keys_of(const Scenario& scenario) {
    if (!scenario.sealed) return {};
    const std::string digits(2 * store::kSealingKeyBytes, '5');
    return {store::SealingKey::parse(digits).value(), {}};
}

}  // namespace

Stage::Stage(Scenario scenario)
    : scenario_(scenario),
      world_(scenario_.seed, scenario_.printing),
      chance_(world_.chance_for("stage")),
      audit_(book_, ledger_, scenario_.rules),
      upstream_(world_.chance_for("upstream"), book_, ledger_, rarities_),
      wire_(world_, upstream_, audit_, rarities_),
      store_(std::make_unique<Store>(scenario_.store, world_, book_, audit_, rarities_)),
      front_(world_, book_, ledger_, audit_, rarities_, fleet_),
      callers_(world_, book_, front_, scenario_.traffic),
      person_(world_, upstream_, fleet_),
      faults_(world_, chance_, fleet_) {
    around_.emplace(Surroundings{world_, wire_, store_->server, in_flight_, rarities_,
                                 routes_of(scenario_), scenario_.limits, keys_of(scenario_)});
    store_->watched.set_in_flight(in_flight_);
    store_->watched.on_commit = [this](std::string_view step) { faults_.came_to(0, step); };
    upstream_.on_report = [this](Reported reported) { carry(std::move(reported)); };
    wire_.may = [this](Number caller) { return book_.rights.may(caller, world_.now()); };
    wire_.on_step = [this](std::uint64_t boot, std::string_view step) {
        faults_.came_to(boot, step);
    };
    hook_up();
}

void Stage::hook_up() {
    faults_.boot = [this](std::string name) { boot(std::move(name)); };
    faults_.crashes = [this](const Node& node) { count_phases(node.doing()); };
    faults_.is_gone = [this](std::uint64_t boot) {
        wire_.node_died(boot);
        front_.node_died(boot);
        if (!scenario_.shared) store_->server.crash();
    };
    faults_.freezes = [this](const Node& node, std::chrono::nanoseconds span) {
        if (span > scenario_.lease && node.doing().sending > 0)
            rarities_.count(Rare::frozen_past_lease);
    };
    faults_.cuts_off = [this] { rarities_.count(Rare::node_cut_off); };
    faults_.reach_store = [this](bool reachable) { store_->server.set_reachable(reachable); };
}

Stage::~Stage() { fleet_.nodes().clear(); }

void Stage::set_dose(const Dose& dose) {
    dose_ = dose;
    faults_.set_dose(dose);
    upstream_.set_dose(dose);
    wire_.set_dose(dose);
    front_.set_dose(dose);
    callers_.set_dose(dose);
    person_.set_dose(dose);
    store_->server.set_profile(dose.store);
}

void Stage::boot(std::string name) {
    ++boots_;
    const std::uint64_t boot = scenario_.shared ? last_boot_ + 1 : store_->begin_boot(last_boot_);
    last_boot_ = boot;
    world_.trace().tell("boot", boot, 0, "{} boot {}", name, boot);
    if (!scenario_.shared) store_->watched.look_at_all(boot);
    auto node = std::make_unique<Node>(*around_, std::move(name), boot, scenario_.seats);
    node->on_call = [this](std::uint64_t of, std::string_view step) { faults_.came_to(of, step); };
    fleet_.nodes().push_back(std::move(node));
}

void Stage::count_phases(const Doing& doing) {
    const std::array<std::pair<int, Rare>, 7> phases{
        {{doing.connecting, Rare::crashed_connecting},
         {doing.sending, Rare::crashed_sending},
         {doing.claiming, Rare::crashed_claiming},
         {doing.completing, Rare::crashed_completing},
         {doing.releasing, Rare::crashed_releasing},
         {doing.suspecting, Rare::crashed_suspecting},
         {doing.withdrawing, Rare::crashed_withdrawing}}};
    for (const auto& [count, rare] : phases)
        if (count > 0) rarities_.count(rare);
}

void Stage::schedule_faults() {
    static constexpr std::array<std::string_view, 8> kSteps{
        "claim", "complete", "release", "suspect", "withdraw", "sent", "came back", "renew"};
    faults_.crash_now_and_then(kSteps);
    faults_.freeze_now_and_then();
    faults_.lose_store_now_and_then();
    faults_.cut_off_now_and_then();
    faults_.now_and_then(dose_.brown_out_every, [this] { brown_out(); });
    faults_.now_and_then(dose_.store_crash_every, [this] { crash_store(); });
}

void Stage::brown_out() {
    world_.trace().mark("brown-out");
    Dose worse = dose_;
    worse.connect_refused = 200;
    worse.sent_lost = 250;
    worse.held_back = 150;
    worse.reply_lost = 250;
    wire_.set_dose(worse);
    world_.after(chance_.between(500ms, dose_.brown_out_max), [this] { wire_.set_dose(dose_); });
}

void Stage::crash_store() {
    world_.trace().mark("store down");
    rarities_.count(Rare::store_crashed);
    store_->server.crash();
    store_->restart();
}

// Rights come and go; most callers have theirs most of the time.
void Stage::schedule_right(Number caller) {
    world_.after(chance_.between(1'000ms, 20'000ms), [this, caller] {
        if (faults_.ended()) return;
        const bool may = chance_.hit(700);
        world_.trace().tell("right", caller, may ? 1 : 0, "caller {} {}", caller,
                            may ? "may" : "may not");
        book_.rights.set(caller, world_.now(), may);
        schedule_right(caller);
    });
}

void Stage::carry(Reported reported) {
    constexpr std::uint64_t kCopiesMax = 6;
    for (std::uint64_t copy = chance_.below(kCopiesMax + 1); copy > 0; --copy) {
        const auto way =
            chance_.hit(500) ? chance_.between(1ms, 50ms) : chance_.between(50ms, 30'000ms);
        world_.after(way, [this, reported] {
            Node* node = fleet_.some(chance_);
            if (node == nullptr) return;
            world_.trace().tell("reported", reported.fence.number, reported.answer ? 1 : 0,
                                "fence {} {}", reported.fence.number,
                                reported.answer ? "applied" : "not applied, closed");
            node->hear(reported.identity, {.fence = reported.fence,
                                           .applied = reported.answer.has_value(),
                                           .closed = !reported.answer.has_value(),
                                           .answer = reported.answer});
        });
    }
}

// Everybody who still wants something gets it, and everything comes to rest.
void Stage::live() {
    world_.trace().mark("calm");
    set_dose(calm_dose());
    faults_.end();
    for (Number caller = 1; caller <= Callers::kNumberMax; ++caller)
        book_.rights.set(caller, world_.now(), true);
    callers_.be_patient();
    world_.run_until(world_.now() + kSettlesWithin,
                     [this] { return callers_.waiting() == 0 && store_->settled(world_.now()); });
    callers_.stop();
    // What was begun last ends within its maximum hold, and listens for as long again.
    world_.run_until(world_.now() + 2 * scenario_.hold_max + 10s);
}

Ending Stage::ending() {
    Ending ending;
    store::UnresolvedQuery everything{.limit = 1'000'000, .uncertain_only = false};
    (void)store_->watched.sweep(1'000'000);
    if (auto rows = store_->watched.unresolved(everything)) ending.unresolved = std::move(*rows);
    store_->watched.look_at_all(0);
    ending.rows = store_->watched.rows();
    for (const auto& node : fleet_.nodes()) {
        ending.living_boots.push_back(node->boot());
        ending.attempts_running += node->attempts_running();
        ending.words_in_hand += node->words_in_hand();
    }
    ending.waiting_clients = callers_.waiting_names();
    ending.now_ms = store_->watched.now_ms();
    return ending;
}

Report Stage::run() {
    set_dose(scenario_.dose);
    const MonotonicTime began = world_.now();
    for (std::size_t i = 0; i < scenario_.nodes; ++i) boot(fmt::format("node-{}", i + 1));
    callers_.start();
    person_.start();
    schedule_faults();
    for (Number caller = 1; caller <= Callers::kNumberMax; ++caller) schedule_right(caller);
    world_.run_until(world_.now() + 600s, [this] { return callers_.all_came(); });
    live();
    Report report;
    if (!world_.spins()) audit_.ended(ending());
    report.findings = audit_.findings();
    if (world_.spins()) report.findings.push_back({"V1", "handlers run on and time does not pass"});
    report.virtual_seconds = std::chrono::duration<double>(world_.now() - began).count();
    fleet_.nodes().clear();
    report.seed = scenario_.seed;
    report.trace_hash = world_.trace().hash();
    report.trace_events = world_.trace().events();
    report.requests = book_.exchanges().size();
    report.made = ledger_.effects().size();
    report.store_calls = store_->server.calls();
    report.boots = boots_;
    report.rarities = rarities_;
    return report;
}

}  // namespace pawl::sim
