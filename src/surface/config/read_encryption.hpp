// SPDX-License-Identifier: Apache-2.0
// `store: { encryption: … }`: which key stored answers are sealed under, and which they may be opened with.
#pragma once

#include "store/sealed/sealing_key.hpp"
#include "surface/config/config.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

void read_encryption(Reading& reading, Section& store, Encryption& encryption);

// Fills in what stands in files. Errors: config_invalid.
Status read_encryption_files(Encryption& encryption);

// Precondition: its secrets are filled in. Errors: config_invalid, with the setting that is no key.
Result<store::SealingKeys> sealing_keys_of(const Encryption& encryption);

}  // namespace pawl::config
