// SPDX-License-Identifier: Apache-2.0
// `stations:`, whose scans are signed, and what with.
//
//   stations:
//     north: { secrets: [{ file: /run/secrets/north }] }
//     south: { secrets: [{ env: PAWL_SOUTH }, { env: PAWL_SOUTH_BEFORE }] }
#pragma once

#include "core/flow/scan_token.hpp"
#include "surface/config/config.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

void read_stations(Reading& reading, Section& top, StationSettings& stations);

// For a file that could be read: whether any flow asks for what the stations sign.
void judge_stations(Reading& reading, const YamlNode& root, const Config& config);

// Fills in what stands in files. Errors: config_invalid.
Status read_station_files(StationSettings& stations);

// Errors: config_invalid: a secret is too short, or two stations share one and so could sign for each other.
Result<flow::Stations> stations_of(const StationSettings& stations);

}  // namespace pawl::config
