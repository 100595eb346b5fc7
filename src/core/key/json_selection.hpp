// SPDX-License-Identifier: Apache-2.0
// Which paths of a rule still matter at a place in a document. A scope is a range of the paths that agree
// with the place so far; it is narrowed step by step on the way down and dropped on the way up, so the cost
// per member is the number of paths that still agree.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/key/json.hpp"

namespace pawl::key {

class JsonSelection {
  public:
    // The value at the place. `inside`: a path of include ends here or above. `excluded`: one of exclude
    // ends here. `ends`: a path of include ends exactly here.
    struct Scope {
        std::size_t from = 0;
        std::size_t to = 0;
        bool inside = false;
        bool excluded = false;
        bool ends = false;

        // Nothing below needs to be asked.
        bool whole() const { return inside && from == to; }
        // A path ends here or leads on.
        bool touched() const { return inside || excluded || from != to; }
    };

    // The paths live as long as the selection is used.
    JsonSelection(std::span<const JsonPath> include, std::span<const JsonPath> exclude);

    Scope root() const { return root_; }
    Scope member(const Scope& scope, std::size_t depth, std::string_view name);
    Scope element(const Scope& scope, std::size_t depth, std::size_t index);
    // Ends a scope made by member or element, innermost first.
    void leave(const Scope& scope) { live_.resize(scope.from); }

  private:
    struct Live {
        const JsonPath* path;
        bool exclude;
    };
    void reach(Scope& scope, const Live& live, std::size_t depth);
    template <class Agrees>
    Scope narrow(const Scope& scope, std::size_t depth, Agrees agrees);

    std::vector<Live> live_;
    Scope root_;
};

}  // namespace pawl::key
