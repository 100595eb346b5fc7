// SPDX-License-Identifier: Apache-2.0
#include "app/config_watch.hpp"

#include <sys/stat.h>

#include <algorithm>

namespace pawl::app {

std::optional<ConfigWatch::Stamp> ConfigWatch::stamp(const std::string& path) {
    struct stat found{};
    if (stat(path.c_str(), &found) != 0) return std::nullopt;
    constexpr std::int64_t kNsPerSecond = 1'000'000'000;
    return Stamp{found.st_dev, found.st_ino, found.st_size,
                 found.st_mtim.tv_sec * kNsPerSecond + found.st_mtim.tv_nsec};
}

void ConfigWatch::follow(std::vector<std::string> paths) {
    std::vector<File> files;
    for (std::string& path : paths) {
        const auto known = std::ranges::find(files_, path, &File::path);
        if (known != files_.end()) {
            files.push_back(*known);
        } else {
            const auto now = stamp(path);
            files.push_back({std::move(path), now, now});
        }
    }
    files_ = std::move(files);
}

void ConfigWatch::loaded() {
    for (File& file : files_) file.seen = file.loaded = stamp(file.path);
}

std::optional<std::string> ConfigWatch::look() {
    std::optional<std::string> changed;
    bool settled = true;
    for (File& file : files_) {
        const auto now = stamp(file.path);
        if (now != file.seen) settled = false;
        if (now && now != file.loaded && !changed) changed = file.path;
        file.seen = now;
    }
    if (!changed || !settled) return std::nullopt;
    for (File& file : files_)
        if (file.seen) file.loaded = file.seen;
    return changed;
}

}  // namespace pawl::app
