// SPDX-License-Identifier: Apache-2.0
// `callbacks:`, accounts at payment providers whose notifications are facts of a flow.
//
//   callbacks:
//     - provider: stripe
//       name: main                  # POST /v1/callbacks/stripe/main
//       flow: order
//       events: { paid: pay }
//       secrets: [{ file: /run/secrets/stripe }]
#pragma once

#include "surface/config/config.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

void read_callbacks(Reading& reading, Section& top, Config& config);

// What accounts say about the flows, which are there by now, and the events that they do not name. For a file
// that could be read.
void judge_callbacks(Reading& reading, Config& config);

// Reads the files of their keys and secrets. Errors: config_invalid.
Status read_callback_files(std::vector<CallbackSetting>& callbacks);

// After read_secrets(). Errors: config_invalid, naming the account.
Result<std::vector<callback::Subscription>> subscriptions_of(const Config& config);

}  // namespace pawl::config
