// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/file_place.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <sys/stat.h>

namespace pawl::sqlite {

std::optional<FilePlace> FilePlace::of(const std::string& path) {
    struct stat file{};
    struct stat log{};
    if (::stat(path.c_str(), &file) != 0 || ::stat((path + "-wal").c_str(), &log) != 0)
        return std::nullopt;
    FilePlace place;
    place.file_ = {file.st_dev, file.st_ino};
    place.size_ = static_cast<std::uint64_t>(file.st_size);
    place.log_ = {log.st_dev, log.st_ino};
    return place;
}

std::optional<FilePlace> FilePlace::in(std::string_view text) {
    std::array<std::uint64_t, 5> numbers{};
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    for (std::uint64_t& number : numbers) {
        const auto read = std::from_chars(at, end, number);
        if (read.ec != std::errc{} || read.ptr == end) return std::nullopt;
        at = read.ptr + 1;
    }
    FilePlace place;
    place.file_ = {numbers[0], numbers[1]};
    place.size_ = numbers[2];
    place.log_ = {numbers[3], numbers[4]};
    return place;
}

std::string FilePlace::text() const {
    return fmt::format("{} {} {} {} {}\n", file_.device, file_.inode, size_, log_.device,
                       log_.inode);
}

std::optional<std::string> FilePlace::lost(const std::string& path) {
    struct stat seen{};
    if (::stat(path.c_str(), &seen) != 0)
        return fmt::format("The store's file {} is not there any more.", path);
    if (Name{seen.st_dev, seen.st_ino} != file_)
        return fmt::format("Another file lies where the store's file {} was.", path);
    const auto size = static_cast<std::uint64_t>(seen.st_size);
    if (size < size_)
        return fmt::format("The store's file {} was cut from {} bytes to {}.", path, size_, size);
    size_ = size;
    if (::stat((path + "-wal").c_str(), &seen) != 0)
        return fmt::format("The store's log {}-wal is not there any more.", path);
    if (Name{seen.st_dev, seen.st_ino} != log_)
        return fmt::format("Another file lies where the store's log {}-wal was.", path);
    return std::nullopt;
}

}  // namespace pawl::sqlite
