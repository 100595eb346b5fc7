// SPDX-License-Identifier: Apache-2.0
// Standard Webhooks (standardwebhooks.com): `webhook-id`, `webhook-timestamp`, and in `webhook-signature` one or more
// `v1,BASE64` separated by blanks, each an HMAC-SHA256 over `id.timestamp.body`. Other versions (v1a: Ed25519) are
// left alone. What the body says is the sender's own, and mapped by JSON paths.
#include <vector>

#include "core/callback/proof.hpp"
#include "core/callback/providers.hpp"
#include "core/callback/standard_signature.hpp"
#include "core/caller/timed_signature.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::callback {
namespace {

std::vector<std::string_view> macs_of(std::string_view header) {
    std::vector<std::string_view> macs;
    while (!header.empty()) {
        const std::string_view word = header.substr(0, header.find(' '));
        header.remove_prefix(std::min(word.size() + 1, header.size()));
        if (word.starts_with("v1,")) macs.push_back(word.substr(3));
    }
    return macs;
}

}  // namespace

Read read_standard_webhooks(const StandardWebhooksAccount& account,
                            const Notification& notification, std::int64_t now_ms) {
    const auto event_id = required_header(notification, "webhook-id");
    if (!event_id) return std::unexpected(event_id.error());
    const auto time = required_header(notification, "webhook-timestamp");
    if (!time) return std::unexpected(time.error());
    const auto signature = required_header(notification, "webhook-signature");
    if (!signature) return std::unexpected(signature.error());
    const auto at_s = caller::parse_seconds(*time);
    const auto macs = macs_of(*signature);
    if (event_id->empty() || !at_s || macs.empty() || macs.size() > caller::kSignaturesMax)
        return refuse(Refusal::Reason::not_authentic,
                      "The webhook- headers are not an id, seconds and `v1,BASE64`.");
    const std::string bytes = standard_bytes(*event_id, *time, notification.body);
    if (!is_planted(Plant::forged_is_believed) &&
        !any_secret_made(account.secrets, bytes, macs, to_base64))
        return refuse(Refusal::Reason::not_authentic,
                      "No v1 of webhook-signature was made by a secret of this account.");
    if (auto timely = in_time(*at_s, now_ms, kToleranceDefault); !timely)
        return std::unexpected(std::move(timely.error()));

    Reading reading;
    reading.event_id = *event_id;
    JsonMembers members(notification.body, "webhook");
    read_mapped(account.mapping, members, reading);
    return reading;
}

}  // namespace pawl::callback
