// SPDX-License-Identifier: Apache-2.0
#include "core/caller/api_keys.hpp"

#include "runtime/codec/signature.hpp"

namespace pawl::caller {

Digest hash_of_api_key(std::string_view secret, std::string_view key) {
    return hmac_sha256(secret, key);
}

Result<std::string> ApiKeys::caller_of(std::string_view key) const {
    if (!key.empty() && key.size() <= kApiKeyBytesMax) {
        const auto found = callers_.find(hash_of_api_key(secret_, key));
        if (found != callers_.end()) return found->second;
    }
    return fail(Code::caller_unknown, "The API key is not known here.");
}

}  // namespace pawl::caller
