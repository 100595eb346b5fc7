// SPDX-License-Identifier: Apache-2.0
// The request that asks an upstream what became of an operation: `GET /orders/by-operation/{operation_key}`
// (probe), or the one after which the upstream refuses the attempt (close). Written in the route, taken
// apart once. It names only what the record itself holds, because it may be asked days later.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/result/result.hpp"

namespace pawl::policy {

// What the placeholders stand for.
struct OperationNames {
    std::string operation_key;  // as in Pawl-Operation-Key
    std::string operation_ref;  // as in Pawl-Operation-Ref
    std::string key;            // the client's
};

class SettleRequest {
  public:
    // Shape: METHOD and target, with {operation_key}, {operation_ref} or {key}; at least one of them.
    // Errors: config_invalid; the text says what to write.
    static Result<SettleRequest> parse(std::string_view text);

    const std::string& method() const { return method_; }
    // The names percent-encoded, so that none can change the path.
    std::string target(const OperationNames& names) const;

  private:
    enum class Kind : std::uint8_t { text, operation_key, operation_ref, key };
    struct Piece {
        Kind kind = Kind::text;
        std::string text;
    };
    std::string method_;
    std::vector<Piece> pieces_;
};

}  // namespace pawl::policy
