// SPDX-License-Identifier: Apache-2.0
// How long what a station prints, or a scanner makes, is good for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

using std::chrono::milliseconds;

std::vector<std::string> said_of(milliseconds valid, milliseconds skew = kTokenSkew) {
    Definition flow = box_flow();
    named(flow.events, "pack").token->valid = valid;
    named(flow.events, "pack").token->skew = skew;
    return said(flow);
}

TEST(CheckTokens, AreValidForADayAtMost) {
    EXPECT_THAT(said_of(1ms), testing::IsEmpty());
    EXPECT_THAT(said_of(kTokenValidMax), testing::IsEmpty());
    EXPECT_THAT(
        said_of(kTokenValidMax + 1ms),
        testing::ElementsAre("error events.pack.token.valid: a token of `pack` is valid for "
                             "86400001ms; write from `valid: 1ms` to `valid: 1d`; 30s is "
                             "what a scan takes"));
    EXPECT_THAT(said_of(0ms), testing::ElementsAre(testing::HasSubstr("events.pack.token.valid")));
}

TEST(CheckTokens, MayComeAnHourBeforeTheirTimeAtMost) {
    EXPECT_THAT(said_of(30s, 0ms), testing::IsEmpty());
    EXPECT_THAT(said_of(30s, kTokenSkewMax), testing::IsEmpty());
    EXPECT_THAT(said_of(30s, kTokenSkewMax + 1ms),
                testing::ElementsAre("error events.pack.token.skew: a token of `pack` may come "
                                     "3600001ms before its time; write `skew: 1h` at most, and set "
                                     "the stations' clocks"));
}

}  // namespace
}  // namespace pawl::flow
