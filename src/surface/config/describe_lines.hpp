// SPDX-License-Identifier: Apache-2.0
// How the description of a configuration is written down: lines of YAML whose texts are all quoted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "surface/config/config.hpp"

namespace pawl::config {

class Lines {
  public:
    template <class... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        text_ += fmt::format(format, std::forward<Args>(args)...);
        text_ += '\n';
    }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

// A double-quoted YAML scalar; a list of them.
std::string quoted(std::string_view text);
std::string listed(const std::vector<std::string>& texts);

std::string shown_caller(const policy::CallerRule& caller);
std::string shown_source(const Secret& secret);
std::string shown_trust(const policy::UpstreamTrust& trust);

// `flows`, `services`, `stations` and `callbacks`.
void describe_flows(Lines& out, const Config& config);
void describe_sinks(Lines& out, const Config& config);

}  // namespace pawl::config
