// SPDX-License-Identifier: Apache-2.0
// Every row of the outcome tables of protocol.md and rulings 12, written down here a second time.
#include "core/policy/outcome.hpp"

#include <gtest/gtest.h>

#include "core/policy/names.hpp"

namespace pawl::policy {
namespace {

constexpr auto kComplete = OutcomeClass::complete;
constexpr auto kRelease = OutcomeClass::release;
constexpr auto kUncertain = OutcomeClass::uncertain;

struct Range {
    int first;
    int last;
    OutcomeClass plain;
    OutcomeClass transactional;
};

std::vector<Range> expected_of(Profile profile) {
    switch (profile) {
        case Profile::strict_money:
            return {{0, 199, kUncertain, kUncertain},  {200, 400, kComplete, kComplete},
                    {401, 401, kRelease, kRelease},    {402, 406, kComplete, kComplete},
                    {407, 407, kRelease, kRelease},    {408, 408, kUncertain, kUncertain},
                    {409, 420, kComplete, kComplete},  {421, 421, kRelease, kRelease},
                    {422, 424, kComplete, kComplete},  {425, 425, kRelease, kRelease},
                    {426, 428, kComplete, kComplete},  {429, 429, kRelease, kRelease},
                    {430, 499, kComplete, kComplete},  {500, 599, kUncertain, kRelease},
                    {600, 999, kUncertain, kUncertain}};
        case Profile::ietf:
            return {{0, 199, kUncertain, kUncertain},
                    {200, 599, kComplete, kComplete},
                    {600, 999, kUncertain, kUncertain}};
        case Profile::stripe_v1:
            return {{0, 199, kUncertain, kUncertain},  {200, 400, kComplete, kComplete},
                    {401, 401, kRelease, kRelease},    {402, 428, kComplete, kComplete},
                    {429, 429, kRelease, kRelease},    {430, 599, kComplete, kComplete},
                    {600, 999, kUncertain, kUncertain}};
        case Profile::acp_2026_04_17:
            return {{0, 199, kUncertain, kUncertain},
                    {200, 499, kComplete, kComplete},
                    {500, 599, kUncertain, kRelease},
                    {600, 999, kUncertain, kUncertain}};
    }
    return {};
}

class OutcomeOfProfile : public testing::TestWithParam<int> {
  protected:
    Profile profile() const { return static_cast<Profile>(GetParam()); }
};

TEST_P(OutcomeOfProfile, EveryStatusIsClassifiedAsItsTableSays) {
    int next = 0;
    for (const Range& range : expected_of(profile())) {
        ASSERT_EQ(range.first, next) << "the expectations leave a gap";
        for (int status = range.first; status <= range.last; ++status) {
            EXPECT_EQ(classify(profile(), false, {AnswerKind::answered, status, {}}), range.plain)
                << status;
            EXPECT_EQ(classify(profile(), true, {AnswerKind::answered, status, {}}),
                      range.transactional)
                << status;
        }
        next = range.last + 1;
    }
    EXPECT_EQ(next, 1000);
}

TEST_P(OutcomeOfProfile, WhatTheUpstreamDeclaresOverridesEveryStatus) {
    for (const bool transactional : {false, true}) {
        for (int status = 100; status < 600; ++status) {
            const auto of = [&](Declared word) {
                return classify(profile(), transactional, {AnswerKind::answered, status, word});
            };
            EXPECT_EQ(of(Declared::applied), kComplete) << status;
            EXPECT_EQ(of(Declared::not_applied), kRelease) << status;
            EXPECT_EQ(of(Declared::unknown), kUncertain) << status;
        }
    }
}

TEST_P(OutcomeOfProfile, NothingSentReleasesAndNoAnswerIsUncertain) {
    for (const bool transactional : {false, true}) {
        EXPECT_EQ(classify(profile(), transactional, {AnswerKind::not_sent, 0, {}}), kRelease);
        EXPECT_EQ(classify(profile(), transactional, {AnswerKind::no_answer, 0, {}}), kUncertain);
    }
}

// A head that was read before the connection broke is not an answer: neither its status nor its word counts.
TEST_P(OutcomeOfProfile, AnAnswerThatBrokeOffIsUncertainWhateverItsHeadSaid) {
    for (const Declared word : {Declared::applied, Declared::not_applied, Declared::unknown})
        for (const int status : {200, 404, 429, 503})
            EXPECT_EQ(classify(profile(), true, {AnswerKind::no_answer, status, word}), kUncertain);
}

TEST_P(OutcomeOfProfile, StatusesThatAreNoHttpSettleNothing) {
    for (const int status : {-500, -1, 0, 99, 600, 1000, 20000})
        EXPECT_EQ(classify(profile(), true, {AnswerKind::answered, status, {}}), kUncertain)
            << status;
}

TEST_P(OutcomeOfProfile, TheRowIsTheProfilesOwn) {
    EXPECT_EQ(outcome_row(profile()).profile, profile());
}

INSTANTIATE_TEST_SUITE_P(All, OutcomeOfProfile, testing::Range(0, kProfileCount),
                         [](const auto& tested) {
                             std::string name(name_of(static_cast<Profile>(tested.param)));
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

// Rulings 2: what `retention.refused` speaks of.
TEST(Outcome, A4xxIsARefusalUnlessItsServiceSaysThatItWasApplied) {
    const auto refused = [](int status, std::optional<Declared> declared = {}) {
        return is_refusal({AnswerKind::answered, status, declared});
    };
    EXPECT_FALSE(refused(399));
    EXPECT_TRUE(refused(400));
    EXPECT_TRUE(refused(499));
    EXPECT_FALSE(refused(500));
    EXPECT_FALSE(refused(402, Declared::applied));
    EXPECT_TRUE(refused(402, Declared::not_applied));
    EXPECT_FALSE(is_refusal({AnswerKind::no_answer, 402, {}}));
}

}  // namespace
}  // namespace pawl::policy
