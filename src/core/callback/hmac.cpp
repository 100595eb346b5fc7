// SPDX-License-Identifier: Apache-2.0
// Any sender that signs its body with an HMAC-SHA256 in a header: over the body alone, or over `TIME.BODY` with the
// time in a header of its own. Where the body alone is signed, an old notification can be played again for ever: it
// says a fact that is known.
#include <fmt/format.h>

#include "core/callback/proof.hpp"
#include "core/callback/providers.hpp"
#include "core/caller/timed_signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::callback {
namespace {

std::unexpected<Refusal> malformed(std::string_view header) {
    return refuse(Refusal::Reason::not_authentic,
                  fmt::format("{} is not of the form that this account is set up for.", header));
}

std::expected<void, Refusal> verify(const HmacAccount& account, const Notification& notification,
                                    std::int64_t now_ms) {
    auto given = required_header(notification, account.signature_header);
    if (!given) return std::unexpected(given.error());
    if (!given->starts_with(account.signature_prefix)) return malformed(account.signature_header);
    given->remove_prefix(account.signature_prefix.size());
    const bool hex = account.encoding == HmacAccount::Encoding::hex;
    const auto mac = hex ? from_hex(*given) : from_base64(*given);
    if (!mac) return malformed(account.signature_header);

    std::string bytes = notification.body;
    std::optional<std::int64_t> at_s;
    if (!account.time_header.empty()) {
        const auto time = required_header(notification, account.time_header);
        if (!time) return std::unexpected(time.error());
        at_s = caller::parse_seconds(*time);
        if (!at_s) return malformed(account.time_header);
        bytes = fmt::format("{}.{}", *time, notification.body);
    }
    const std::string_view macs[] = {*mac};
    const auto as_it_is = [](std::string_view made) { return std::string(made); };
    if (!any_secret_made(account.secrets, bytes, macs, as_it_is))
        return refuse(Refusal::Reason::not_authentic,
                      fmt::format("{} was made by no secret of this account, or over other bytes.",
                                  account.signature_header));
    if (at_s) return in_time(*at_s, now_ms, account.tolerance);
    return {};
}

}  // namespace

Read read_hmac(const HmacAccount& account, const Notification& notification, std::int64_t now_ms) {
    if (auto verified = verify(account, notification, now_ms); !verified)
        return std::unexpected(std::move(verified.error()));
    Reading reading;
    JsonMembers members(notification.body, "notification");
    reading.event_id = members.name(account.event_id);
    read_mapped(account.mapping, members, reading);
    return reading;
}

}  // namespace pawl::callback
