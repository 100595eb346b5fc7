// SPDX-License-Identifier: Apache-2.0
// The protocol as production judges it, explored to the end: no order of events breaks an invariant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explorer.hpp"
#include "record_world.hpp"

namespace pawl::model {
namespace {

constexpr std::size_t kStatesMax = 12'000'000;

std::string joined(const std::vector<std::string>& trace) {
    std::string text;
    for (const std::string& step : trace) text += "\n  " + step;
    return text;
}

void expect_holds(const Scenario& scenario, std::size_t states_at_least, bool settles = false) {
    RecordWorld world(scenario);
    Explorer<RecordWorld> explorer(world, kStatesMax);
    const Report report = explorer.run(settles);
    EXPECT_TRUE(report.complete) << report.states << " states and no end";
    EXPECT_GE(report.states, states_at_least);
    EXPECT_EQ(world.rows_not_restored(), 0);
    for (const auto& [name, trace] : report.violations) ADD_FAILURE() << name << joined(trace);
    if (settles) {
        EXPECT_TRUE(report.settles) << "no way out of" << joined(report.dead_end);
    }
    std::printf("%zu states, %zu steps\n", report.states, report.steps);
    testing::Test::RecordProperty("states", static_cast<int>(report.states));
}

TEST(RecordModel, A0ThreeRequestsTwoClosingProbesAndAQuietOperator) {
    expect_holds({.stamps = {0, 0, 0}, .probes = 2, .operators = 1}, 100'000);
}

TEST(RecordModel, A3OperatorsAloneAreHeldToAQuietOwner) {
    expect_holds({.stamps = {0, 0, 0}, .operators = 2}, 30'000);
}

TEST(RecordModel, B0VersionStampsWithAProbeAndAnOperator) {
    expect_holds({.stamps = {1, 2, 1}, .probes = 1, .operators = 1}, 10'000);
}

TEST(RecordModel, B0bVersionStampsWithFourRequests) {
    expect_holds({.stamps = {1, 2, 1, 2}, .probes = 1}, 10'000);
}

TEST(RecordModel, B0cThreeStampsInOneLine) {
    expect_holds({.stamps = {1, 2, 3}, .probes = 1, .operators = 1}, 100'000);
}

TEST(RecordModel, A10RerunnableUpstreamThatHonoursTheDerivedKey) {
    expect_holds({.stamps = {0, 0, 0}, .rerunnable = true}, 50'000);
}

TEST(RecordModel, C0RerunnableUpstreamWithStamps) {
    expect_holds({.stamps = {1, 2, 1}, .rerunnable = true}, 5'000);
}

TEST(RecordModel, C0bRerunnableUpstreamWithFourRequests) {
    expect_holds({.stamps = {1, 1, 2, 1}, .rerunnable = true}, 10'000);
}

TEST(RecordModel, C5RerunnableUpstreamWithAProbeAndAnOperator) {
    expect_holds({.stamps = {1, 1, 2}, .rerunnable = true, .probes = 1, .operators = 1}, 10'000);
}

TEST(RecordModel, D0AnswersOfTheStoreGetLost) {
    expect_holds({.stamps = {0, 0}, .probes = 1, .unknown_commits = true}, 10'000);
    expect_holds({.stamps = {0, 0}, .operators = 1, .unknown_commits = true}, 10'000);
}

TEST(RecordModel, D0bAnswersOfTheStoreGetLostWithStamps) {
    expect_holds({.stamps = {1, 2}, .rerunnable = true, .unknown_commits = true}, 10'000);
}

TEST(RecordModel, NoDeadEndWithAClosingProbe) {
    expect_holds({.stamps = {1, 2, 1}, .probes = 1, .again = true}, 10'000, true);
}

TEST(RecordModel, NoDeadEndWithAQuietOperator) {
    expect_holds({.stamps = {1, 2, 1}, .operators = 1, .again = true}, 10'000, true);
}

// What the runs must meet of the table. The rest is judged by unit tests alone: mismatches, retention,
// forgetting.
// clang-format off
constexpr std::string_view kCells[] = {
    "claim absent -> acquired", "claim freed -> acquired", "claim freed -> stale",
    "claim freed -> withdrawn", "claim in_progress -> acquired",
    "claim in_progress -> superseded", "claim in_progress -> took_over",
    "claim in_progress -> in_progress", "claim in_progress -> uncertain",
    "claim in_progress -> stale", "claim in_progress -> withdrawn", "claim open -> took_over",
    "claim open -> in_progress", "claim open -> stale", "claim uncertain -> uncertain",
    "claim uncertain -> stale", "claim completed -> replay", "claim completed -> superseded",
    "claim completed -> stale", "claim completed -> withdrawn", "renew in_progress -> held",
    "renew open -> lost", "renew completed -> lost", "complete in_progress -> stored",
    "complete open -> stored", "complete uncertain -> stored", "complete freed -> stored_late",
    "complete completed -> stored", "complete completed -> lost", "release in_progress -> freed",
    "release in_progress -> restored", "release in_progress -> opened", "release open -> opened",
    "release uncertain -> freed", "release uncertain -> restored", "release freed -> freed",
    "release completed -> restored", "release completed -> lost",
    "suspect in_progress -> suspected", "suspect in_progress -> opened", "suspect open -> opened",
    "suspect uncertain -> suspected", "suspect freed -> lost", "withdraw absent -> freed",
    "withdraw in_progress -> freed", "withdraw in_progress -> restored",
    "withdraw in_progress -> opened", "withdraw in_progress -> lost",
    "withdraw completed -> lost", "settle uncertain -> stored", "settle uncertain -> freed",
    "settle uncertain -> restored", "settle uncertain -> owner_alive",
    "settle uncertain -> too_early", "settle uncertain -> conflict", "settle open -> stored",
    "settle open -> freed", "settle open -> restored", "settle open -> owner_alive",
    "settle open -> too_early", "settle in_progress -> conflict", "settle completed -> conflict",
    "lapse in_progress -> lapsed", "boot_ended in_progress -> lapsed",
    "boot_ended open -> lapsed", "boot_ended uncertain -> lapsed",
};
// clang-format on

TEST(RecordModel, TheCellsOfTheTableAreMet) {
    std::set<std::string> cells;
    for (const Scenario& scenario :
         {Scenario{.stamps = {1, 2, 1}, .probes = 1, .operators = 1},
          Scenario{.stamps = {1, 1, 2}, .rerunnable = true, .probes = 1, .operators = 1},
          Scenario{.stamps = {0, 0}, .operators = 1, .forced = true},
          Scenario{.stamps = {1, 2}, .rerunnable = true, .probes = 1, .unknown_commits = true}}) {
        RecordWorld world(scenario);
        Explorer<RecordWorld>(world, kStatesMax).run(false);
        cells.merge(world.cells());
    }
    std::set<std::string> missing(std::begin(kCells), std::end(kCells));
    for (const std::string& cell : cells) missing.erase(cell);
    EXPECT_THAT(missing, testing::IsEmpty());
}

}  // namespace
}  // namespace pawl::model
