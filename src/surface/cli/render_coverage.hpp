// SPDX-License-Identifier: Apache-2.0
// What is not protected yet, and what protecting it would change, as people read it.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "surface/cli/terminal.hpp"

namespace pawl::cli {

// Shape: as of /admin/v1/shadow.
std::string render_shadow(const boost::json::object& document, const Paint& paint);

}  // namespace pawl::cli
