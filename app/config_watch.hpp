// SPDX-License-Identifier: Apache-2.0
// Whether a configuration file is another one than the one that was loaded. It is looked at from time to time: a
// file that is being written, or replaced through a link, is left alone until two looks see the same.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace pawl::app {

class ConfigWatch {
  public:
    // As the file is now, it counts as loaded. An empty path never changes.
    explicit ConfigWatch(std::string path);

    // One look. True once for each change that has settled; a file that is gone is no change.
    bool look();
    // The file is about to be loaded for another reason.
    void loaded();

  private:
    struct Stamp {
        std::uint64_t device = 0;
        std::uint64_t file = 0;
        std::int64_t size = 0;
        std::int64_t changed_ns = 0;
        auto operator<=>(const Stamp&) const = default;
    };
    std::optional<Stamp> stamp() const;

    std::string path_;
    std::optional<Stamp> loaded_;
    std::optional<Stamp> seen_;
};

}  // namespace pawl::app
