// SPDX-License-Identifier: Apache-2.0
#include "surface/config/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "surface/config/yaml_tree.hpp"

namespace pawl::config {

std::expected<std::string, policy::Finding> read_text_file(const std::string& path) {
    // A pipe would have whoever serves wait for its other end.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat found{};
    const bool there = descriptor >= 0 && ::fstat(descriptor, &found) == 0;
    const bool regular = there && S_ISREG(found.st_mode);
    std::string text(kFileBytesMax + 1, '\0');
    std::size_t size = 0;
    ssize_t got = regular ? 1 : -1;
    while (got > 0 && size < text.size()) {
        got = ::read(descriptor, text.data() + size, text.size() - size);
        if (got > 0) size += static_cast<std::size_t>(got);
    }
    if (descriptor >= 0) ::close(descriptor);
    const auto refused = [](std::string what, std::string remedy) {
        return std::unexpected(
            policy::Finding{policy::Severity::error, 0, 0, std::move(what), std::move(remedy)});
    };
    if (there && !regular) return refused("this is no regular file", "name one");
    if (got < 0) return refused("the file cannot be read", "look at its name and rights");
    text.resize(size);
    return text;
}

}  // namespace pawl::config
