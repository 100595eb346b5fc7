// SPDX-License-Identifier: Apache-2.0
// The two questions to a provider's adapter: what does this notification say, and what is the provider to be answered.
// Values and functions: the clock is given, keys come parsed, nothing is remembered here.
//
//   provider           what is signed                        by                      time   remembered
//   wechat             time \n nonce \n body \n              RSA-SHA256, by serial   5 min  48 h
//   alipay             sorted parameters but sign, sign_type RSA-SHA256 (RSA2)       -      48 h
//   stripe             time . body                           HMAC-SHA256             5 min  30 d
//   standard_webhooks  id . time . body                      HMAC-SHA256             5 min  7 d
//   hmac               body, or time . body                  HMAC-SHA256             as configured
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "core/callback/account.hpp"
#include "core/callback/fact.hpp"
#include "core/callback/notification.hpp"

namespace pawl::callback {

// The signature over the bytes as they came, before anything else is read of them. Unit: `now_ms` since 1970.
// Precondition: the account passed check().
std::expected<Reading, Refusal> verify_and_read(const Account& account,
                                                const Notification& notification,
                                                std::int64_t now_ms);

// What became of a notification. Sent again, the same one may have another.
enum class Outcome : std::uint8_t {
    applied,
    seen,           // told before
    stored,         // durably: applied later, parked, or for people
    ignored,        // says nothing about money here
    failed,         // nothing was kept: it has to come again
    not_authentic,  // so says verify_and_read()
};
inline constexpr int kOutcomeCount = 6;
std::string_view name_of(Outcome outcome);
Outcome outcome_of(Refusal::Reason reason);

struct Acknowledgement {
    int status = 200;
    std::vector<Header> headers;
    std::string body;
};
// In the provider's own words: it takes anything else as not received, or, worse, as received.
Acknowledgement acknowledge(const Account& account, Outcome outcome);

// How long a notification's id is kept at least: longer than the provider repeats it.
std::chrono::milliseconds memory_of(const Account& account);

}  // namespace pawl::callback
