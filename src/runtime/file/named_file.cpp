// SPDX-License-Identifier: Apache-2.0
#include "runtime/file/named_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace pawl {

std::expected<std::string, FileFault> read_start_of(const std::string& path,
                                                    std::size_t bytes_max) {
    // O_NONBLOCK: opening a pipe waits for its other end otherwise. O_NOCTTY: a terminal becomes nobody's.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat found{};
    const bool there = descriptor >= 0 && ::fstat(descriptor, &found) == 0;
    const bool regular = there && S_ISREG(found.st_mode);
    std::string text(bytes_max, '\0');
    std::size_t size = 0;
    ssize_t got = regular ? 1 : -1;
    while (got > 0 && size < text.size()) {
        got = ::read(descriptor, text.data() + size, text.size() - size);
        if (got > 0) size += static_cast<std::size_t>(got);
    }
    if (descriptor >= 0) ::close(descriptor);
    if (there && !regular) return std::unexpected(kFileNotRegular);
    if (got < 0) return std::unexpected(kFileUnreadable);
    text.resize(size);
    return text;
}

Result<std::string> read_named_file(const std::string& path, std::string_view setting,
                                    std::size_t bytes_max) {
    auto text = read_start_of(path, bytes_max + 1);
    if (!text) return fail(error_of(text.error(), path, setting));
    if (text->empty()) return fail(error_of(kFileEmpty, path, setting));
    if (text->size() > bytes_max) return fail(error_of(kFileTooLong, path, setting));
    return *std::move(text);
}

Error error_of(const FileFault& fault, std::string_view path, std::string_view setting) {
    return {Code::config_invalid,
            fmt::format("the file `{}` of `{}` {}; {}", path, setting, fault.what, fault.remedy),
            {},
            std::string(setting)};
}

}  // namespace pawl
