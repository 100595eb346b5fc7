// SPDX-License-Identifier: Apache-2.0
// Any bytes as a token; and any header and payload, signed with the right secret, so that what lies behind the
// signature is reached. A token that is believed names a caller, runs out, and is nobody else's.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/caller/caller_name.hpp"
#include "core/caller/callers.hpp"
#include "core/key/json.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/result/assert.hpp"

namespace {

using namespace pawl::caller;

constexpr std::int64_t kNow = 1'800'000'000'000;
constexpr std::int64_t kLongAfter = 253'402'300'799'000 + 3'600'000;  // the year 10000
constexpr std::string_view kSecret = "a secret of thirty-two bytes, 32";

JwtRule rule_of(std::uint8_t choice) {
    JwtRule rule;
    rule.algorithm = JwtRule::Algorithm::hs256;
    rule.secret = kSecret;
    if ((choice & 1U) != 0) rule.issuer = "test";
    if ((choice & 2U) != 0) rule.audience = "shop";
    if ((choice & 4U) != 0) rule.claim = "account";
    return rule;
}

void judge(const std::string& token, const JwtRule& rule) {
    const auto caller = caller_in_jwt(token, rule, kNow);
    if (!caller) {
        PAWL_ASSERT(caller.error().code == pawl::Code::caller_unknown &&
                    !caller.error().text.empty());
        return;
    }
    PAWL_ASSERT(is_caller_name(*caller) && token.size() <= kTokenBytesMax);
    PAWL_ASSERT(!caller_in_jwt(token, rule, kLongAfter));
    JwtRule other = rule;
    other.secret.back() = '!';
    PAWL_ASSERT(!caller_in_jwt(token, other, kNow));
    other = rule;
    other.issuer = "nobody";
    PAWL_ASSERT(!caller_in_jwt(token, other, kNow) || rule.issuer == "nobody");
    other.algorithm = JwtRule::Algorithm::rs256;
    PAWL_ASSERT(!caller_in_jwt(token, other, kNow));
    std::string changed = token;
    changed.front() = changed.front() == 'A' ? 'B' : 'A';
    PAWL_ASSERT(!caller_in_jwt(changed, rule, kNow));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    const JwtRule rule = rule_of(bytes[0]);
    const std::string_view input(reinterpret_cast<const char*>(bytes) + 1, size - 1);
    judge(std::string(input), rule);
    const std::size_t line = std::min(input.find('\n'), input.size());
    const std::string said = pawl::to_base64url(input.substr(0, line)) + "." +
                             pawl::to_base64url(input.substr(std::min(line + 1, input.size())));
    judge(said + "." + pawl::to_base64url(pawl::hmac_sha256(kSecret, said).view()), rule);
    return 0;
}
