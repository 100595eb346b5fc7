// SPDX-License-Identifier: Apache-2.0
// The one moment at which the model stands, the spans it uses, and the bits of WorldState::broken.
#pragma once

#include <cstdint>

namespace pawl::model {

inline constexpr std::int64_t kNowMs = 1'000'000;
inline constexpr std::int64_t kLeaseMs = 1'000;
inline constexpr std::int64_t kHorizonMs = 500;

inline constexpr std::uint8_t kProofBroken = 1;
inline constexpr std::uint8_t kRefusalBroken = 2;

}  // namespace pawl::model
