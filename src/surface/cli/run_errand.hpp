// SPDX-License-Identifier: Apache-2.0
// `pawl outbox`, `pawl saga` and `pawl attention`: asks the running server, which alone sends.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "surface/cli/connect.hpp"
#include "surface/cli/errand_arguments.hpp"
#include "surface/cli/terminal.hpp"

namespace pawl::cli {

// Returns the exit code.
int run_errand(const Errand& errand, bool as_json, const Places& places, const std::string& user);

// Of the admin port.
std::string target_of(const ListOutbox& list);
std::string target_of(const ListSagas& list);
std::string target_of(const ListAttention& list);

// Shape: as of /admin/v1/outbox, /admin/v1/sagas, /admin/v1/attention.
std::string render_outbox(const boost::json::object& document, const Paint& paint);
std::string render_sagas(const boost::json::object& document, const Paint& paint);
std::string render_attention(const boost::json::object& document, const Paint& paint);

}  // namespace pawl::cli
