// SPDX-License-Identifier: Apache-2.0
// A document of the admin port, read leniently: what is not there, or of another kind, is empty. Texts come out
// as a terminal may show them.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace pawl::cli {

// A string as it is, anything else as JSON.
std::string text(const boost::json::object& object, std::string_view name);
const boost::json::array& list(const boost::json::object& object, std::string_view name);
const boost::json::object& part(const boost::json::object& object, std::string_view name);

// "2026-11-29T14:47:32.123Z" -> "2026-11-29 14:47:32.123"
std::string time_text(std::string text);

}  // namespace pawl::cli
