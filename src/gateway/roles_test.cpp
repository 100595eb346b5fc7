// SPDX-License-Identifier: Apache-2.0
#include "gateway/roles.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::gateway {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view kSecret = "a secret of thirty-two bytes, 32";
constexpr std::int64_t kNow = 1'800'000'000'000;

caller::Callers callers() {
    caller::Callers callers;
    caller::JwtIssuer issuer{"Authorization", {}};
    issuer.rule.algorithm = caller::JwtRule::Algorithm::hs256;
    issuer.rule.secret = kSecret;
    callers.issuers.emplace("main", std::move(issuer));
    return callers;
}

http::RequestHead with_token(std::string_view roles, std::string_view secret = kSecret) {
    const std::string said =
        to_base64url(R"({"alg":"HS256"})") + "." +
        to_base64url(fmt::format(R"({{"sub":"ada","exp":1800000001,"roles":{}}})", roles));
    http::RequestHead head;
    head.headers.emplace_back(
        "Authorization", "Bearer " + said + "." + to_base64url(hmac_sha256(secret, said).view()));
    return head;
}

std::vector<policy::RoleRule> rules() {
    return {{"support", {"ann", "bob"}, {}, {}, {}},
            {"warehouse", {"cleo"}, "main", "roles", "packer"}};
}

TEST(Roles, AreGivenByNameOrByToken) {
    const auto of = [](const http::RequestHead& head, std::string_view caller) {
        return roles_of(callers(), rules(), head, caller, kNow);
    };
    EXPECT_EQ(of({}, "ann"), Names{"support"});
    EXPECT_EQ(of({}, "cleo"), Names{"warehouse"});
    EXPECT_EQ(of({}, "dora"), Names{});
    EXPECT_EQ(of({}, ""), Names{});
    EXPECT_EQ(of(with_token(R"(["packer"])"), "ann"), (Names{"support", "warehouse"}));
    EXPECT_EQ(of(with_token(R"("packer")"), ""), Names{"warehouse"});
    EXPECT_EQ(of(with_token(R"(["packers"])"), ""), Names{});
}

TEST(Roles, ATokenThatIsNotBelievedGivesNone) {
    const auto of = [](const http::RequestHead& head) {
        return roles_of(callers(), rules(), head, "", kNow);
    };
    EXPECT_EQ(of(with_token(R"(["packer"])", "another secret of 32 bytes, here")), Names{});
    http::RequestHead two = with_token(R"(["packer"])");
    two.headers.push_back(two.headers.front());
    EXPECT_EQ(of(two), Names{}) << "of two tokens nobody knows which counts";
    EXPECT_EQ(roles_of({}, rules(), with_token(R"(["packer"])"), "", kNow), Names{});
}

}  // namespace
}  // namespace pawl::gateway
