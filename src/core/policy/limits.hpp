// SPDX-License-Identifier: Apache-2.0
// The defaults of routes, each a named number. Sources: rulings 2, 9 and 12.
#pragma once

#include <chrono>
#include <cstddef>

namespace pawl::policy {

using namespace std::chrono_literals;

inline constexpr std::chrono::milliseconds kWait = 10s;
inline constexpr std::chrono::milliseconds kLease = 30s;
inline constexpr std::chrono::milliseconds kRenewal = 10s;   // a third of the lease
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
inline constexpr std::size_t kUnresolvedPerCallerMax = 1000;

}  // namespace pawl::policy
