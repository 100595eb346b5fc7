// SPDX-License-Identifier: Apache-2.0
// Which files a store's names stood for when it was opened. SQLite goes on writing to a file that has been moved or
// removed: what is acknowledged then is not there at the next start, and runs again.
//
//   text = device inode size log_device log_inode, in decimal
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::sqlite {

class FilePlace {
  public:
    // Of a store that is open for writing. nullopt: file or log are gone already.
    static std::optional<FilePlace> of(const std::string& path);
    // nullopt: `text` is not what text() gives.
    static std::optional<FilePlace> in(std::string_view text);
    std::string text() const;

    // What has become of file or log, as a sentence; nullopt: they are where they were, and not shorter.
    std::optional<std::string> lost(const std::string& path);

  private:
    struct Name {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        bool operator==(const Name&) const = default;
    };
    Name file_;
    std::uint64_t size_ = 0;  // the largest that was seen
    Name log_;                // others may cut it, once it is folded in
};

}  // namespace pawl::sqlite
