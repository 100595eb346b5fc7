// SPDX-License-Identifier: Apache-2.0
// Errors as values. Our coroutines do not throw; exceptions are for start-up and programmer errors.
#pragma once

#include <expected>
#include <utility>

#include "runtime/result/error.hpp"

namespace pawl {

template <class T>
using Result = std::expected<T, Error>;
using Status = Result<void>;

inline std::unexpected<Error> fail(Code code, std::string text, std::string cause = {},
                                   std::string place = {}) {
    return std::unexpected(Error{code, std::move(text), std::move(cause), std::move(place)});
}
inline std::unexpected<Error> fail(Error error) { return std::unexpected(std::move(error)); }

}  // namespace pawl
