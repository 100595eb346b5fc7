// SPDX-License-Identifier: Apache-2.0
#include "runtime/entropy/entropy.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/random.h>

#include "runtime/result/assert.hpp"

namespace pawl {
namespace {

void read_system_entropy(std::span<std::byte> out) {
    std::size_t got = 0;
    while (got < out.size()) {
        const ssize_t n = ::getrandom(out.data() + got, out.size() - got, 0);
        if (n < 0 && errno == EINTR) continue;
        PAWL_ASSERT(n > 0);
        got += static_cast<std::size_t>(n);
    }
}

}  // namespace

std::uint64_t Entropy::number() {
    std::array<std::byte, 8> bytes{};
    fill(bytes);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

std::uint64_t Entropy::below(std::uint64_t bound) {
    PAWL_ASSERT(bound > 0);
    const std::uint64_t rejected_below = (0 - bound) % bound;  // keeps the remainder uniform
    for (;;) {
        const std::uint64_t value = number();
        if (value >= rejected_below) return value % bound;
    }
}

void SystemEntropy::fill(std::span<std::byte> out) {
    if (out.size() > pool_.size() / 4) return read_system_entropy(out);
    if (pool_.size() - used_ < out.size()) {
        read_system_entropy(pool_);
        used_ = 0;
    }
    std::memcpy(out.data(), pool_.data() + used_, out.size());
    std::memset(pool_.data() + used_, 0, out.size());  // what was given out is not kept
    used_ += out.size();
}

std::uint64_t SeededEntropy::next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

void SeededEntropy::fill(std::span<std::byte> out) {
    while (!out.empty()) {
        const std::uint64_t value = next();
        const std::size_t n = std::min(out.size(), sizeof value);
        std::memcpy(out.data(), &value, n);
        out = out.subspan(n);
    }
}

}  // namespace pawl
