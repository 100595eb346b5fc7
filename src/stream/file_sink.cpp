// SPDX-License-Identifier: Apache-2.0
#include "stream/file_sink.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

namespace pawl::stream {
namespace {

std::unexpected<Error> failed(std::string_view what, const std::string& path) {
    return fail(Code::unavailable, fmt::format("the file {} {}", path, what),
                std::generic_category().message(errno), "file_sink");
}

// A name in a folder lasts only with the folder.
bool flush_folder_of(const std::string& path) {
    const auto slash = path.find_last_of('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool flushed = ::fsync(descriptor) == 0;
    ::close(descriptor);
    return flushed;
}

}  // namespace

FileSink::FileSink(std::string path) : path_(std::move(path)) { std::ignore = open(); }

FileSink::~FileSink() { close(); }

void FileSink::close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
}

bool FileSink::is_in_place() const {
    struct stat opened{};
    struct stat named{};
    return descriptor_ >= 0 && ::fstat(descriptor_, &opened) == 0 &&
           ::stat(path_.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

// O_NONBLOCK: opening a pipe would wait for its reader.
Status FileSink::open() {
    if (is_in_place()) return {};
    close();
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0640);
    if (descriptor_ < 0) return failed("cannot be opened", path_);
    struct stat found{};
    if (::fstat(descriptor_, &found) != 0 || !S_ISREG(found.st_mode)) {
        close();
        return fail(Code::unavailable,
                    fmt::format("{} is a pipe, a folder or a device; name a regular file", path_));
    }
    Status done;
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
        done = failed("is written by another process", path_);
    else if (!flush_folder_of(path_))
        done = failed("lies in a folder that cannot be flushed", path_);
    else
        done = mend();
    if (!done) close();
    return done;
}

// Whole lines only.
Status FileSink::mend() {
    struct stat found{};
    if (::fstat(descriptor_, &found) != 0) return failed("cannot be looked at", path_);
    off_t end = found.st_size;
    std::array<char, 4'096> block{};
    while (end > 0) {
        const off_t from = std::max<off_t>(0, end - static_cast<off_t>(block.size()));
        const ssize_t got =
            ::pread(descriptor_, block.data(), static_cast<std::size_t>(end - from), from);
        if (got != end - from) return failed("cannot be read", path_);
        const std::string_view text(block.data(), static_cast<std::size_t>(got));
        const auto last = text.find_last_of('\n');
        if (last != std::string_view::npos) {
            end = from + static_cast<off_t>(last) + 1;
            break;
        }
        end = from;
    }
    if (end == found.st_size) return {};
    if (::ftruncate(descriptor_, end) != 0 || ::fsync(descriptor_) != 0)
        return failed("ends in the middle of a line and cannot be mended", path_);
    return {};
}

// A failed flush leaves nobody knows what; the file is then opened and mended anew.
Status FileSink::write(const std::string& lines) {
    if (auto opened = open(); !opened) return opened;
    struct stat before{};
    if (::fstat(descriptor_, &before) != 0) return failed("cannot be looked at", path_);
    std::size_t written = 0;
    while (written < lines.size()) {
        const ssize_t put = ::write(descriptor_, lines.data() + written, lines.size() - written);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) break;
        written += static_cast<std::size_t>(put);
    }
    if (written == lines.size() && ::fdatasync(descriptor_) == 0) return {};
    auto fault = failed("cannot be written to", path_);
    std::ignore = ::ftruncate(descriptor_, before.st_size);
    close();
    return fault;
}

Task<std::vector<Delivered>> FileSink::deliver(std::vector<Event> events) {
    std::string lines;
    for (const Event& event : events) lines += event.body + "\n";
    const Status written = write(lines);
    Delivered word;
    if (!written) word = {Delivered::Kind::away, describe(written.error()), {}};
    co_return std::vector<Delivered>(events.size(), word);
}

}  // namespace pawl::stream
