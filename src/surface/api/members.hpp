// SPDX-License-Identifier: Apache-2.0
// The members of a JSON object that somebody says something with. Everything is refused that could be half
// understood: another type, a member that nobody asked for, one that stands twice.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "core/record/row.hpp"
#include "runtime/result/result.hpp"

namespace pawl::api {

// Errors: request_invalid.
Result<boost::json::value> parse_object(std::string_view body);

// The first mistake stays. `object` outlives it.
class Members {
  public:
    explicit Members(const boost::json::object& object) : object_(object) {}

    std::optional<std::string> text(std::string_view name);
    bool flag(std::string_view name);
    std::optional<std::int64_t> count(std::string_view name);
    const boost::json::value* take(std::string_view name);
    void mistake(std::string text) {
        if (mistake_.empty()) mistake_ = std::move(text);
    }
    // Errors: request_invalid for the first mistake, also for a member nobody asked for.
    Status end() const;

  private:
    const boost::json::object& object_;
    std::size_t present_ = 0;
    std::string mistake_;
};

// "status", "headers": [[name, value], ...] or {name: value}, "body" or "body_base64"; none without a status.
std::optional<record::Answer> answer_in(Members& members);

}  // namespace pawl::api
