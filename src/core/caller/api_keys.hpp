// SPDX-License-Identifier: Apache-2.0
// Callers known by a key of their own. The keys are nowhere: kept is their HMAC under a secret that stands
// elsewhere, so that neither the file alone nor a look at memory's table lets anybody in, and a search by hash
// tells nothing by its time.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/codec/digest.hpp"
#include "runtime/result/result.hpp"

namespace pawl::caller {

inline constexpr std::size_t kApiKeyBytesMax = 512;
inline constexpr std::size_t kApiKeySecretBytesMin = 16;

// What stands for a key in the configuration.
Digest hash_of_api_key(std::string_view secret, std::string_view key);

class ApiKeys {
  public:
    explicit ApiKeys(std::string secret) : secret_(std::move(secret)) {}

    // Several keys may be one caller's, so that they can be changed without a gap. False: the hash is there
    // already.
    bool add(const Digest& hash, std::string caller) {
        return callers_.emplace(hash, std::move(caller)).second;
    }

    // Errors: caller_unknown. The text never shows the key.
    Result<std::string> caller_of(std::string_view key) const;

  private:
    std::string secret_;
    std::unordered_map<Digest, std::string, DigestHash> callers_;
};

}  // namespace pawl::caller
