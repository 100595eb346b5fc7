// SPDX-License-Identifier: Apache-2.0
// Whether the files of a configuration, its own and those of its flows, are others than those that were loaded. They
// are looked at from time to time: what is being written, or replaced through a link, is left alone until two looks see
// the same of all of them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pawl::app {

class ConfigWatch {
  public:
    // As the files are now, they count as loaded.
    explicit ConfigWatch(std::vector<std::string> paths) { follow(std::move(paths)); }

    // One look: a file that changed, once for each change that has settled; a file that is gone is no change.
    std::optional<std::string> look();
    // The files are about to be loaded for another reason.
    void loaded();
    // These from now on. Of one that was followed before, what was loaded stays so.
    void follow(std::vector<std::string> paths);

  private:
    struct Stamp {
        std::uint64_t device = 0;
        std::uint64_t file = 0;
        std::int64_t size = 0;
        std::int64_t changed_ns = 0;
        auto operator<=>(const Stamp&) const = default;
    };
    struct File {
        std::string path;
        std::optional<Stamp> loaded;
        std::optional<Stamp> seen;
    };
    static std::optional<Stamp> stamp(const std::string& path);

    std::vector<File> files_;
};

}  // namespace pawl::app
