// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gateway/trace.hpp"

namespace pawl::gateway {
namespace {

// The example of the W3C recommendation, section 3.2.
constexpr std::string_view kExample = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

TEST(Trace, GoesOnUnderItsIdWithASpanOfOurOwn) {
    SeededEntropy entropy(1);
    const Trace trace = continue_trace(kExample, entropy);
    EXPECT_EQ(trace.id, "4bf92f3577b34da6a3ce929d0e0e4736");
    EXPECT_TRUE(trace.traceparent.starts_with("00-4bf92f3577b34da6a3ce929d0e0e4736-"));
    EXPECT_TRUE(trace.traceparent.ends_with("-00"));
    EXPECT_NE(trace.traceparent, kExample);
}

TEST(Trace, BeginsAnewWhereTheHeaderIsAbsentOrMalformed) {
    SeededEntropy entropy(1);
    for (const std::string_view bad :
         {"", "00-", "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
          "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
          "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
          "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
          "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more"}) {
        const Trace trace = continue_trace(bad, entropy);
        EXPECT_NE(trace.id, "4bf92f3577b34da6a3ce929d0e0e4736") << bad;
        EXPECT_EQ(trace.id.size(), 32U);
        EXPECT_EQ(trace.traceparent.size(), 55U);
    }
}

}  // namespace
}  // namespace pawl::gateway
