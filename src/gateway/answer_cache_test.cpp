// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gateway/answer_cache.hpp"

namespace pawl::gateway {
namespace {

Digest name_of(int n) { return sha256(std::to_string(n)); }

CachedResult result_of(int n, std::size_t body_bytes = 1000) {
    CachedResult result;
    result.settled.status = n;
    auto answer = std::make_shared<record::Answer>();
    answer->body.assign(body_bytes, 'x');
    result.answer = std::move(answer);
    return result;
}

TEST(AnswerCache, FindsWhatWasPutAndNothingElse) {
    AnswerCache cache(100'000);
    cache.put(name_of(1), result_of(201));
    ASSERT_NE(cache.find(name_of(1)), nullptr);
    EXPECT_EQ(cache.find(name_of(1))->settled.status, 201);
    EXPECT_EQ(cache.find(name_of(2)), nullptr);
    cache.drop(name_of(1));
    EXPECT_EQ(cache.find(name_of(1)), nullptr);
    EXPECT_EQ(cache.bytes(), 0U);
}

TEST(AnswerCache, NeverHoldsMoreBytesThanItsBound) {
    AnswerCache cache(100'000);
    for (int n = 0; n < 10'000; ++n) {
        cache.put(name_of(n), result_of(n));
        ASSERT_LE(cache.bytes(), 100'000U);
    }
    EXPECT_GT(cache.entries(), 20U);
}

TEST(AnswerCache, CountsEveryHeaderLineAndItsWords) {
    const auto bytes_with = [](std::size_t lines, std::size_t length) {
        AnswerCache cache(1'000'000);
        CachedResult result = result_of(1, 0);
        auto answer = std::make_shared<record::Answer>();
        for (std::size_t i = 0; i < lines; ++i)
            answer->headers.emplace_back(std::string(length, 'n'), std::string(length, 'v'));
        result.answer = std::move(answer);
        cache.put(name_of(1), std::move(result));
        return cache.bytes();
    };
    const std::size_t bare = bytes_with(0, 0);
    EXPECT_GE(bare, sizeof(CachedResult) + sizeof(record::Answer) + 2 * sizeof(Digest));
    EXPECT_GE(bytes_with(8, 1), bare + 8 * 2 * sizeof(std::string));
    EXPECT_GE(bytes_with(8, 100), bytes_with(8, 1) + 8 * 2 * 100);
}

TEST(AnswerCache, RemembersNoMoreNamesThanItHoldsAnswersAndCountsThem) {
    AnswerCache cache(100'000);
    for (int n = 0; n < 10'000; ++n) {
        cache.put(name_of(n), result_of(n));
        ASSERT_LE(cache.ghosts(), cache.entries());
    }
    ASSERT_GT(cache.ghosts(), 0U);
    const std::size_t ghosts = cache.ghosts();
    for (int n = 0; n < 10'000; ++n) cache.drop(name_of(n));
    EXPECT_EQ(cache.entries(), 0U);
    EXPECT_EQ(cache.bytes(), ghosts * AnswerCache::kGhostBytes);
}

TEST(AnswerCache, KeepsWhatIsAskedForWhileOneTimeKeysPassThrough) {
    AnswerCache cache(100'000);
    cache.put(name_of(-1), result_of(7));
    for (int n = 0; n < 10'000; ++n) {
        if (n % 10 == 0) {
            ASSERT_NE(cache.find(name_of(-1)), nullptr) << n;
        }
        cache.put(name_of(n), result_of(n));
    }
}

TEST(AnswerCache, AReplacedEntryIsTheNewOneAndIsCountedOnce) {
    AnswerCache cache(100'000);
    for (int n = 0; n < 100'000; ++n) cache.put(name_of(1), result_of(n, 10));
    EXPECT_EQ(cache.entries(), 1U);
    EXPECT_EQ(cache.find(name_of(1))->settled.status, 99'999);
    EXPECT_LT(cache.bytes(), 2'000U);
}

TEST(AnswerCache, DoesNotTakeWhatWouldPushOutEverythingElse) {
    AnswerCache cache(100'000);
    cache.put(name_of(1), result_of(1, 50'000));
    EXPECT_EQ(cache.find(name_of(1)), nullptr);
}

}  // namespace
}  // namespace pawl::gateway
