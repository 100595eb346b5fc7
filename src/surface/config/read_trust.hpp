// SPDX-License-Identifier: Apache-2.0
// `upstream_tls:` of the file, for every https upstream, or of one route, in its place.
//
//   upstream_tls: { ca: authority.pem, certificate: pawl.pem, key: pawl.key, server_name: orders.internal }
#pragma once

#include <memory>

#include "surface/config/config.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

using Trust = std::shared_ptr<const policy::UpstreamTrust>;

void read_trust(Section& parent, Trust& target);

// Gives each route and the rest of the file what they do not say themselves, and judges what speaks of nothing.
void spread_trust(Reading& reading, Config& config);

// Reads the files that the configuration names. Errors: config_invalid, with the file.
Status read_trust_files(Config& config);

}  // namespace pawl::config
