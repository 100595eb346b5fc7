// SPDX-License-Identifier: Apache-2.0
// Bytes received and not yet taken. Grows by doubling, when the last read filled it, up to a bound given with
// each demand for room: an idle connection holds little, a streaming one comes to read in large portions.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

#include "net/http/limits.hpp"

namespace pawl::http {

class Incoming {
  public:
    std::string_view bytes() const { return {storage_.get() + begin_, end_ - begin_}; }
    bool empty() const { return begin_ == end_; }

    void consume(std::size_t n) {
        begin_ += n;
        if (begin_ == end_) begin_ = end_ = 0;
    }
    // Where the next bytes go. Empty when `bytes_max` are waiting already.
    std::span<char> room(std::size_t bytes_max) {
        if (end_ - begin_ >= bytes_max) return {};
        if (end_ == capacity_ && begin_ > 0) slide();
        if (end_ == capacity_ || (filled_ && capacity_ < bytes_max))
            grow(std::min(bytes_max, std::max(kFirstBufferBytes, capacity_ * 2)));
        return {storage_.get() + end_, std::min(capacity_ - end_, bytes_max - (end_ - begin_))};
    }
    void commit(std::size_t n) {
        end_ += n;
        filled_ = end_ == capacity_;
    }
    // Gives a grown buffer back while nothing waits in it.
    void slim() {
        if (!empty() || capacity_ <= kFirstBufferBytes) return;
        storage_.reset();
        capacity_ = 0;
        filled_ = false;
    }

  private:
    void slide() {
        std::memmove(storage_.get(), storage_.get() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    void grow(std::size_t capacity) {
        auto larger = std::make_unique_for_overwrite<char[]>(capacity);
        const std::string_view kept = bytes();
        if (!kept.empty()) std::memcpy(larger.get(), kept.data(), kept.size());
        storage_ = std::move(larger);
        capacity_ = capacity;
        begin_ = 0;
        end_ = kept.size();
    }

    std::unique_ptr<char[]> storage_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool filled_ = false;  // by the last read
};

}  // namespace pawl::http
