// SPDX-License-Identifier: Apache-2.0
// The signature under which an upstream reports an outcome by itself, in the manner of webhooks:
//
//   Pawl-Signature: t=1764000000,v1=5257a869…[,v1=…]
//
// t is the time of signing in seconds since 1970, v1 the HMAC-SHA-256, in hexadecimal, of `t.SUBJECT.BODY`: the bytes
// as they came, and what they are about, so that no report can be sent again about another operation. Several
// v1 let a secret be exchanged while both are in use. Members of other names are left alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/caller/timed_signature.hpp"
#include "runtime/result/result.hpp"

namespace pawl::caller {

inline constexpr std::string_view kSignatureHeader = "Pawl-Signature";
inline constexpr std::chrono::milliseconds kSignatureAgeMax = std::chrono::minutes{5};

// What goes into the header. Unit: `at_s` seconds since 1970.
std::string sign_report(std::string_view secret, std::string_view subject, std::string_view body,
                        std::int64_t at_s);

// Unit: `now_ms` since 1970. Errors: caller_unknown; the text says which part is wrong.
Status check_report_signature(std::string_view secret, std::string_view header,
                              std::string_view subject, std::string_view body, std::int64_t now_ms);

}  // namespace pawl::caller
