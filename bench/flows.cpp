// SPDX-License-Identifier: Apache-2.0
// How many events a second does one loop carry out on the store of the product, and how long do 10,000 deadlines take
// that are due at once? usage: bench_flows [ORDERS] [SIDE_BY_SIDE]
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "core/flow/world_fixture.hpp"
#include "engine/desk.hpp"
#include "engine/sweeper.hpp"
#include "runtime/task/run_here.hpp"
#include "store/sqlite/scratch_folder.hpp"
#include "store/sqlite/sqlite_flows.hpp"

namespace pawl::engine {
namespace {

using namespace std::chrono_literals;
using flow::sku;

constexpr std::chrono::seconds kUntilDue{60};

struct CountedIds final : Ids {
    std::int64_t last = 0;
    Task<Result<std::string>> next() override { co_return std::to_string(++last); }
};
struct NoInquiry final : Inquiry {
    Task<Finding> ask(flow::Probe, flow::Entity, MonotonicTime) override { co_return Finding{}; }
};

flow::Machine order() {
    flow::Definition flow = flow::order_flow();
    flow.deadlines.clear();
    flow::named(flow.states, "created").deadline->after = kUntilDue;
    flow::named(flow.events, "expire").transitions[0].before = {};
    flow.events.push_back(flow::event("touch", {"created"}, std::string(flow::kSame)));
    return flow::Machine::compile(std::move(flow)).value();
}

class Bench {
  public:
    Bench(SystemLoop& system, int orders, int side_by_side)
        : loop_(system.loop()), orders_(orders), side_by_side_(side_by_side) {}

    Task<bool> run() {
        sweeper_.start();
        const MonotonicTime begun = loop_.now();
        co_await many("creations", [](int i) {
            Sent sent{.subject = {"acme", "order", {}, "B" + std::to_string(i)},
                      .event = flow::new_order()};
            sent.creates = true;
            sent.claim = claim("c", i);
            return sent;
        });
        const MonotonicTime due = loop_.now() + kUntilDue;
        co_await many("events", [](int i) {
            Sent sent{.subject = {"acme", "order", {}, "B" + std::to_string(i)},
                      .event = {.name = "touch", .caller = "ann"}};
            sent.claim = claim("e", i);
            return sent;
        });
        if (loop_.now() - begun >= kUntilDue) std::printf("too many: some were due before\n");
        co_await loop_.sleep_until(begun + kUntilDue - 1s);
        std::this_thread::sleep_for(due - loop_.now() + 100ms);  // all of them are due now
        const MonotonicTime fires = loop_.now();
        while (sweeper_.figures().fired < static_cast<std::uint64_t>(orders_))
            co_await loop_.sleep_for(1ms);
        tell("deadlines due at once", fires);
        co_return co_await sweeper_.end(loop_.now() + 20s);
    }

  private:
    static record::Claim claim(const char* kind, int i) {
        record::Claim claim;
        claim.identity = sha256(kind + std::to_string(i));
        claim.lease_ms = 30'000;
        claim.keep = {86'400'000, 86'400'000};
        claim.tenant = "acme";
        return claim;
    }
    void tell(const char* what, MonotonicTime begun) {
        const double seconds = std::chrono::duration<double>(loop_.now() - begun).count();
        std::printf("%-24s %d in %.2f s, %.0f a second\n", what, orders_, seconds,
                    orders_ / seconds);
        std::fflush(stdout);
    }
    template <class Make>
    Task<void> many(const char* what, Make make) {
        const MonotonicTime begun = loop_.now();
        int next = 0;
        TaskGroup group(loop_);
        for (int worker = 0; worker < side_by_side_; ++worker)
            group.spawn([](Bench& self, Make make_one, int& counter) -> Task<void> {
                while (counter < self.orders_) {
                    const auto told = co_await self.committer_.send(make_one(counter++));
                    if (!told) std::abort();
                }
            }(*this, make, next));
        co_await group.drain(kNever);
        tell(what, begun);
    }

    Loop& loop_;
    int orders_;
    int side_by_side_;
    SystemClock clock_;
    sqlite::ScratchFolder folder_;
    std::unique_ptr<sqlite::Writer> writer_ = std::move(
        *sqlite::Writer::open({.path = folder_.path() + "/flows.db"}, clock_, loop_.entropy()));
    sqlite::SqliteFlows flows_{*writer_, loop_};
    CountedIds ids_;
    NoInquiry inquiry_;
    Observer observer_;
    Desk desk_{loop_, observer_, [this](std::int64_t at_ms) { sweeper_.hint(at_ms); }};
    Committer committer_{{loop_, flows_, inquiry_, ids_, desk_},
                         std::make_shared<const Machines>(std::vector{order()})};
    Sweeper sweeper_{loop_, flows_, flows_, committer_, observer_};
};

}  // namespace
}  // namespace pawl::engine

int main(int count, char** arguments) {
    const int orders = count > 1 ? std::atoi(arguments[1]) : 10'000;
    const int side_by_side = count > 2 ? std::atoi(arguments[2]) : 200;
    pawl::SystemLoop system;
    pawl::engine::Bench bench(system, orders, side_by_side);
    return pawl::run_here(system, bench.run()) ? 0 : 1;
}
