// SPDX-License-Identifier: Apache-2.0
// `pawl api-key SET --caller NAME`: a fresh key, and the line that lets the configuration know it. The key is
// shown once and stored nowhere.
#pragma once

#include "runtime/entropy/entropy.hpp"
#include "surface/cli/arguments.hpp"
#include "surface/config/load.hpp"

namespace pawl::cli {

struct MadeApiKey {
    std::string key;   // "pawl_" and 43 characters of base64url
    std::string hash;  // 64 hexadecimal digits
};
// Errors: config_invalid where `set` is no set of API keys there.
Result<MadeApiKey> make_api_key(const config::Config& config, const std::string& set,
                                Entropy& entropy);

int run_new_api_key(const NewApiKey& wanted, const Common& common,
                    const config::Environment& environment);

}  // namespace pawl::cli
