// SPDX-License-Identifier: Apache-2.0
// An entry for people in the words of people, the same in the list and in an order's timeline: why it is there, what
// was judged, and how it was closed.
#pragma once

#include <string>

#include <boost/json/object.hpp>

namespace pawl::cli {

// Shape of all: as of /admin/v1/attention.

// The reason; a code that stands before it is said in words.
std::string reason_words(const boost::json::object& entry);
// "pay by callback: amount 99, transaction_id T1"; empty: no event was judged.
std::string event_words(const boost::json::object& entry);
// "settled by ann: paid back"; empty: it is open.
std::string closing_words(const boost::json::object& entry);
// "amount 99, transaction_id T1", of an object of texts; of each at most so many bytes.
std::string value_words(const boost::json::object& values,
                        std::size_t bytes_max = std::string::npos);

}  // namespace pawl::cli
