// SPDX-License-Identifier: Apache-2.0
// A request body that is too long for memory: a file that has no name, so that nothing is left behind however
// the process ends. It is written once, in order, and then only read. Reads and writes are the kernel's page
// cache's and are made on the loop: they last as long as copying does, and longer only on a disk that is
// behind with its writes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "net/http/message.hpp"
#include "runtime/result/result.hpp"

namespace pawl::http {

// How many bytes the files of a process may take together, so that uploads do not fill the disk that the store is
// on. From any thread.
class BodyRoom {
  public:
    explicit BodyRoom(std::uint64_t bytes_max) : bytes_max_(bytes_max) {}
    // False: there is not so much left; nothing was taken.
    bool take(std::uint64_t bytes);
    void give_back(std::uint64_t bytes);
    std::uint64_t bytes_max() const { return bytes_max_; }
    std::uint64_t taken() const { return taken_; }

  private:
    const std::uint64_t bytes_max_;
    std::atomic<std::uint64_t> taken_{0};
};

class BodyFile {
  public:
    // `room`, shared with all files that it is for, outlives none of them; none: without a bound.
    // Errors: unavailable.
    static Result<std::unique_ptr<BodyFile>> create(const std::string& folder,
                                                    std::shared_ptr<BodyRoom> room = nullptr);
    explicit BodyFile(int descriptor, std::shared_ptr<BodyRoom> room = nullptr)
        : descriptor_(descriptor), room_(std::move(room)) {}
    BodyFile(const BodyFile&) = delete;
    BodyFile& operator=(const BodyFile&) = delete;
    ~BodyFile();

    // Errors: unavailable (the disk or the room is full, or the disk fails); the file is of no use after it.
    Status append(std::string_view bytes);
    std::uint64_t size() const { return size_; }
    // Up to `size_max` bytes from `offset`. Errors: unavailable.
    Result<std::string> read(std::uint64_t offset, std::size_t size_max) const;
    int descriptor() const { return descriptor_; }

  private:
    int descriptor_;
    std::shared_ptr<BodyRoom> room_;
    std::uint64_t taken_ = 0;  // of the room
    std::uint64_t size_ = 0;
};

// The whole body of a request, for as long as it lives: in memory as it is, a file mapped, so that its pages
// are the kernel's to drop. A disk that cannot give back what was written to it ends the process then, as one
// that cannot give back swapped memory does.
class WholeBody {
  public:
    // `request` outlives it. Errors: unavailable.
    static Result<WholeBody> of(const Request& request);
    WholeBody(WholeBody&& other) noexcept;
    WholeBody& operator=(WholeBody&&) = delete;
    ~WholeBody();
    std::string_view view() const { return {start_, size_}; }

  private:
    WholeBody(const char* start, std::size_t size, bool mapped)
        : start_(start), size_(size), mapped_(mapped) {}

    const char* start_;
    std::size_t size_;
    bool mapped_;
};

std::uint64_t body_size(const Request& request);

// The parts of a body as they come, in memory up to a bound, then all of them in a file.
class IncomingBody {
  public:
    // `folder` outlives it.
    IncomingBody(std::size_t in_memory_max, const std::string& folder,
                 std::shared_ptr<BodyRoom> room = nullptr)
        : in_memory_max_(in_memory_max), folder_(folder), room_(std::move(room)) {}

    // Errors: unavailable.
    Status add(std::string_view part);
    std::uint64_t size() const { return file_ ? file_->size() : bytes_.size(); }
    Request request_with(RequestHead head);

  private:
    std::size_t in_memory_max_;
    const std::string& folder_;
    std::shared_ptr<BodyRoom> room_;
    std::string bytes_;
    std::unique_ptr<BodyFile> file_;
};

}  // namespace pawl::http
