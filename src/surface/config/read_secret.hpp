// SPDX-License-Identifier: Apache-2.0
// Secrets: which file or variable holds one, and what is in it.
#pragma once

#include "surface/config/config.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

// `NAME: { file: PATH }` or `{ env: PAWL_NAME }` in `parent`, where it must stand.
void read_secret(Reading& reading, Section& parent, std::string_view name, Secret& secret);

// `{ file: PATH }` or `{ env: PAWL_NAME }` itself, as it stands in a list called `name`.
void read_source(Reading& reading, const YamlNode& node, std::string_view name, Secret& secret);

// The same beside other members of the entry; `finish` is the caller's to say.
void read_source_in(Reading& reading, Section& entry, const YamlNode& node, std::string_view name,
                    Secret& secret);

// Fills in what stands in a file; `whole`: all of it, not its first line. Errors: config_invalid.
Status read_file_of(Secret& secret, std::string_view name, bool whole);

// Fills in what the route's upstream signs with. Errors: config_invalid, also for one that is too short.
Status read_callback_secret(policy::Route& route);

}  // namespace pawl::config
