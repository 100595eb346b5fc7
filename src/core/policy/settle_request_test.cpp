// SPDX-License-Identifier: Apache-2.0
#include "core/policy/settle_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::policy {
namespace {

using testing::HasSubstr;

TEST(SettleRequest, NamesAreFilledInPercentEncoded) {
    const auto request =
        SettleRequest::parse("POST /close/{operation_key}?ref={operation_ref}&k={key}");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->method(), "POST");
    EXPECT_EQ(request->target({"ab12", "op_x-y", "a/b ?\xc3\xa4"}),
              "/close/ab12?ref=op_x-y&k=a%2Fb%20%3F%C3%A4");
}

TEST(SettleRequest, TakesTheFourMethodsThatCanAsk) {
    for (const std::string_view method : {"GET", "HEAD", "POST", "PUT"})
        EXPECT_TRUE(SettleRequest::parse(std::string(method) + " /{key}{operation_ref}")) << method;
}

TEST(SettleRequest, OnlyUnreservedCharactersStayInAName) {
    const auto request = SettleRequest::parse("GET /{key}");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->target({"", "", "aZz{AB9-._~+@[`\x01"}), "/aZz%7BAB9-._~%2B%40%5B%60%01");
}

TEST(SettleRequest, AKeyCannotLeaveItsSegment) {
    const auto request = SettleRequest::parse("GET /o/{key}");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->target({"", "", "../admin#"}), "/o/..%2Fadmin%23");
}

TEST(SettleRequest, MistakesAreToldApart) {
    struct Row {
        std::string_view text, said;
    };
    for (const Row& row :
         {Row{"/orders/{key}", "METHOD /path"}, Row{"GET  /x/{key}", "METHOD /path"},
          Row{"DELETE /x/{key}", "not GET"}, Row{"GET x/{key}", "begin with"},
          Row{"GET /x/{order}", "not known"}, Row{"GET /x/{key", "not known"},
          Row{"GET /x/}/{key}", "cannot have"}, Row{"GET /x", "names no operation"},
          Row{"GET /x#{key}", "cannot have"}, Row{"GET /x\t{key}", "cannot have"},
          Row{"GET /x\xc3\xa4{key}", "cannot have"}, Row{"GET /x\x7f{key}", "cannot have"},
          Row{"", "METHOD /path"}}) {
        const auto request = SettleRequest::parse(row.text);
        ASSERT_FALSE(request) << row.text;
        EXPECT_THAT(request.error().text, HasSubstr(row.said)) << row.text;
    }
}

}  // namespace
}  // namespace pawl::policy
