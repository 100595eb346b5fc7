// SPDX-License-Identifier: Apache-2.0
// One process per store. The lock is the kernel's (flock on PATH-lock) and ends with the process, however
// that ends; the file's text names the holder for people.
#pragma once

#include <string>

#include "runtime/result/result.hpp"

namespace pawl::sqlite {

class LockFile {
  public:
    LockFile() = default;
    LockFile(LockFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    LockFile& operator=(LockFile&& other) noexcept;
    ~LockFile();

    // Errors: store_locked, with the holder's process id and what to do; store_readonly.
    static Result<LockFile> take(const std::string& store_path);
    // Whether somebody serves the store at this moment; false also where that cannot be seen.
    static bool is_held(const std::string& store_path);

  private:
    int descriptor_ = -1;
};

}  // namespace pawl::sqlite
