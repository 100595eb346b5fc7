// SPDX-License-Identifier: Apache-2.0
#include "core/record/wire.hpp"

#include <gtest/gtest.h>

#include <limits>

#include <boost/crc.hpp>

#include "core/record/crc32.hpp"

namespace pawl::record {
namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

std::string written(std::uint64_t value) {
    WireWriter out;
    out.number(value);
    return out.take();
}

TEST(Wire, NumbersTakeAsManyBytesAsTheyNeed) {
    EXPECT_EQ(written(0), "\0"sv);
    EXPECT_EQ(written(127), "\x7f"sv);
    EXPECT_EQ(written(128), "\x80\x01"sv);
    EXPECT_EQ(written(kMax).size(), 10U);
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128}, kMax - 1, kMax}) {
        const std::string bytes = written(value);
        WireReader in(bytes);
        EXPECT_EQ(in.number(), value);
        EXPECT_TRUE(in.at_end());
    }
}

TEST(Wire, WholeNumbersKeepTheirSign) {
    using Limits = std::numeric_limits<std::int64_t>;
    for (const std::int64_t value :
         {std::int64_t{0}, std::int64_t{-1}, Limits::min(), Limits::max()}) {
        WireWriter out;
        out.whole(value);
        const std::string bytes = out.take();
        WireReader in(bytes);
        EXPECT_EQ(in.whole(), value);
        EXPECT_TRUE(in.at_end());
    }
}

TEST(Wire, ANumberHasOneSpelling) {
    for (const std::string_view bytes : {
             ""sv,
             "\x80"sv,
             "\x80\x00"sv,                                  // a zero that is not needed
             "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"sv,  // one bit too many
             "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv,
         }) {
        WireReader in(bytes);
        EXPECT_EQ(in.number(), 0U);
        EXPECT_FALSE(in.fits());
    }
}

TEST(Wire, ALengthNeverReachesPastTheEnd) {
    WireReader in(
        "\x03"
        "ab"sv);
    EXPECT_EQ(in.text(), "");
    EXPECT_FALSE(in.fits());
    // Nothing fits any more, though two bytes are left.
    EXPECT_EQ(in.byte(), 0);
    EXPECT_EQ(in.digest(), Digest{});
    EXPECT_FALSE(in.at_end());
}

TEST(Crc32, EveryLengthHasTheSumThatBoostGives) {
    EXPECT_EQ(crc32("123456789"), 0xcbf43926U);  // the catalogue's check value
    std::string bytes;
    for (int size = 0; size < 300; ++size) {
        boost::crc_32_type sum;
        sum.process_bytes(bytes.data(), bytes.size());
        ASSERT_EQ(crc32(bytes), sum.checksum()) << size;
        bytes.push_back(static_cast<char>(size * 151 + 7));
    }
}

TEST(Wire, ASealNeedsSomethingToSeal) {
    WireWriter out;
    out.seal();
    EXPECT_EQ(unsealed(out.take()), "");
    out.byte(7);
    out.seal();
    const std::string bytes = out.take();
    EXPECT_EQ(unsealed(bytes), "\x07");
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_EQ(unsealed(std::string_view(bytes).substr(0, size)), "");
}

}  // namespace
}  // namespace pawl::record
