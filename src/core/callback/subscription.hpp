// SPDX-License-Identifier: Apache-2.0
// What an account's facts are about: whose orders, of which flow, and which event of it each kind of fact is.
#pragma once

#include <map>
#include <string>

#include "core/callback/account.hpp"

namespace pawl::callback {

struct Subscription {
    Account account;
    std::string tenant;
    std::string flow;
    std::map<FactKind, std::string> events;  // a kind that is not here is acknowledged, and no more
};

}  // namespace pawl::callback
