// SPDX-License-Identifier: Apache-2.0
// The documents of the admin port as people read them.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "surface/cli/terminal.hpp"

namespace pawl::cli {

// Shape: as of /admin/v1/explain.
std::string render_explained(const boost::json::object& document, const Paint& paint);
// Shape: as of /admin/v1/uncertain.
std::string render_uncertain(const boost::json::object& document, const Paint& paint);
// Shape: as of /admin/v1/resolve and /forget, done.
std::string render_done(const boost::json::object& document, const Paint& paint);
// Shape: a problem document.
std::string render_problem(const boost::json::object& document, const Paint& paint);

}  // namespace pawl::cli
