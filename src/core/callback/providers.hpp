// SPDX-License-Identifier: Apache-2.0
// The adapters, one file each. Every one verifies first and reads then; what they have in common about facts is judged
// once, behind them.
#pragma once

#include <cstdint>
#include <expected>

#include "core/callback/account.hpp"
#include "core/callback/json_members.hpp"
#include "core/callback/notification.hpp"

namespace pawl::callback {

using Read = std::expected<Reading, Refusal>;

Read read_wechat(const WechatAccount& account, const Notification& notification,
                 std::int64_t now_ms);
Read read_alipay(const AlipayAccount& account, const Notification& notification);
Read read_stripe(const StripeAccount& account, const Notification& notification,
                 std::int64_t now_ms);
Read read_standard_webhooks(const StandardWebhooksAccount& account,
                            const Notification& notification, std::int64_t now_ms);
Read read_hmac(const HmacAccount& account, const Notification& notification, std::int64_t now_ms);

// What the members say, by the mapping; all of the reading but its id.
void read_mapped(const JsonMapping& mapping, JsonMembers& members, Reading& reading);

// The news is nothing, or for people, and why.
Reading& ignore(Reading& reading, std::string why);
Reading& call_people(Reading& reading, std::string why);

}  // namespace pawl::callback
