// SPDX-License-Identifier: Apache-2.0
// The signature of Standard Webhooks (standardwebhooks.com), as its senders make it and its receivers compare it: an
// HMAC-SHA256 over `id.timestamp.body`, written `v1,BASE64`.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pawl::callback {

// What is signed. `at` is the time in seconds since 1970, as it is written in the header.
std::string standard_bytes(std::string_view id, std::string_view at, std::string_view body);

// The value of `webhook-signature`: one `v1,BASE64` per secret, separated by blanks, so that a receiver that knows
// only the former secret accepts it too. The secrets are bytes (standard_secret of account.hpp).
std::string standard_signature(std::span<const std::string> secrets, std::string_view id,
                               std::int64_t at_s, std::string_view body);

}  // namespace pawl::callback
