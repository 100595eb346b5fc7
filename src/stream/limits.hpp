// SPDX-License-Identifier: Apache-2.0
// The defaults of sinks, each a named number.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace pawl::stream {

inline constexpr std::uint32_t kRowTriesMax = 12;  // of a row that is refused; about four minutes
inline constexpr std::size_t kRowsAtOnce = 256;    // read at once
inline constexpr std::size_t kLinesAtOnce = 256;   // written to a file with one flush
inline constexpr std::size_t kWebhooksAtOnce = 16;
inline constexpr std::chrono::milliseconds kWebhookPatience{10'000};
inline constexpr std::chrono::milliseconds kLookEvery{1'000};  // when nobody hints
inline constexpr int kRecordTriesOnLeaving = 3;

}  // namespace pawl::stream
