// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/admin_answer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::cli {
namespace {

using testing::HasSubstr;

http::Response answer(int status, std::string body, bool marked) {
    http::Response response;
    response.status = status;
    response.body = std::move(body);
    if (marked) response.headers.emplace_back("pawl-admin", "v1");
    return response;
}

std::string refusal(const http::Response& response) {
    const auto document = admin_document(response, "127.0.0.1:3000", "records");
    if (document) return "believed";
    EXPECT_EQ(document.error().code, Code::request_invalid);
    return document.error().text;
}

constexpr const char* kProblem = R"({"type":"urn:pawl:problem:not_found","code":"not_found"})";

TEST(AdminAnswer, OfTheAdminPortIsTaken) {
    EXPECT_EQ(refusal(answer(200, R"({"records":[]})", true)), "believed");
    EXPECT_EQ(refusal(answer(404, kProblem, true)), "believed");
}

TEST(AdminAnswer, OfAnybodyElseIsNot) {
    for (const http::Response& response :
         {answer(200, "", false), answer(200, "<html>", false), answer(200, "[]", false),
          answer(200, "{}", false), answer(200, R"({"records":[]})", false),
          answer(404, R"({"code":"not_found"})", false), answer(500, "{}", false),
          answer(204, "", false), answer(200, "{}", true), answer(302, R"({"records":[]})", true),
          answer(500, R"({"type":"about:blank","code":"x"})", true)})
        EXPECT_THAT(refusal(response),
                    HasSubstr("what answers at 127.0.0.1:3000 is not Pawl's admin port"))
            << response.status << ' ' << response.body;
}

TEST(AdminAnswer, OfThePortForRequestsIsToldApart) {
    EXPECT_THAT(refusal(answer(404, kProblem, false)), HasSubstr("is Pawl's port for requests"));
}

}  // namespace
}  // namespace pawl::cli
