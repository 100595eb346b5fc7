// SPDX-License-Identifier: Apache-2.0
// `sinks:`, where the events of flows go.
//
//   sinks:
//     ledger: { file: /var/lib/pawl/events.jsonl }
//     shop: { webhook: { url: https://shop.example/hooks, secret: { file: /run/secrets/shop } }, types: ["order.*"] }
#pragma once

#include "surface/config/config.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

void read_sinks(Reading& reading, Section& top, Sinks& sinks);

// Flows that there are not, and two sinks that write one file.
void judge_sinks(Reading& reading, const yaml::YamlNode& root, const Config& config);

// Fills in what stands in files. Errors: config_invalid, also for a secret that is none.
Status read_sink_files(Sinks& sinks);

// What signs: bytes, the present secret first. After read_sink_files(). Errors: config_invalid.
Result<std::vector<std::string>> signing_secrets_of(const std::string& name,
                                                    const WebhookSetting& webhook);

}  // namespace pawl::config
