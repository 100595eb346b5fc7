// SPDX-License-Identifier: Apache-2.0
#include "core/caller/report_signature.hpp"

#include <charconv>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::caller {
namespace {

constexpr std::size_t kTimeDigitsMax = 12;

struct Parts {
    std::string_view time;
    std::vector<std::string_view> signatures;
};

std::optional<Parts> parts_of(std::string_view header) {
    Parts parts;
    while (!header.empty()) {
        std::string_view member = header.substr(0, header.find(','));
        header.remove_prefix(std::min(member.size() + 1, header.size()));
        while (member.starts_with(' ')) member.remove_prefix(1);
        while (member.ends_with(' ')) member.remove_suffix(1);
        if (member.starts_with("t=")) {
            if (!parts.time.empty()) return std::nullopt;
            parts.time = member.substr(2);
        }
        if (member.starts_with("v1=")) parts.signatures.push_back(member.substr(3));
    }
    const bool good = !parts.time.empty() && !parts.signatures.empty() &&
                      parts.signatures.size() <= kSignaturesMax;
    return good ? std::optional(parts) : std::nullopt;
}

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
    const auto parts = parts_of(header);
    std::int64_t at_s = -1;
    if (parts && parts->time.size() <= kTimeDigitsMax) {
        const char* const end = parts->time.data() + parts->time.size();
        const auto read = std::from_chars(parts->time.data(), end, at_s);
        if (read.ec != std::errc{} || read.ptr != end) at_s = -1;
    }
    if (at_s < 0)
        return fail(Code::caller_unknown,
                    fmt::format("{} is not of the form `t=SECONDS,v1=HEX`, with at most {} v1.",
                                kSignatureHeader, kSignaturesMax));
    const std::string mac = mac_of(secret, parts->time, subject, body);
    bool fits = false;
    for (const std::string_view given : parts->signatures)
        fits = equal_in_constant_time(given, mac) || fits;
    if (!fits)
        return fail(Code::caller_unknown,
                    "No v1 is the HMAC-SHA-256 of `t.OPERATION_REF.BODY` under this route's "
                    "secret, in small hexadecimal digits.");
    const std::int64_t apart_ms =
        now_ms > at_s * 1'000 ? now_ms - at_s * 1'000 : at_s * 1'000 - now_ms;
    if (apart_ms > kSignatureAgeMax.count())
        return fail(Code::caller_unknown,
                    fmt::format("The signature was made {} s from now; it is good for {} s. Sign "
                                "each sending anew, and look at both clocks.",
                                apart_ms / 1'000, kSignatureAgeMax.count() / 1'000));
    return {};
}

}  // namespace pawl::caller
