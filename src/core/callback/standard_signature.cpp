// SPDX-License-Identifier: Apache-2.0
#include "core/callback/standard_signature.hpp"

#include <fmt/format.h>

#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::callback {

std::string standard_bytes(std::string_view id, std::string_view at, std::string_view body) {
    return fmt::format("{}.{}.{}", id, at, body);
}

std::string standard_signature(std::span<const std::string> secrets, std::string_view id,
                               std::int64_t at_s, std::string_view body) {
    const std::string bytes = standard_bytes(id, std::to_string(at_s), body);
    std::string header;
    for (const std::string& secret : secrets)
        header += fmt::format("{}v1,{}", header.empty() ? "" : " ",
                              to_base64(hmac_sha256(secret, bytes).view()));
    return header;
}

}  // namespace pawl::callback
