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
      front_(world_, audit_, rarities_, [this] { return store_now(); }),
      provider_(world_, book_, front_),
      cashier_(world_, rarities_),
      receiver_(world_, rarities_),
      people_(world_, book_, front_, provider_, scenario_.traffic, [this] { return store_now(); }),
      clerk_(world_, book_, watched_, rarities_) {
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
                                     rarities_, shop_machines()});
    watched_.on_commit = [this](std::string_view step) { came_to(0, step); };
}

ShopStage::~ShopStage() { front_.nodes().clear(); }

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
    front_.set_dose(dose);
    provider_.set_dose(dose);
    cashier_.set_dose(dose);
    receiver_.set_dose(dose);
    people_.set_dose(dose);
    server_->set_profile(dose.store);
}

ShopNode* ShopStage::find(std::uint64_t boot) {
    for (const auto& node : front_.nodes())
        if (node->boot() == boot) return node.get();
    return nullptr;
}

void ShopStage::boot(std::string name) {
    ++boots_;
    last_boot_ = begin_boot();
    world_.trace().tell("boot", last_boot_, 0, "{} boot {}", name, last_boot_);
    auto node = std::make_unique<ShopNode>(*around_, std::move(name), last_boot_, scenario_.seats);
    node->on_step = [this](std::uint64_t of, std::string_view step) { came_to(of, step); };
    node->skew_wall(std::chrono::milliseconds{chance_.below(4'000)} - 2'000ms);
    front_.nodes().push_back(std::move(node));
}

void ShopStage::crash(std::uint64_t boot) {
    auto& nodes = front_.nodes();
    const auto found =
        std::ranges::find_if(nodes, [boot](const auto& node) { return node->boot() == boot; });
    if (found == nodes.end()) return;
    world_.trace().tell("crash", boot, 0, "boot {}", boot);
    if ((*found)->doing().committing > 0) rarities_.count(ShopRare::crashed_committing);
    if ((*found)->doing().asking > 0) rarities_.count(ShopRare::crashed_asking);
    std::string name = (*found)->name();
    nodes.erase(found);
    if (!scenario_.shared) server_->crash();
    world_.after(chance_.between(20ms, 3'000ms),
                 [this, again = std::move(name)] { this->boot(again); });
}

// Steps of one event, in which a node may be made to crash: before it is over, just after it.
void ShopStage::came_to(std::uint64_t boot, std::string_view step) {
    if (aim_.step != step || aim_.after-- > 0) return;
    aim_ = {};
    if (boot == 0) {
        const ShopNode* node = front_.some_node(chance_);
        if (node == nullptr) return;
        boot = node->boot();
    }
    world_.defer([this, boot] { crash(boot); });
}

void ShopStage::now_and_then(std::chrono::milliseconds mean, std::function<void()> what) {
    if (mean == 0ms) return;
    world_.after(
        chance_.between(std::chrono::nanoseconds(mean) / 4, 2 * std::chrono::nanoseconds(mean)),
        [this, mean, does = std::move(what)]() mutable {
            if (calm_) return;
            does();
            now_and_then(mean, std::move(does));
        });
}

void ShopStage::schedule_faults() {
    now_and_then(dose_.crash_every, [this] { crash_some(); });
    now_and_then(dose_.freeze_every, [this] { freeze_some(); });
    now_and_then(dose_.partition_every, [this] { cut_off_some(); });
    now_and_then(dose_.clock_step_every, [this] { step_clock(); });
    now_and_then(dose_.store_crash_every, [this] { crash_store(); });
    now_and_then(dose_.outage_every, [this] {
        world_.trace().mark("outage");
        server_->set_reachable(false);
        world_.after(chance_.between(50ms, dose_.outage_max),
                     [this] { server_->set_reachable(true); });
    });
}

void ShopStage::crash_some() {
    static constexpr std::array<std::string_view, 8> kSteps{
        "commit", "heard", "ask", "bundle", "arbitration", "later", "refusal", "stock"};
    const ShopNode* node = front_.some_node(chance_);
    if (node != nullptr && chance_.hit(dose_.crash_aimed))
        aim_ = {kSteps[chance_.below(kSteps.size())], chance_.below(6)};
    else if (node != nullptr)
        crash(node->boot());
}

void ShopStage::freeze_some() {
    ShopNode* node = front_.some_node(chance_);
    if (node == nullptr || node->frozen()) return;
    const auto span = chance_.between(100ms, dose_.freeze_max);
    const std::uint64_t boot = node->boot();
    world_.trace().mark("freeze", boot, static_cast<std::uint64_t>(span.count()));
    rarities_.count(ShopRare::frozen);
    node->freeze(true);
    world_.after(span, [this, boot] {
        if (ShopNode* there = find(boot)) there->freeze(false);
    });
}

void ShopStage::cut_off_some() {
    ShopNode* node = front_.some_node(chance_);
    if (node == nullptr) return;
    const std::uint64_t boot = node->boot();
    world_.trace().mark("partition", boot);
    rarities_.count(ShopRare::node_cut_off);
    node->set_partition(chance_.hit(500) ? Partition::calls_lost : Partition::answers_lost);
    world_.after(chance_.between(100ms, dose_.partition_max), [this, boot] {
        if (ShopNode* there = find(boot)) there->set_partition(Partition::none);
    });
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
    calm_ = true;
    aim_ = {};
    world_.trace().mark("calm");
    set_dose(calm_shop_dose());
    server_->set_reachable(true);
    for (const auto& node : front_.nodes()) {
        node->freeze(false);
        node->set_partition(Partition::none);
    }
    people_.be_patient();
    settle(kSettlesWithin);
    audit_.rested(everything());
}

void ShopStage::sleep_a_night() {
    std::vector<std::string> names;
    for (const auto& node : front_.nodes()) names.push_back(node->name());
    front_.nodes().clear();
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

ShopEnding ShopStage::everything() {
    ShopEnding all = watched_.everything({"booking", "order", "packing"}, People::skus());
    all.now_ms = store_now();
    all.unanswered = people_.waiting();
    all.unacknowledged = provider_.waiting();
    all.refunds = cashier_.refunds();
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
    sleep_a_night();
    ShopReport report;
    if (!world_.spins()) {
        const ShopEnding ending = everything();
        report.entities = ending.stories.size();
        audit_.ended(ending);
    }
    report.findings = audit_.findings();
    if (world_.spins()) report.findings.push_back({"V1", "handlers run on and time does not pass"});
    report.virtual_seconds = std::chrono::duration<double>(world_.now() - began).count();
    front_.nodes().clear();
    report.seed = scenario_.seed;
    report.trace_hash = world_.trace().hash();
    report.trace_events = world_.trace().events();
    report.sent = front_.sent();
    report.store_calls = earlier_calls_ + server_->calls();
    report.boots = boots_;
    report.rarities = rarities_;
    return report;
}

}  // namespace pawl::sim
