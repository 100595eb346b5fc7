// SPDX-License-Identifier: Apache-2.0
// Bytes that are handed on while they still come in. They are pulled: who reads slowly slows the source down,
// and nothing piles up between the two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/result/result.hpp"
#include "runtime/task/loop.hpp"

namespace pawl {

class ByteSource {
  public:
    virtual ~ByteSource() = default;
    // How many bytes are to come, where the source has said so.
    virtual std::optional<std::uint64_t> size() const = 0;
    // The next portion; empty: the end, after which it is not asked again. `here` is the caller's loop.
    // Errors: unknown when the bytes broke off.
    virtual Task<Result<std::string>> next(Loop& here) = 0;
};

}  // namespace pawl
