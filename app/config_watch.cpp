// SPDX-License-Identifier: Apache-2.0
#include "app/config_watch.hpp"

#include <sys/stat.h>

namespace pawl::app {

ConfigWatch::ConfigWatch(std::string path) : path_(std::move(path)) { loaded(); }

std::optional<ConfigWatch::Stamp> ConfigWatch::stamp() const {
    struct stat found{};
    if (path_.empty() || stat(path_.c_str(), &found) != 0) return std::nullopt;
    constexpr std::int64_t kNsPerSecond = 1'000'000'000;
    return Stamp{found.st_dev, found.st_ino, found.st_size,
                 found.st_mtim.tv_sec * kNsPerSecond + found.st_mtim.tv_nsec};
}

void ConfigWatch::loaded() {
    loaded_ = stamp();
    seen_ = loaded_;
}

bool ConfigWatch::look() {
    const std::optional<Stamp> now = stamp();
    const bool settled = now && now == seen_ && now != loaded_;
    seen_ = now;
    if (settled) loaded_ = now;
    return settled;
}

}  // namespace pawl::app
