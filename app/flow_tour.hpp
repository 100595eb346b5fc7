// SPDX-License-Identifier: Apache-2.0
// The tour of the built-in flow `order` that the greeting of the demonstration shows, and the account of a
// payment provider that it pays through. The account's secret is made at every start.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "surface/config/config.hpp"

namespace pawl::app {

inline constexpr std::string_view kDemoAccount = "demo";

// Adds an account `demo` of the provider `hmac` that reports payments of the flow `order`.
void add_demo_account(config::Config& config, std::string secret);

struct FlowTour {
    std::string listen;   // "http://127.0.0.1:8080"
    std::string program;  // as it is called, with the options that it needs to find this server
    std::string mark;     // tells one start's keys from another's
    std::string secret;   // of the account
};
// What each line does, and the line; a shell takes each as it stands, one after the other.
std::vector<std::pair<std::string, std::string>> flow_tour(const FlowTour& tour);

}  // namespace pawl::app
