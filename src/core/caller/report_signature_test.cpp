// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/caller/report_signature.hpp"

namespace pawl::caller {
namespace {

constexpr std::string_view kSecret = "a secret of the upstream's, long enough";
constexpr std::string_view kRef = "op_23N0XnzkLiXGMdXyhjRmIEBU5kxqy2tpt-p6C1dATgM";
constexpr std::string_view kBody = R"({"fence":"7","outcome":"applied"})";
constexpr std::int64_t kNowS = 1'764'000'000;
constexpr std::int64_t kNowMs = kNowS * 1'000;

Status check(const std::string& header, std::int64_t now_ms = kNowMs) {
    return check_report_signature(kSecret, header, kRef, kBody, now_ms);
}
std::string good() { return sign_report(kSecret, kRef, kBody, kNowS); }

// Made with: printf '%s' "1764000000.$REF.$BODY" | openssl dgst -sha256 -hmac "$SECRET"
TEST(ReportSignature, IsWhatOpensslMakes) {
    EXPECT_EQ(good(),
              "t=1764000000,v1=8772137b082dbc7cce62c3a17fe4ce582dfc97ef5704bc092974317367ae0284");
    EXPECT_TRUE(check(good()));
}

TEST(ReportSignature, IsOfTheseBytesThisOperationThisSecretAndThisTime) {
    EXPECT_TRUE(check_report_signature(kSecret, good(), kRef, kBody, kNowMs));
    EXPECT_FALSE(
        check_report_signature("another secret, which is long", good(), kRef, kBody, kNowMs));
    EXPECT_FALSE(check_report_signature(kSecret, good(), "op_another", kBody, kNowMs));
    EXPECT_FALSE(check_report_signature(kSecret, good(), kRef, std::string(kBody) + " ", kNowMs));
    std::string later = good();
    later.replace(2, 10, "1764000001");
    EXPECT_FALSE(check(later));
}

TEST(ReportSignature, IsGoodForFiveMinutesBeforeAndAfter) {
    const std::int64_t age = kSignatureAgeMax.count();
    EXPECT_TRUE(check(good(), kNowMs + age));
    EXPECT_FALSE(check(good(), kNowMs + age + 1));
    EXPECT_TRUE(check(good(), kNowMs - age));
    EXPECT_FALSE(check(good(), kNowMs - age - 1));
}

TEST(ReportSignature, OneOfSeveralIsEnough) {
    const std::string mac = good().substr(good().find("v1="));
    EXPECT_TRUE(check("t=1764000000,v1=00," + mac));
    EXPECT_TRUE(check("t=1764000000, " + mac + " ,v2=00,x=1"));
    std::string most = "t=1764000000," + mac;
    for (std::size_t i = 1; i < kSignaturesMax; ++i) most += ",v1=00";
    EXPECT_TRUE(check(most));
    EXPECT_FALSE(check(most + ",v1=00"));
}

TEST(ReportSignature, WhatIsNoSignatureIsNone) {
    const std::string mac = good().substr(good().find("v1="));
    for (const std::string& bad :
         {std::string(), std::string("t=1764000000"), mac, std::string("t=,v1="), "t=-1," + mac,
          "t=1764000000x," + mac, "t=1764000000000," + mac, "t=1764000000,t=1764000000," + mac,
          std::string("t=1764000000,v1=")}) {
        const auto checked = check(bad);
        ASSERT_FALSE(checked) << bad;
        EXPECT_EQ(checked.error().code, Code::caller_unknown);
    }
}

}  // namespace
}  // namespace pawl::caller
