// SPDX-License-Identifier: Apache-2.0
// The steps that every provider's verification is made of. Each answers the refusal, or nothing when the step is
// passed.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/callback/fact.hpp"
#include "core/callback/notification.hpp"

namespace pawl::callback {

std::unexpected<Refusal> refuse(Refusal::Reason reason, std::string text);

// A header that has to be there once. Shape: a view of the notification.
std::expected<std::string_view, Refusal> required_header(const Notification& notification,
                                                         std::string_view name);

// Before or behind `now_ms` by the tolerance at most.
std::expected<void, Refusal> in_time(std::int64_t at_s, std::int64_t now_ms,
                                     std::chrono::milliseconds tolerance);

// Whether one of the secrets made one of the MACs over the bytes. Every pair is compared, in constant time.
// `written`: how a MAC's bytes are spelled by the provider.
bool any_secret_made(std::span<const std::string> secrets, std::string_view bytes,
                     std::span<const std::string_view> macs,
                     const std::function<std::string(std::string_view)>& written);

}  // namespace pawl::callback
