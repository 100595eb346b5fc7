// SPDX-License-Identifier: Apache-2.0
// The defaults of routes, each a named number. Sources: rulings 2, 9 and 12.
#pragma once

#include <chrono>
#include <cstddef>

namespace pawl::policy {

using namespace std::chrono_literals;

inline constexpr std::chrono::milliseconds kWait = 10s;
inline constexpr std::chrono::milliseconds kLease = 30s;
inline constexpr std::chrono::milliseconds kRenewal = 10s;  // a third of the lease
inline constexpr std::chrono::milliseconds kHoldMax = 10min;
inline constexpr std::chrono::milliseconds kResultRetention = 24h;
inline constexpr std::chrono::milliseconds kKeyRetention = 24h * 400;
inline constexpr std::chrono::milliseconds kNaturalKeyWindow = 3s;
inline constexpr std::chrono::milliseconds kTierCore = 500ms;
inline constexpr std::chrono::milliseconds kTierNormal = 2s;
inline constexpr std::chrono::milliseconds kTierSide = 5s;
inline constexpr std::size_t kBodyBytesMax = 8U << 20;
inline constexpr std::size_t kAnswerBytesMax = 1U << 20;
inline constexpr std::size_t kKeyBytesMax = 255;
inline constexpr std::size_t kWaitersPerKeyMax = 1000;
inline constexpr std::size_t kWaitersPerTenantMax = 10'000;
inline constexpr std::size_t kCallbackSecretBytesMin = 24;

// What a route may ask for at most or at least.
inline constexpr std::chrono::milliseconds kLeaseMin =
    3s;  // renewed every second: a late loop still makes it
inline constexpr std::chrono::milliseconds kHoldLimit = 24h;
inline constexpr std::chrono::milliseconds kWaitLimit =
    5min;  // a client that waits holds a connection
inline constexpr std::chrono::milliseconds kResultRetentionMin = 1min;
inline constexpr std::chrono::milliseconds kMoneyResultRetentionAdvised = 1h;
inline constexpr std::size_t kBodyBytesLimit = 1U << 30;
inline constexpr std::size_t kAnswerBytesLimit = 16U << 20;  // what every store takes
inline constexpr std::size_t kRouteNameLengthMax = 120;      // it is a metric's label
inline constexpr std::size_t kRoutesMax = 2000;

}  // namespace pawl::policy
