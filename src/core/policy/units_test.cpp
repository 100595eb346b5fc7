// SPDX-License-Identifier: Apache-2.0
#include "core/policy/units.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::policy {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(Duration, IsAWholeNumberWithItsUnit) {
    EXPECT_EQ(parse_duration("500ms").value(), 500ms);
    EXPECT_EQ(parse_duration("10s").value(), 10s);
    EXPECT_EQ(parse_duration("30m").value(), 30min);
    EXPECT_EQ(parse_duration("24h").value(), 24h);
    EXPECT_EQ(parse_duration("400d").value(), 400 * 24h);
    EXPECT_EQ(parse_duration("0").value(), 0ms);
    EXPECT_EQ(parse_duration("0s").value(), 0ms);
}

TEST(Duration, AnythingElseIsRefusedWithAnExample) {
    for (const std::string_view text :
         {"", "10", "s", "10 s", "10S", "-1s", "+1s", "1.5s", "1m30s", "10sec", "1e3s", "0x1s"}) {
        const auto parsed = parse_duration(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_THAT(parsed.error().text, HasSubstr("as in `10s`")) << text;
    }
}

TEST(Duration, AHundredYearsAreTakenAndADayMoreIsNot) {
    EXPECT_EQ(parse_duration("36500d").value(), kDurationMax);
    EXPECT_FALSE(parse_duration("36501d"));
    EXPECT_FALSE(parse_duration("18446744073709551615d"));
    EXPECT_FALSE(parse_duration("99999999999999999999ms"));
}

TEST(Duration, IsPrintedInItsLargestWholeUnit) {
    EXPECT_EQ(format_duration(0ms), "0s");
    EXPECT_EQ(format_duration(1500ms), "1500ms");
    EXPECT_EQ(format_duration(90s), "90s");
    EXPECT_EQ(format_duration(600s), "10m");
    EXPECT_EQ(format_duration(24h), "1d");
    EXPECT_EQ(format_duration(25h), "25h");
    for (const auto value : {1ms, 999ms, 1000ms, 60'000ms, 61'000ms, 86'400'000ms, 86'401'000ms})
        EXPECT_EQ(parse_duration(format_duration(value)).value(), value);
}

TEST(Size, IsAWholeNumberWithItsUnit) {
    EXPECT_EQ(parse_size("0").value(), 0U);
    EXPECT_EQ(parse_size("512B").value(), 512U);
    EXPECT_EQ(parse_size("64KiB").value(), 65536U);
    EXPECT_EQ(parse_size("8MiB").value(), 8388608U);
    EXPECT_EQ(parse_size("1GiB").value(), 1073741824U);
    for (const std::string_view text : {"", "8", "8MB", "8M", "8 MiB", "-1B", "1.5MiB", "8mib"})
        EXPECT_FALSE(parse_size(text)) << text;
    EXPECT_TRUE(parse_size("1048576GiB"));
    EXPECT_FALSE(parse_size("1048577GiB"));
}

TEST(Size, IsPrintedInItsLargestWholeUnit) {
    EXPECT_EQ(format_size(0), "0B");
    EXPECT_EQ(format_size(1000), "1000B");
    EXPECT_EQ(format_size(1536), "1536B");
    EXPECT_EQ(format_size(8U << 20), "8MiB");
    for (const std::uint64_t value : {1ULL, 1024ULL, 65536ULL, 1ULL << 30, (1ULL << 30) + 1})
        EXPECT_EQ(parse_size(format_size(value)).value(), value);
}

}  // namespace
}  // namespace pawl::policy
