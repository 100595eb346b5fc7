// SPDX-License-Identifier: Apache-2.0
#include "surface/config/config.hpp"

#include "surface/config/read_flows.hpp"

namespace pawl::config {

Config default_config() {
    using namespace std::chrono_literals;
    Config config;
    policy::Route orders;
    orders.name = "create-order";
    orders.method = "POST";
    orders.path = "/orders";
    orders.upstream.demo = true;
    orders.key.source = policy::KeyRule::Source::header;
    // The demonstration ends with this process, and its requests with it.
    orders.uncertain.effect_horizon = 1s;
    config.routes.push_back(orders);
    config.default_upstream = orders.upstream;
    use_built_in_flows(config);
    return config;
}

void enter_dev(Config& config) {
    config.dev = true;
    for (policy::Route& route : config.routes)
        route.uncertain.effect_horizon = std::chrono::milliseconds(0);
}

}  // namespace pawl::config
