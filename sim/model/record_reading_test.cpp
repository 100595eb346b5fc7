// SPDX-License-Identifier: Apache-2.0
// Plausible readings of the protocol, each of which breaks it: the explorer must find the trace. A reading
// that no longer breaks anything means that the model has gone blind.
#include <gtest/gtest.h>

#include "explorer.hpp"
#include "record_world.hpp"

namespace pawl::model {
namespace {

constexpr std::size_t kStatesMax = 3'000'000;

Report explored(Scenario scenario, bool with_dead_ends = false) {
    RecordWorld world(std::move(scenario));
    Explorer<RecordWorld> explorer(world, kStatesMax);
    return explorer.run(with_dead_ends);
}

void expect_found(const Scenario& scenario, std::string_view violation) {
    const Report report = explored(scenario);
    bool found = false;
    for (const auto& [name, trace] : report.violations) {
        std::printf("%s: %s\n", std::string(name_of(scenario.reading)).c_str(), name.c_str());
        for (const auto& step : trace) std::printf("    %s\n", step.c_str());
        EXPECT_FALSE(trace.empty());
        found = found || name.starts_with(violation);
    }
    EXPECT_TRUE(found) << violation << " not found in " << report.states << " states";
    // The same without the reading holds: it is the reading that breaks it.
    Scenario repaired = scenario;
    repaired.reading = Reading::repaired;
    EXPECT_TRUE(explored(repaired).violations.empty());
}

TEST(RecordReading, A1PlainNotFoundOfAProbeFrees) {
    expect_found({.stamps = {0, 0}, .probes = 1, .reading = Reading::plain_probe_frees}, "E1");
}

TEST(RecordReading, A2OperatorSaysWhatHeSees) {
    expect_found({.stamps = {0, 0}, .operators = 1, .reading = Reading::operator_by_eye}, "E1");
}

TEST(RecordReading, A4TakeoverWhenNothingHasLeftYet) {
    expect_found({.stamps = {0, 0}, .probes = 1, .reading = Reading::takeover_when_nothing_left},
                 "E1");
}

TEST(RecordReading, A5EvidenceWithoutAFence) {
    expect_found({.stamps = {0, 0, 0}, .probes = 2, .reading = Reading::settle_without_fence},
                 "E1");
}

TEST(RecordReading, A6CompletionOfAFreedRecordIsThrownAway) {
    Scenario scenario{.stamps = {0, 0}, .operators = 1, .forced = true};
    // A person who overrides can be wrong: that alone may cost a second effect, but never a proof.
    const Report repaired = explored(scenario);
    EXPECT_EQ(repaired.violations.size(), 1U);
    EXPECT_TRUE(repaired.violations.begin()->first.starts_with("E1"));
    scenario.reading = Reading::late_completion_dropped;
    const Report dropped = explored(scenario);
    EXPECT_EQ(dropped.violations.size(), 2U);
    EXPECT_TRUE(dropped.violations.rbegin()->first.starts_with("PROOF"));
}

TEST(RecordReading, A7LoserAnswersItsOwnBytes) {
    expect_found({.stamps = {0, 0}, .probes = 1, .reading = Reading::loser_answers_its_own_bytes},
                 "R1");
}

// Not a reading: without evidence of any kind an uncertain record has no way out.
TEST(RecordReading, A8NeitherProbeNorOperatorIsADeadEnd) {
    const Report report = explored({.stamps = {0, 0}}, true);
    EXPECT_TRUE(report.violations.empty());
    EXPECT_FALSE(report.settles);
    EXPECT_FALSE(report.dead_end.empty());
}

TEST(RecordReading, A9CompletionOfAnUncertainRecordIsRefused) {
    expect_found({.stamps = {0, 0}, .reading = Reading::late_completion_refused}, "PROOF");
}

TEST(RecordReading, B1ReleaseOfASupersedingClaimLeavesNothing) {
    expect_found({.stamps = {1, 2, 1}, .reading = Reading::release_empties_superseded}, "E4");
}

TEST(RecordReading, B2NewerStampDoesNotWait) {
    expect_found({.stamps = {1, 2}, .reading = Reading::newer_supersedes_busy}, "ORDER");
}

TEST(RecordReading, C1UpstreamKeyFromTheIdentityAlone) {
    expect_found({.stamps = {1, 2}, .rerunnable = true, .reading = Reading::key_from_identity},
                 "E3");
}

TEST(RecordReading, C2UpstreamKeyFromTheFence) {
    expect_found({.stamps = {1, 1}, .rerunnable = true, .reading = Reading::key_from_fence}, "E1");
}

TEST(RecordReading, C3NewerStampTakesOver) {
    expect_found({.stamps = {1, 2}, .rerunnable = true, .reading = Reading::newer_takes_over},
                 "ORDER");
}

TEST(RecordReading, C4ReleaseAfterATakeoverFrees) {
    expect_found(
        {.stamps = {1, 1, 2}, .rerunnable = true, .reading = Reading::release_after_takeover_frees},
        "ORDER");
}

TEST(RecordReading, C5AnEndedOwnerCountsForThoseItTookOverFrom) {
    expect_found({.stamps = {1, 1, 2},
                  .rerunnable = true,
                  .operators = 1,
                  .reading = Reading::earlier_owner_forgotten},
                 "ORDER");
}

TEST(RecordReading, C6LookBeforeTheHorizonPassedCounts) {
    expect_found({.stamps = {0, 0}, .operators = 1, .reading = Reading::early_look_counts}, "E1");
}

TEST(RecordReading, C7OwnerWhoseLeaseIsOverCountsAsGone) {
    expect_found({.stamps = {0, 0}, .operators = 1, .reading = Reading::lease_over_is_gone}, "E1");
}

// Field case 3.
TEST(RecordReading, D1AgeFrees) {
    expect_found({.stamps = {0, 0}, .reading = Reading::age_frees}, "E1");
}

TEST(RecordReading, D2WithdrawnClaimIsForgotten) {
    expect_found(
        {.stamps = {0, 0}, .unknown_commits = true, .reading = Reading::withdrawal_forgotten},
        "GHOST");
}

}  // namespace
}  // namespace pawl::model
