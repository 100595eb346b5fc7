// SPDX-License-Identifier: Apache-2.0
// Who a JSON Web Token speaks for (RFC 7519, signed in compact form). What it says of itself is not believed:
// the algorithm is the configured key's, `exp` is required, `crit` is not understood and therefore refused, and a
// name twice in one object is no JSON here.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/codec/signature.hpp"
#include "runtime/result/result.hpp"

namespace pawl::caller {

inline constexpr std::size_t kTokenBytesMax = 8192;
inline constexpr std::size_t kHs256SecretBytesMin = 32;  // RFC 7518, 3.2
inline constexpr std::chrono::milliseconds kSkewMax =
    std::chrono::minutes(5);  // longer, and an expired token is no expired token
inline constexpr std::size_t kAudiencesMax = 32;  // of one token

struct JwtRule {
    enum class Algorithm : std::uint8_t { hs256, rs256, es256 };
    Algorithm algorithm = Algorithm::rs256;
    std::string secret;            // hs256
    std::optional<PublicKey> key;  // rs256, es256: of the kind that the algorithm needs
    std::string issuer;            // empty: any
    std::string audience;          // empty: any
    std::string claim = "sub";     // the member that names the caller
    std::chrono::milliseconds skew = std::chrono::seconds(30);
};

std::string_view name_of(JwtRule::Algorithm algorithm);

// Units: `now_ms` since 1970. Errors: caller_unknown; the text says which check failed and shows nothing of the
// token.
Result<std::string> caller_in_jwt(std::string_view token, const JwtRule& rule, std::int64_t now_ms);
// The same for another member, "org".
Result<std::string> name_in_jwt(std::string_view token, const JwtRule& rule,
                                const std::string& claim, std::int64_t now_ms);

}  // namespace pawl::caller
