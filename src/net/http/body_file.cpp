// SPDX-License-Identifier: Apache-2.0
#include "net/http/body_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace pawl::http {
namespace {

std::unexpected<Error> failed(int number) {
    return fail(Code::unavailable,
                number == ENOSPC || number == EDQUOT || number == EFBIG
                    ? "There is no room on the disk for this request's body; nothing was executed."
                    : "This request's body could not be kept on the disk; nothing was executed.",
                std::strerror(number), "body");
}

// Where the file system knows no files without a name, it has one for a moment.
int named_for_a_moment(const std::string& folder) {
    std::string path = folder + "/pawl-body-XXXXXX";
    const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
    if (descriptor >= 0) ::unlink(path.c_str());
    return descriptor;
}

}  // namespace

bool BodyRoom::take(std::uint64_t bytes) {
    std::uint64_t taken = taken_;
    do {
        if (bytes > bytes_max_ - taken) return false;
    } while (!taken_.compare_exchange_weak(taken, taken + bytes));
    return true;
}

void BodyRoom::give_back(std::uint64_t bytes) { taken_ -= bytes; }

Result<std::unique_ptr<BodyFile>> BodyFile::create(const std::string& folder,
                                                   std::shared_ptr<BodyRoom> room) {
    int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR))
        descriptor = named_for_a_moment(folder);
    if (descriptor < 0) return failed(errno);
    return std::make_unique<BodyFile>(descriptor, std::move(room));
}

BodyFile::~BodyFile() {
    ::close(descriptor_);
    if (room_) room_->give_back(taken_);
}

Status BodyFile::append(std::string_view bytes) {
    if (room_ && !room_->take(bytes.size()))
        return fail(Code::unavailable,
                    "Too many long request bodies are under way; nothing was executed.",
                    "limits.body_disk_bytes_max", "body");
    taken_ += room_ ? bytes.size() : 0;
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return failed(errno);
        size_ += static_cast<std::uint64_t>(written);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
}

Result<std::string> BodyFile::read(std::uint64_t offset, std::size_t size_max) const {
    std::string portion(size_max, '\0');
    for (;;) {
        const ssize_t taken =
            ::pread(descriptor_, portion.data(), portion.size(), static_cast<off_t>(offset));
        if (taken < 0 && errno == EINTR) continue;
        if (taken < 0) return failed(errno);
        portion.resize(static_cast<std::size_t>(taken));
        return portion;
    }
}

Result<WholeBody> WholeBody::of(const Request& request) {
    if (!request.body_file) return WholeBody(request.body.data(), request.body.size(), false);
    const std::size_t size = request.body_file->size();
    void* const start =
        ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, request.body_file->descriptor(), 0);
    if (start == MAP_FAILED) return failed(errno);
    return WholeBody(static_cast<const char*>(start), size, true);
}

WholeBody::WholeBody(WholeBody&& other) noexcept
    : start_(other.start_), size_(other.size_), mapped_(std::exchange(other.mapped_, false)) {}

WholeBody::~WholeBody() {
    if (mapped_) ::munmap(const_cast<char*>(start_), size_);
}

std::uint64_t body_size(const Request& request) {
    return request.body_file ? request.body_file->size() : request.body.size();
}

Status IncomingBody::add(std::string_view part) {
    if (!file_ && part.size() <= in_memory_max_ - bytes_.size()) {
        bytes_.append(part);
        return {};
    }
    if (!file_) {
        auto file = BodyFile::create(folder_, room_);
        if (!file) return fail(std::move(file.error()));
        file_ = *std::move(file);
        if (auto kept = file_->append(bytes_); !kept) return kept;
        std::string().swap(bytes_);
    }
    return file_->append(part);
}

Request IncomingBody::request_with(RequestHead head) {
    Request request{std::move(head), std::move(bytes_)};
    request.body_file = std::move(file_);
    return request;
}

}  // namespace pawl::http
