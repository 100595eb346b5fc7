// SPDX-License-Identifier: Apache-2.0
// Addresses to listen on and upstreams to call, as they are written in the file.
#pragma once

#include <string>
#include <string_view>

#include "core/policy/route.hpp"
#include "runtime/result/result.hpp"
#include "surface/config/config.hpp"

namespace pawl::config {

// Shape: "127.0.0.1:8080", "[::1]:8080", "localhost:8080" (127.0.0.1). Errors: config_invalid, with
// `usual_port` in the remedy.
Result<Address> parse_address(std::string_view text, std::uint16_t usual_port = 8080);
// Shape: "http://host", "http://host:3000", "https://host", or "demo". Errors: config_invalid.
Result<policy::Upstream> parse_upstream(std::string_view text);

// The part that parse_upstream() reads, and what is behind it: a path, or `/` where there is none.
std::pair<std::string_view, std::string_view> split_endpoint(std::string_view url);

std::string format_address(const Address& address);
std::string format_upstream(const policy::Upstream& upstream);
bool is_loopback(const Address& address);

}  // namespace pawl::config
