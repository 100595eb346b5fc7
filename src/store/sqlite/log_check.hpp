// SPDX-License-Identifier: Apache-2.0
// Looks at a store's write-ahead log before SQLite does, who would drop what stands behind a damaged frame.
#pragma once

#include <string>

#include "runtime/result/result.hpp"

namespace pawl::sqlite {

// Precondition: nobody has the store open. `vfs` empty: the system's disk, with the index beside the log.
// Errors: store_corrupt, with what may be done; unavailable when the log cannot be read.
Status check_log(const std::string& path, const std::string& vfs = {});

}  // namespace pawl::sqlite
