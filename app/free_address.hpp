// SPDX-License-Identifier: Apache-2.0
// Whether an address can be listened on, asked before anything else is begun.
#pragma once

#include <string_view>

#include "surface/config/config.hpp"

namespace pawl::app {

// `what`: the setting that names it. Errors: unavailable, with what to do.
Status check_free(const config::Address& address, std::string_view what);

}  // namespace pawl::app
