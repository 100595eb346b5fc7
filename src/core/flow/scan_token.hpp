// SPDX-License-Identifier: Apache-2.0
// Scan tokens: a scanner's word that it saw these values for this event of this flow, made anew for every scan. In
// hexadecimal a SHA-256 over `pawl.scan.2`, flow, event and values, each with its length before it, so that no two
// scans can run together, and none is good for what it was not made for. Where stations are known it is signed by the
// one that scanned: HMAC-SHA256 under the station's secret, over those 32 bytes.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::flow {

inline constexpr std::size_t kStationSecretBytesMin = 24;
inline constexpr std::size_t kStationSecretsMax = 8;

// The secrets of each station, by its name: several while one is being changed. No two stations share one.
using Stations = std::map<std::string, std::vector<std::string>, std::less<>>;

struct Scan {
    std::string_view flow;
    std::string_view event;
    std::span<const std::string> values;  // in the order of the rule's `over`, as canonical text
};

// `secret` empty: nobody signs it.
std::string scan_token(const Scan& scan, std::string_view secret);

}  // namespace pawl::flow
