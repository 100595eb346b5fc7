// SPDX-License-Identifier: Apache-2.0
#include "core/callback/proof.hpp"

#include <fmt/format.h>

#include "core/caller/timed_signature.hpp"
#include "runtime/codec/signature.hpp"

namespace pawl::callback {

std::unexpected<Refusal> refuse(Refusal::Reason reason, std::string text) {
    return std::unexpected(Refusal{reason, std::move(text)});
}

std::expected<std::string_view, Refusal> required_header(const Notification& notification,
                                                         std::string_view name) {
    const HeaderLine line = header_line(notification, name);
    switch (line.found) {
        case HeaderLine::Found::once:
            return line.value;
        case HeaderLine::Found::never:
            return refuse(Refusal::Reason::not_authentic,
                          fmt::format("The header {} is missing.", name));
        case HeaderLine::Found::repeated:
            break;
    }
    return refuse(Refusal::Reason::not_authentic,
                  fmt::format("The header {} comes more than once.", name));
}

std::expected<void, Refusal> in_time(std::int64_t at_s, std::int64_t now_ms,
                                     std::chrono::milliseconds tolerance) {
    const std::int64_t apart = caller::apart_ms(now_ms, at_s);
    if (apart <= tolerance.count()) return {};
    return refuse(Refusal::Reason::out_of_time,
                  fmt::format("The signature was made {} s from now; it is good for {} s. Look at "
                              "this node's clock.",
                              apart / 1'000, tolerance.count() / 1'000));
}

bool any_secret_made(std::span<const std::string> secrets, std::string_view bytes,
                     std::span<const std::string_view> macs,
                     const std::function<std::string(std::string_view)>& written) {
    bool made = false;
    for (const std::string& secret : secrets) {
        const std::string mac = written(hmac_sha256(secret, bytes).view());
        for (const std::string_view given : macs) made = equal_in_constant_time(given, mac) || made;
    }
    return made;
}

}  // namespace pawl::callback
