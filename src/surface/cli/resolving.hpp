// SPDX-License-Identifier: Apache-2.0
// The words that a command speaks about operations, one by one or in bulk, and how what comes of them is
// shown.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "surface/cli/arguments.hpp"
#include "surface/cli/connect.hpp"

namespace pawl::cli {

// Each returns the exit code.
int run_resolve(const Resolve& resolve, bool as_json, const Places& places,
                const std::string& user);
int run_forget(const Forget& forget, bool as_json, const Places& places, const std::string& user);

// What --body names; "-" is standard input, empty is none. Errors: request_invalid: no file, a directory, a
// pipe, larger than a record keeps.
Result<std::string> read_body(const std::string& path);

// On standard error, or with `as_json` as a problem document on standard output. Each returns the exit code.
int show_error(const Error& error, bool as_json);
int show_problem(const boost::json::object& problem, bool as_json);

// Of /admin/v1/uncertain.
std::string uncertain_target(const ListUncertain& list);
// Shape: as /admin/v1/resolve takes it.
boost::json::object resolve_document(const Resolve& resolve, const std::string& reference,
                                     const std::string& body, const std::string& user);
// What a problem document is about; internal for a code that the error table has not.
Code code_of(const boost::json::object& problem);

}  // namespace pawl::cli
