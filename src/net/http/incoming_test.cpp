// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "net/http/incoming.hpp"

namespace pawl::http {
namespace {

void put(Incoming& in, std::size_t bytes_max, char c, std::size_t size) {
    const auto room = in.room(bytes_max);
    ASSERT_GE(room.size(), size);
    std::memset(room.data(), c, size);
    in.commit(size);
}

TEST(Incoming, KeepsItsBytesWhileItGrowsAndSlides) {
    Incoming in;
    std::string expected;
    for (int i = 0; i < 200; ++i) {
        const char c = static_cast<char>('a' + i % 26);
        const std::size_t size = std::min<std::size_t>(in.room(1U << 20).size(), 1000);
        put(in, 1U << 20, c, size);
        expected.append(size, c);
        if (i % 3 == 0) {
            in.consume(700);
            expected.erase(0, 700);
        }
        ASSERT_EQ(in.bytes(), expected);
    }
}

TEST(Incoming, HoldsNoMoreThanItsBoundAndReadsOnAfterRoomIsMade) {
    Incoming in;
    std::size_t held = 0;
    for (auto room = in.room(20'000); !room.empty(); room = in.room(20'000)) {
        held += room.size();
        in.commit(room.size());
    }
    EXPECT_EQ(held, 20'000U);
    EXPECT_EQ(in.bytes().size(), 20'000U);
    in.consume(1);
    EXPECT_EQ(in.room(20'000).size(), 1U);
}

TEST(Incoming, ReadsThatFillItMakeTheNextOnesLarger) {
    Incoming in;
    const std::size_t first = in.room(64U << 10).size();
    EXPECT_EQ(first, kFirstBufferBytes);
    in.commit(first);
    in.consume(first);
    EXPECT_EQ(in.room(64U << 10).size(), 2 * kFirstBufferBytes);
    in.commit(10);
    in.consume(10);
    EXPECT_EQ(in.room(64U << 10).size(), 2 * kFirstBufferBytes);
    in.slim();
    EXPECT_EQ(in.room(64U << 10).size(), kFirstBufferBytes);
}

TEST(Incoming, SlimmingKeepsWhatWaits) {
    Incoming in;
    in.commit(in.room(64U << 10).size());
    in.consume(in.bytes().size());
    put(in, 64U << 10, 'x', 10);
    in.slim();
    EXPECT_EQ(in.bytes(), std::string(10, 'x'));
}

}  // namespace
}  // namespace pawl::http
