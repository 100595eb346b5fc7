// SPDX-License-Identifier: Apache-2.0
// What is counted of the accounts of payment providers, in the text format of Prometheus; beside the node's own.
#pragma once

#include <string>

#include "engine/callback_accounts.hpp"

namespace pawl::api {

// Empty where there are no accounts.
std::string notification_metrics(const engine::CallbackAccounts& accounts);

}  // namespace pawl::api
