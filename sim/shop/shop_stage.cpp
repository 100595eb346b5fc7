// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_stage.hpp"

#include "runtime/result/assert.hpp"
#include "store/sqlite/store_file.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

namespace {

// Longer than every deadline of the shop, than a question's longest pause, and than a step of what is paced.
constexpr std::chrono::seconds kSettlesWithin = 900s;
constexpr std::chrono::hours kNight = 31h;

}  // namespace

ShopStage::ShopStage(ShopScenario scenario)
    : scenario_(scenario),
      world_(scenario_.seed, scenario_.printing),
      chance_(world_.chance_for("stage")),
      audit_(book_, shop_flows()),
      entropy_(split(scenario_.seed, "store")),
      watched_(audit_, rarities_, world_.trace()),
      front_(world_, fleet_, audit_, rarities_, [this] { return store_now(); }),
      provider_(world_, book_, front_),
      cashier_(world_, rarities_),
      receiver_(world_, rarities_),
      people_(world_, book_, front_, provider_, scenario_.traffic, [this] { return store_now(); }),
      clerk_(world_, book_, watched_, rarities_),
      faults_(world_, chance_, fleet_) {
    if (scenario_.store == StoreKind::memory) {
        memory_.emplace(world_.clock());
        memory_flows_.emplace(*memory_);
        watched_.put(*memory_flows_);
        server_.emplace(world_.outside().loop(), *memory_);
    } else {
        auto file = sqlite::open_store({.path = std::string(sqlite::kInMemory)});
        PAWL_ASSERT(file.has_value());
        start(std::move(*file));
    }
    around_.emplace(ShopSurroundings{world_, *server_, watched_, provider_, cashier_, receiver_,
                                     rarities_, shop_machines(), shop_accounts()});
    cashier_.on_refund = [this](const Refund& refund) { provider_.gave_back(refund); };
    watched_.store_now = [this] { return store_now(); };
    watched_.on_commit = [this](std::string_view step) { faults_.came_to(0, step); };
    hook_up();
}

ShopStage::~ShopStage() { fleet_.nodes().clear(); }

void ShopStage::hook_up() {
    faults_.boot = [this](std::string name) { boot(std::move(name)); };
    faults_.crashes = [this](const ShopNode& node) {
        if (node.doing().committing > 0) rarities_.count(ShopRare::crashed_committing);
        if (node.doing().asking > 0) rarities_.count(ShopRare::crashed_asking);
    };
    faults_.is_gone = [this](std::uint64_t) {
        if (!scenario_.shared) server_->crash();
    };
    faults_.freezes = [this](const ShopNode&, std::chrono::nanoseconds) {
        rarities_.count(ShopRare::frozen);
    };
    faults_.cuts_off = [this] { rarities_.count(ShopRare::node_cut_off); };
    faults_.reach_store = [this](bool reachable) { server_->set_reachable(reachable); };
}

void ShopStage::start(sqlite::StoreFile file) {
    auto started = sqlite::Engine::start(std::move(file), world_.clock(), entropy_);
    PAWL_ASSERT(started.has_value());
    engine_ = std::move(*started);
    watched_.put(*engine_);
    // Another engine, another server; nothing was under way to the one before.
    const bool is_reachable = !server_ || server_->reachable();
    if (server_) earlier_calls_ += server_->calls();
    server_.emplace(world_.outside().loop(), *engine_, dose_.store);
    server_->set_reachable(is_reachable);
}

std::int64_t ShopStage::store_now() const {
    return memory_ ? memory_->now_ms() : engine_->now_ms();
}

// An embedded store starts with its node.
std::uint64_t ShopStage::begin_boot() {
    if (memory_) {
        if (!scenario_.shared) memory_->restart();
        return last_boot_ + 1;
    }
    if (last_boot_ > 0) start(std::move(*engine_).release());
    return last_boot_ + 1;
}

void ShopStage::set_dose(const ShopDose& dose) {
    dose_ = dose;
    faults_.set_dose(dose);
    front_.set_dose(dose);
    provider_.set_dose(dose);
    cashier_.set_dose(dose);
    receiver_.set_dose(dose);
    people_.set_dose(dose);
    server_->set_profile(dose.store);
}

void ShopStage::boot(std::string name) {
    ++boots_;
    last_boot_ = begin_boot();
    world_.trace().tell("boot", last_boot_, 0, "{} boot {}", name, last_boot_);
    auto node = std::make_unique<ShopNode>(*around_, std::move(name), last_boot_, scenario_.seats);
    node->on_step = [this](std::uint64_t of, std::string_view step) { faults_.came_to(of, step); };
    node->skew_wall(std::chrono::milliseconds{chance_.below(4'000)} - 2'000ms);
    fleet_.nodes().push_back(std::move(node));
}

void ShopStage::schedule_faults() {
    static constexpr std::array<std::string_view, 10> kSteps{
        "commit",      "heard", "ask",     "bundle", "notice",
        "acknowledge", "later", "refusal", "stock",  "arbitration"};
    faults_.crash_now_and_then(kSteps);
    faults_.freeze_now_and_then();
    faults_.cut_off_now_and_then();
    faults_.now_and_then(dose_.clock_step_every, [this] { step_clock(); });
    faults_.now_and_then(dose_.store_crash_every, [this] { crash_store(); });
    faults_.lose_store_now_and_then();
}

// Of the whole machine room; the store's own time goes on as it went until it starts anew.
void ShopStage::step_clock() {
    const auto by = std::chrono::milliseconds{
        chance_.hit(500) ? static_cast<std::int64_t>(chance_.below(120'000))
                         : static_cast<std::int64_t>(chance_.below(48 * 3'600'000))};
    const bool back = chance_.hit(500);
    world_.trace().mark("clock", static_cast<std::uint64_t>(by.count()), back ? 1 : 0);
    rarities_.count(back ? ShopRare::clock_stepped_back : ShopRare::clock_stepped_forward);
    world_.clock().step_wall(back ? -by : by);
}

void ShopStage::crash_store() {
    world_.trace().mark("store down");
    rarities_.count(ShopRare::store_crashed);
    server_->crash();
    if (memory_) memory_->restart();
}

void ShopStage::settle(std::chrono::seconds at_most) {
    world_.run_until(world_.now() + at_most, [this] {
        return people_.waiting().empty() && people_.all_came() && provider_.waiting() == 0 &&
               watched_.is_at_rest(kWarehouse);
    });
}

// Everybody who still wants something gets it, and everything comes to rest.
void ShopStage::live() {
    world_.trace().mark("calm");
    set_dose(calm_shop_dose());
    faults_.end();
    people_.be_patient();
    settle(kSettlesWithin);
    audit_.rested(everything());
}

void ShopStage::sleep_a_night() {
    std::vector<std::string> names;
    for (const auto& node : fleet_.nodes()) names.push_back(node->name());
    fleet_.nodes().clear();
    if (!scenario_.shared) server_->crash();
    world_.trace().mark("night");
    const std::chrono::milliseconds morning{store_now() +
                                            std::chrono::milliseconds(kNight).count()};
    world_.run_until(world_.now() + kNight);
    // A store that starts under a clock which is behind what it has written would not see the night.
    const auto behind = morning - std::chrono::milliseconds(milliseconds_of(world_.clock().wall()));
    if (behind > 0ms) world_.clock().step_wall(behind);
    rarities_.count(ShopRare::slept_past_horizon);
    for (std::string& name : names) boot(std::move(name));
    settle(kSettlesWithin);
    world_.run_until(world_.now() + 90s);
}

// What was answered is answered otherwise by now: results are kept for a day, what is over for two.
void ShopStage::visit_again() {
    people_.come_back();
    settle(kSettlesWithin);
    world_.run_until(world_.now() + 90s);
}

// The first night ends the waiting of facts and the results of requests, the second one what is over, the third what
// was said of it.
void ShopStage::let_days_pass() {
    sleep_a_night();
    provider_.day_begins();
    visit_again();
    sleep_a_night();
    provider_.tell_again_of_old();
    visit_again();
    sleep_a_night();
}

ShopEnding ShopStage::everything() {
    ShopEnding all =
        watched_.everything({"booking", "order", "packing", "payment"}, People::skus());
    all.now_ms = store_now();
    all.unanswered = people_.waiting();
    all.unacknowledged = provider_.waiting();
    all.refunds = cashier_.refunds();
    all.works = cashier_.works();
    all.received = receiver_.received();
    return all;
}

ShopReport ShopStage::run() {
    set_dose(scenario_.dose);
    const MonotonicTime began = world_.now();
    for (std::size_t i = 0; i < scenario_.nodes; ++i) boot(fmt::format("node-{}", i + 1));
    people_.start();
    clerk_.start();
    schedule_faults();
    world_.run_until(world_.now() + 300s, [this] { return people_.all_came(); });
    live();
    let_days_pass();
    ShopReport report;
    if (!world_.spins()) {
        const ShopEnding ending = everything();
        report.made = ending.stories.size();
        audit_.ended(ending);
    }
    report.findings = audit_.findings();
    if (world_.spins()) report.findings.push_back({"V1", "handlers run on and time does not pass"});
    report.virtual_seconds = std::chrono::duration<double>(world_.now() - began).count();
    fleet_.nodes().clear();
    report.seed = scenario_.seed;
    report.trace_hash = world_.trace().hash();
    report.trace_events = world_.trace().events();
    report.requests = front_.sent();
    report.store_calls = earlier_calls_ + server_->calls();
    report.boots = boots_;
    report.rarities = rarities_;
    return report;
}

}  // namespace pawl::sim
