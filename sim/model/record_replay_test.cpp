// SPDX-License-Identifier: Apache-2.0
// Traces of the model, replayed as a store would live them: a clock that moves, rows that go through their
// bytes between any two calls, and nothing interned or remembered.
#include <random>

#include <gtest/gtest.h>

#include "core/record/row_format.hpp"
#include "record_time.hpp"
#include "record_world.hpp"

namespace pawl::model {
namespace {

using record::Row;

constexpr int kWalks = 1'500;
constexpr int kStepsMax = 90;  // at 1 ms each: neither a lease nor the horizon ends by the way

struct Taken {
    Step step;
    WorldState after;
};

class LiveRecord {
  public:
    // The call of the trace, at the present moment.
    record::Outcome apply(record::Call call, int who) {
        if (auto* settle = std::get_if<record::Settle>(&call)) settle->looked_ms = looked_ms_[who];
        const record::Verdict verdict = record::judge(row_, call, now_ms_, record::Fence{next_});
        if (verdict.fence_used) next_ = verdict.row.fence.number + 1;
        keep(verdict.row);
        return verdict.outcome;
    }
    void pass_time() {
        now_ms_ = row_.state == record::State::in_progress ? row_.lease_until_ms
                                                           : row_.owner_gone_ms + row_.horizon_ms;
    }
    void look(int who) { looked_ms_[who] = now_ms_; }
    void tick() { ++now_ms_; }
    const Row& row() const { return row_; }

  private:
    void keep(const Row& row) {
        row_ = Row{};
        if (row.state == record::State::absent) return;
        const auto decoded = record::decode_row(record::encode(row));
        ASSERT_TRUE(decoded.has_value());
        ASSERT_EQ(*decoded, row);
        row_ = *decoded;
    }

    Row row_;
    std::int64_t now_ms_ = 1'700'000'000'000;
    std::int64_t looked_ms_[kWitnessesMax] = {};
    std::uint64_t next_ = 1;
};

// Equal in all but the times, which stand still in the model.
void expect_same(const Row& live, const Row& modelled) {
    EXPECT_EQ(name_of(live.state), name_of(modelled.state));
    EXPECT_EQ(live.fence, modelled.fence);
    EXPECT_EQ(live.claim, modelled.claim);
    EXPECT_EQ(live.withdrawn, modelled.withdrawn);
    EXPECT_EQ(live.stamp, modelled.stamp);
    EXPECT_EQ(live.took_over, modelled.took_over);
    EXPECT_EQ(live.earlier_may_live, modelled.earlier_may_live);
    EXPECT_EQ(live.owner_gone_ms != 0, modelled.owner_gone_ms != 0);
    EXPECT_EQ(live.attempts, modelled.attempts);
    const auto result = [](const std::optional<record::Settled>& settled) {
        return settled ? settled->answer_digest : Digest{};
    };
    EXPECT_EQ(result(live.settled), result(modelled.settled));
    EXPECT_EQ(result(live.beside), result(modelled.beside));
}

void walk(RecordWorld& world, std::mt19937_64& dice) {
    LiveRecord live;
    WorldState state = world.initial();
    for (int i = 0; i < kStepsMax && !testing::Test::HasFailure(); ++i) {
        std::vector<Taken> choices;
        world.for_each_step(state, [&](const Step& step, const WorldState& after) {
            choices.push_back({step, after});
        });
        if (choices.empty()) return;
        const auto& [step, after] =
            choices[std::uniform_int_distribution<std::size_t>(0, choices.size() - 1)(dice)];
        SCOPED_TRACE(world.text(step));
        live.tick();
        if (step.call) EXPECT_EQ(name_of(live.apply(*step.call, step.number)), step.outcome);
        if (step.time_passes) live.pass_time();
        if (!step.call && (step.actor == "probe" || step.actor == "operator"))
            live.look(step.number);
        expect_same(live.row(), world.row(after.row));
        state = after;
    }
}

TEST(RecordReplay, TracesOfTheModelHoldInAStoreWithAMovingClock) {
    std::mt19937_64 dice(20'260'101);
    for (const Scenario& scenario :
         {Scenario{.stamps = {0, 0, 0}, .probes = 2, .operators = 1, .again = true},
          Scenario{.stamps = {1, 2, 1, 2}, .probes = 1, .operators = 1, .again = true},
          Scenario{.stamps = {1, 1, 2, 1},
                   .rerunnable = true,
                   .probes = 1,
                   .operators = 1,
                   .again = true},
          Scenario{.stamps = {1, 2, 2},
                   .rerunnable = true,
                   .operators = 1,
                   .again = true,
                   .unknown_commits = true}}) {
        RecordWorld world(scenario);
        world.keep_calls();
        for (int i = 0; i < kWalks && !HasFailure(); ++i) walk(world, dice);
        EXPECT_EQ(world.rows_not_restored(), 0);
    }
}

}  // namespace
}  // namespace pawl::model
