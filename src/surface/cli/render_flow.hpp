// SPDX-License-Identifier: Apache-2.0
// The entities of flows as people read them.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "surface/cli/terminal.hpp"

namespace pawl::cli {

// Shape: as of /admin/v1/flows.
std::string render_entities(const boost::json::object& document, const Paint& paint);
// Shape: as of /admin/v1/flows/find.
std::string render_found(const boost::json::object& document, const Paint& paint);
// Shape: as of /admin/v1/flows/waiting.
std::string render_waiting(const boost::json::object& document, const Paint& paint);
// Shape: as of /admin/v1/flows/timeline.
std::string render_entity(const boost::json::object& document, const Paint& paint);

}  // namespace pawl::cli
