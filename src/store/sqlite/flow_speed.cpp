// SPDX-License-Identifier: Apache-2.0
// How many orders the engine creates and has paid per second, in batches, on a real file. Not a test:
//
//   sqlite_flow_speed FILE [ORDERS] [BATCH] [SKUS]
//
// A creation writes record, answer, order, business key, deadlines and history; a payment record, answer, order, unique
// fact, stock, deadlines, history and an outgoing event.
#include <cstdlib>
#include <iostream>

#include "core/flow/world_fixture.hpp"
#include "runtime/entropy/entropy.hpp"
#include "runtime/result/assert.hpp"
#include "store/sqlite/engine.hpp"

namespace pawl::sqlite {
namespace {

class Load {
  public:
    Load(Engine& engine, const Clock& clock, std::size_t batch, std::uint64_t skus)
        : engine_(engine), clock_(clock), batch_(batch), skus_(skus) {}

    void stock() {
        for (std::uint64_t n = 0; n < skus_; ++n)
            add({.subject = {.tenant = "acme"},
                 .decision = store::StockChange{flow::sku(fmt::format("sku-{}", n)),
                                                store::StockChange::Kind::set, 1'000'000'000}});
        flush();
    }
    void create(std::uint64_t orders) {
        for (std::uint64_t n = 0; n < orders; ++n) {
            flow::Event event = flow::new_order({{flow::sku(fmt::format("sku-{}", n % skus_)), 1}});
            event.name = "create";
            event.now_ms = engine_.now_ms();
            const std::string id = std::to_string(kFirstId + n);
            const std::string key = fmt::format("{:016x}", n * 0x9E3779B97F4A7C15ULL);
            auto decided = flow::create(machine_, {id, "acme", key}, event);
            add({.subject = {}, .decision = std::get<flow::Bundle>(std::move(decided))});
        }
        flush();
    }
    void pay(std::uint64_t orders) {
        for (std::uint64_t n = 0; n < orders; ++n) {
            const std::string id = std::to_string(kFirstId + n);
            const auto loaded = engine_.load({"acme", "order", id, {}});
            PAWL_ASSERT(loaded && loaded->entity);
            flow::Event event = flow::payment("T" + id);
            event.now_ms = loaded->now_ms;
            auto decided = flow::transition(machine_, *loaded->entity, event);
            add({.subject = {}, .decision = std::get<flow::Bundle>(std::move(decided))});
        }
        flush();
    }
    double seconds_of(auto work) {
        const MonotonicTime start = clock_.monotonic();
        work();
        return std::chrono::duration<double>(clock_.monotonic() - start).count();
    }

  private:
    static constexpr std::uint64_t kFirstId = 1'234'567'890'123'456;

    void add(store::FlowCommit commit) {
        record::Claim claim;
        claim.identity = sha256_parts("identity", {std::to_string(++requests_)});
        std::ranges::copy_n(claim.identity.bytes.begin(), claim.claim.bytes.size(),
                            claim.claim.bytes.begin());
        claim.fingerprint = claim.identity;
        claim.rule = claim.identity;
        claim.owner = {"10.0.0.17:8080", engine_.boot()};
        claim.lease_ms = 30'000;
        claim.keep = {86'400'000, 400 * 86'400'000LL};
        claim.tenant = "acme";
        claim.operation = "order";
        claim.key_label = std::to_string(requests_);
        commit.request = flow::Request{
            std::move(claim), {.status = 201, .headers = {}, .body = std::string(120, 'x')}};
        batch_of_.push_back(std::move(commit));
        if (batch_of_.size() == batch_) flush();
    }
    void flush() {
        for (const auto& reply : engine_.commit_flows(std::exchange(batch_of_, {})))
            PAWL_ASSERT(reply && reply->outcome == store::FlowOutcome::applied);
        if (engine_.log_is_long()) engine_.checkpoint();
        if (++batches_ % 8 == 0) (void)engine_.tend();
    }

    Engine& engine_;
    const Clock& clock_;
    std::size_t batch_;
    std::uint64_t skus_;
    flow::Machine machine_ = flow::Machine::compile(flow::order_flow()).value();
    std::vector<store::FlowCommit> batch_of_;
    std::uint64_t requests_ = 0;
    std::uint64_t batches_ = 0;
};

int measure(const std::string& path, std::uint64_t orders, std::size_t batch, std::uint64_t skus) {
    SystemClock clock;
    SystemEntropy entropy;
    auto file = open_store({.path = path});
    if (!file) {
        std::cerr << describe(file.error()) << '\n';
        return 1;
    }
    auto engine = Engine::start(std::move(*file), clock, entropy);
    PAWL_ASSERT(engine.has_value());
    Load load(**engine, clock, batch, skus);
    load.stock();
    const auto say = [&](std::string_view what, double seconds) {
        std::cout << fmt::format("{} {} in batches of {}: {:.0f}/s\n", orders, what, batch,
                                 static_cast<double>(orders) / seconds);
    };
    say("orders created", load.seconds_of([&] { load.create(orders); }));
    say("orders paid", load.seconds_of([&] { load.pay(orders); }));
    return 0;
}

}  // namespace
}  // namespace pawl::sqlite

int main(int count, char** arguments) {
    const auto number = [&](int index, std::uint64_t otherwise) {
        return count > index ? std::strtoull(arguments[index], nullptr, 10) : otherwise;
    };
    if (count < 2) {
        std::cerr << "usage: sqlite_flow_speed FILE [ORDERS] [BATCH] [SKUS]\n";
        return 2;
    }
    return pawl::sqlite::measure(arguments[1], number(2, 50'000), number(3, 64), number(4, 100));
}
