// SPDX-License-Identifier: Apache-2.0
#include "core/caller/report_signature.hpp"

#include <fmt/format.h>

#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::caller {
namespace {

std::string mac_of(std::string_view secret, std::string_view time, std::string_view subject,
                   std::string_view body) {
    std::string bytes;
    bytes.reserve(time.size() + subject.size() + body.size() + 2);
    bytes.append(time).append(".").append(subject).append(".").append(body);
    return to_hex(hmac_sha256(secret, bytes).view());
}

}  // namespace

std::string sign_report(std::string_view secret, std::string_view subject, std::string_view body,
                        std::int64_t at_s) {
    const std::string time = std::to_string(at_s);
    return fmt::format("t={},v1={}", time, mac_of(secret, time, subject, body));
}

Status check_report_signature(std::string_view secret, std::string_view header,
                              std::string_view subject, std::string_view body,
                              std::int64_t now_ms) {
    const auto signature = parse_timed_signature(header);
    if (!signature)
        return fail(Code::caller_unknown,
                    fmt::format("{} is not of the form `t=SECONDS,v1=HEX`, with at most {} v1.",
                                kSignatureHeader, kSignaturesMax));
    const std::string mac = mac_of(secret, signature->time, subject, body);
    bool fits = false;
    for (const std::string_view given : signature->macs)
        fits = equal_in_constant_time(given, mac) || fits;
    if (!fits)
        return fail(Code::caller_unknown,
                    "No v1 is the HMAC-SHA-256 of `t.OPERATION_REF.BODY` under this route's "
                    "secret, in small hexadecimal digits.");
    const std::int64_t apart = apart_ms(now_ms, signature->at_s);
    if (apart > kSignatureAgeMax.count())
        return fail(Code::caller_unknown,
                    fmt::format("The signature was made {} s from now; it is good for {} s. Sign "
                                "each sending anew, and look at both clocks.",
                                apart / 1'000, kSignatureAgeMax.count() / 1'000));
    return {};
}

}  // namespace pawl::caller
