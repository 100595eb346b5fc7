// SPDX-License-Identifier: Apache-2.0
// The header under which senders of webhooks sign, the way that Stripe made known: `t=1764000000,v1=5257…[,v1=…]`. t is
// the time of signing in seconds since 1970, each v1 a MAC by one of the secrets in use. Members of other names are
// left alone; a second t is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace pawl::caller {

inline constexpr std::size_t kSignaturesMax = 8;

struct TimedSignature {
    std::string_view time;  // as it was signed
    std::int64_t at_s = 0;
    std::vector<std::string_view> macs;  // one at least
};
// Shape: views of `header`. nullopt: not of the form, or more than kSignaturesMax v1.
std::optional<TimedSignature> parse_timed_signature(std::string_view header);

// Seconds since 1970, as digits: at most twelve. nullopt for anything else.
std::optional<std::int64_t> parse_seconds(std::string_view text);

// How far the clock is from the time of signing, before or behind.
std::int64_t apart_ms(std::int64_t now_ms, std::int64_t at_s);

}  // namespace pawl::caller
