// SPDX-License-Identifier: Apache-2.0
// Where a command finds its server and, when that does not answer, the store.
#pragma once

#include <string>

#include "surface/cli/admin_client.hpp"
#include "surface/cli/arguments.hpp"
#include "surface/config/load.hpp"

namespace pawl::cli {

struct Places {
    AdminAddress admin;
    std::string store_path;
    config::Config config;       // that names them
    bool may_read_store = true;  // false: a server elsewhere was named, and no file
};

// --admin before PAWL_ADMIN before the configuration before 127.0.0.1:8081.
// Errors: config_invalid, with every finding in the text, a line each.
Result<Places> find_places(const Common& common, const config::Environment& environment);

}  // namespace pawl::cli
