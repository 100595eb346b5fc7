// SPDX-License-Identifier: Apache-2.0
#include "surface/api/given_answer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::api {
namespace {

using testing::HasSubstr;

record::Answer answer_of(std::string name, std::string body = {}) {
    return {.status = 201, .headers = {{std::move(name), "v"}}, .body = std::move(body)};
}

TEST(GivenAnswer, CarriesWhatAnUpstreamsMay) {
    policy::Route route;
    route.replay_headers = {"X-Order", "Set-Cookie"};
    for (const char* name : {"Content-Type", "location", "ETag", "X-Order"})
        EXPECT_TRUE(check_given(answer_of(name), &route)) << name;
    EXPECT_TRUE(check_given(answer_of("Location"), nullptr));
}

TEST(GivenAnswer, WithALineThatNoRepeatCarriesIsRefusedWithTheReason) {
    policy::Route route;
    route.replay_headers = {"Set-Cookie"};
    for (const char* name :
         {"Set-Cookie", "Date", "Transfer-Encoding", "Pawl-Outcome", "WWW-Authenticate"}) {
        const Status refused = check_given(answer_of(name), &route);
        ASSERT_FALSE(refused) << name;
        EXPECT_EQ(refused.error().code, Code::request_invalid);
        EXPECT_THAT(refused.error().text, HasSubstr(name));
        EXPECT_THAT(refused.error().text, HasSubstr("without that header"));
    }
    EXPECT_THAT(check_given(answer_of("Set-Cookie"), nullptr).error().text, HasSubstr("a cookie"));
}

TEST(GivenAnswer, WithALineThatTheRouteDoesNotAddIsRefusedWithTheRemedy) {
    const Status refused = check_given(answer_of("X-Order"), nullptr);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().text, HasSubstr("replay_headers"));
}

TEST(GivenAnswer, IsAsLargeAsTheRouteKeepsAndNotOneByteMore) {
    policy::Route route;
    route.answer_bytes_max = 100;
    EXPECT_TRUE(check_given(answer_of("ETag", std::string(100, 'x')), &route));
    const Status refused = check_given(answer_of("ETag", std::string(101, 'x')), &route);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::body_too_large);
    EXPECT_THAT(refused.error().text, HasSubstr("answer_bytes_max"));
    EXPECT_TRUE(check_given(answer_of("ETag", std::string(policy::kAnswerBytesMax, 'x')), nullptr));
    EXPECT_FALSE(
        check_given(answer_of("ETag", std::string(policy::kAnswerBytesMax + 1, 'x')), nullptr));
}

}  // namespace
}  // namespace pawl::api
