// SPDX-License-Identifier: Apache-2.0
// The section `sinks:` as values.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/policy/secret.hpp"
#include "core/policy/upstream.hpp"
#include "stream/limits.hpp"

namespace pawl::config {

struct WebhookSetting {
    policy::Upstream upstream;
    std::string path;
    policy::Secret secret;                 // as whsec_BASE64
    std::vector<policy::Secret> previous;  // that receivers may still know
    std::chrono::milliseconds timeout = stream::kWebhookPatience;
    std::size_t parallel = stream::kWebhooksAtOnce;
};

// Either a file or a webhook.
struct SinkSetting {
    std::string file;
    std::optional<WebhookSetting> webhook;
    std::vector<std::string> flows;  // empty: all
    std::vector<std::string> types;  // empty: all
    bool from_the_beginning = false;
    std::size_t tries = stream::kRowTriesMax;
};

using Sinks = std::map<std::string, SinkSetting>;

}  // namespace pawl::config
