// SPDX-License-Identifier: Apache-2.0
// The sections `flows:`, `services:`, `stations:` and `callbacks:` as values.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/callback/subscription.hpp"
#include "core/flow/machine.hpp"
#include "core/policy/role.hpp"
#include "core/policy/route.hpp"

namespace pawl::config {

// By flow and event, who may send it instead of those whom the flow's file names.
using AllowedBy = std::map<std::string, std::map<std::string, flow::Names>>;

struct FlowSettings {
    std::vector<std::string> use;  // names of built-in flows, and files; in the order of `machines`
    std::vector<flow::Machine> machines;  // with what `allow` says of them
    policy::CallerRule caller;            // of their calls
    std::vector<policy::RoleRule> roles;  // by name, sorted
    AllowedBy allow;
    policy::Retention retention;  // of the keys of their calls
    std::optional<std::chrono::milliseconds>
        finished;  // entities that have ended; nullopt: for ever
};

// By a station's name, where its secrets come from.
using StationSettings = std::map<std::string, std::vector<policy::Secret>>;

// Where a key of an account comes from; WeChat Pay's have a serial.
struct KeySource {
    std::string serial;
    policy::Secret secret;
};

struct CallbackSetting {
    callback::Subscription subscription;   // its account without keys and secrets
    std::vector<KeySource> keys;           // the provider's public keys, or the shared secrets
    std::vector<policy::Secret> api_keys;  // WeChat Pay's APIv3 keys
    int line = 0;
    int column = 0;
};

// Under the name that probes and sagas call: `GET http://pay/orders/…` goes to services.pay.
using Services = std::map<std::string, policy::Upstream>;

}  // namespace pawl::config
