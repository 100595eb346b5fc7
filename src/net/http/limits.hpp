// SPDX-License-Identifier: Apache-2.0
// The bounds of HTTP connections, each a named number.
#pragma once

#include <chrono>
#include <cstddef>

namespace pawl::http {

using namespace std::chrono_literals;

// Towards clients.
inline constexpr std::size_t kHeadBytesMax = 64U << 10;  // request line and header lines
inline constexpr std::size_t kConnectionsMax = 16384;    // per server, that is, per loop
inline constexpr std::chrono::milliseconds kHeadTimeout =
    10s;  // from a request's first byte to its head's last
inline constexpr std::chrono::milliseconds kIdleTimeout = 60s;  // between requests
inline constexpr std::chrono::milliseconds kBodyTimeout = 30s;  // between two reads of a body
inline constexpr std::size_t kBodyBytesPerSecondMin =
    512;  // of a protected body, on average, once the time above is over
inline constexpr std::chrono::milliseconds kWriteTimeout =
    30s;                                                    // between two writes that made progress
inline constexpr std::size_t kBodyInMemoryMax = 64U << 10;  // of a protected request; then a file
inline constexpr std::size_t kDrainedBodyMax =
    64U << 10;  // an unread body up to this is skipped, not cut
inline constexpr std::size_t kLingerBytesMax =
    1U << 20;  // taken after a refusal, so that it gets through
inline constexpr std::chrono::milliseconds kLingerTimeout = 2s;

// Towards upstreams.
inline constexpr std::chrono::milliseconds kConnectTimeout = 1s;
inline constexpr std::chrono::milliseconds kUpstreamIdle =
    4s;  // when the peer names no Keep-Alive time-out
inline constexpr std::chrono::milliseconds kKeepAliveMargin =
    1s;  // dropped so long before the peer's time-out
inline constexpr std::size_t kIdlePerTargetMax = 256;
inline constexpr std::chrono::milliseconds kUnreadAnswerTimeout =
    10min;  // an answer that nobody wants is read out and dropped for so long
inline constexpr std::chrono::milliseconds kRelayTimeout =
    60s;  // between two reads of a relayed answer

inline constexpr std::chrono::milliseconds kTunnelIdle =
    10min;  // of a WebSocket on which neither side says anything

inline constexpr std::size_t kFirstBufferBytes = 8U << 10;
inline constexpr std::size_t kRelayBufferBytes = 64U << 10;
inline constexpr std::size_t kChunkLineBytesMax = 16U << 10;  // a chunk's head, or all trailers

}  // namespace pawl::http
