// SPDX-License-Identifier: Apache-2.0
// A verified JSON body, asked member by member. The first thing that is not as it should be is kept as the problem, so
// that a reader asks for all it wants and looks once. Numbers stay text. Short-lived: reads text that its maker keeps
// alive.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/key/json.hpp"

namespace pawl::callback {

using MemberNames = std::initializer_list<std::string_view>;

class JsonMembers {
  public:
    // `what`: how a problem calls the document.
    JsonMembers(std::string_view text, std::string_view what);

    // A text; empty: absent, null or empty.
    std::string text(MemberNames names);
    std::string text(const key::JsonPath& path);
    // The same, where whole numbers are names too: as their digits.
    std::string name(const key::JsonPath& path);
    // A number, or a text that should be one, as it stands; empty: absent or null.
    std::string number(MemberNames names);
    std::string number(const key::JsonPath& path);
    // "true", "false"; empty: absent or null.
    std::string flag(MemberNames names);
    bool has(MemberNames names);  // and it is not null

    // Safe to show; empty: none.
    const std::string& problem() const { return problem_; }

  private:
    std::optional<key::JsonValue> at(const key::JsonPath& path);
    std::string wrong(const key::JsonPath& path, std::string_view wanted);

    std::string_view text_;
    std::string what_;
    std::string problem_;
};

}  // namespace pawl::callback
