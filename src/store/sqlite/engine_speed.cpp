// SPDX-License-Identifier: Apache-2.0
// How many claims and completions the engine commits per second, in batches, on a real file. Not a test:
//
//   sqlite_engine_speed FILE [RECORDS] [PAIRS] [BATCH]
//
// fills the store with RECORDS completed records, then measures PAIRS more. A batch holds as many
// completions of earlier claims as new claims, as under load.
#include <array>
#include <cstdlib>
#include <iostream>

#include "runtime/result/assert.hpp"
#include "store/sqlite/engine.hpp"

namespace pawl::sqlite {
namespace {

record::Claim claim_of(std::uint64_t number, std::uint64_t boot) {
    record::Claim claim;
    const std::string key = fmt::format("{:032x}", number * 0x9E3779B97F4A7C15ULL);
    claim.identity = sha256_parts("identity", {"acme", "caller-17", "create_order", key});
    std::ranges::copy_n(claim.identity.bytes.begin(), claim.claim.bytes.size(),
                        claim.claim.bytes.begin());
    claim.fingerprint = claim.identity;
    claim.rule = claim.identity;
    claim.owner = {"10.0.0.17:8080", boot};
    claim.lease_ms = 30'000;
    claim.horizon_ms = 60'000;
    claim.keep = {86'400'000, 400 * 86'400'000LL};
    claim.tenant = "acme";
    claim.operation = "create_order";
    claim.key_label = key;
    claim.trace_id = fmt::format("{:032x}", number * 0xD1B54A32D192ED03ULL);
    return claim;
}

record::Answer answer_of(std::uint64_t number) {
    record::Answer answer;
    answer.status = 201;
    answer.headers = {{"Content-Type", "application/json"},
                      {"Location", fmt::format("/orders/{}", number)}};
    answer.body = fmt::format(
        R"({{"id":{},"state":"created","amount":"12.50","currency":"EUR","items":[1,2,3]}})",
        number);
    return answer;
}

// Commits `pairs` claims and their completions, each `batch` a commit of both kinds. What remains open at
// the end is completed.
class Load {
  public:
    Load(Engine& engine, std::size_t batch) : engine_(engine), batch_(batch) {}

    void run(std::uint64_t pairs) {
        for (const std::uint64_t end = next_ + pairs; next_ < end || !claimed_.empty();) {
            std::vector<record::Call> calls;
            for (record::Complete& complete : std::exchange(claimed_, {}))
                calls.emplace_back(std::move(complete));
            const std::size_t completions = calls.size();
            for (std::size_t i = 0; i < batch_ && next_ < end; ++i, ++next_)
                calls.emplace_back(claim_of(next_, engine_.boot()));
            auto replies = engine_.commit(calls);
            for (std::size_t i = completions; i < calls.size(); ++i) {
                PAWL_ASSERT(replies[i] && replies[i]->outcome == record::Outcome::acquired);
                const record::Row& row = replies[i]->row;
                claimed_.push_back(
                    {row.identity, row.claim, row.fence, answer_of(row.fence.number)});
            }
            if (engine_.log_is_long()) engine_.checkpoint();
            if (++batches_ % 8 == 0) (void)engine_.tend();
        }
    }

  private:
    Engine& engine_;
    std::size_t batch_;
    std::uint64_t next_ = 1;
    std::uint64_t batches_ = 0;
    std::vector<record::Complete> claimed_;
};

double seconds_since(MonotonicTime start, const Clock& clock) {
    return std::chrono::duration<double>(clock.monotonic() - start).count();
}

int measure(const std::string& path, std::uint64_t records, std::uint64_t pairs,
            std::size_t batch) {
    SystemClock clock;
    SystemEntropy entropy;
    auto file = open_store({.path = path});
    if (!file) {
        std::cerr << describe(file.error()) << '\n';
        return 1;
    }
    auto engine = Engine::start(std::move(*file), clock, entropy);
    PAWL_ASSERT(engine.has_value());
    Load load(**engine, batch);
    MonotonicTime start = clock.monotonic();
    load.run(records);
    std::cout << fmt::format("filled {} in {:.1f} s\n", records, seconds_since(start, clock));
    start = clock.monotonic();
    load.run(pairs);
    const double seconds = seconds_since(start, clock);
    const EngineMeters& meters = (*engine)->meters();
    std::cout << fmt::format(
        "{} pairs in batches of {}: {:.0f} pairs/s, {} commits, {} checkpoints, {:.0f} % of the "
        "time in COMMIT, {:.0f} % in checkpoints\n",
        pairs, batch, static_cast<double>(pairs) / seconds, meters.commits.value(),
        meters.checkpoints.value(), 100 * meters.commit_seconds.sum_seconds() / seconds,
        100 * meters.checkpoint_seconds.sum_seconds() / seconds);
    start = clock.monotonic();
    StoreFile given_up = std::move(**engine).release();
    engine->reset();
    const auto again = Engine::start(std::move(given_up), clock, entropy);
    PAWL_ASSERT(again.has_value());
    std::cout << fmt::format("start: {:.3f} s\n", seconds_since(start, clock));
    return 0;
}

}  // namespace
}  // namespace pawl::sqlite

int main(int count, char** arguments) {
    const auto number = [&](int index, std::uint64_t otherwise) {
        return count > index ? std::strtoull(arguments[index], nullptr, 10) : otherwise;
    };
    if (count < 2) {
        std::cerr << "usage: sqlite_engine_speed FILE [RECORDS] [PAIRS] [BATCH]\n";
        return 2;
    }
    return pawl::sqlite::measure(arguments[1], number(2, 10'000), number(3, 200'000),
                                 number(4, 64));
}
