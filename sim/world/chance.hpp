// SPDX-License-Identifier: Apache-2.0
// Draws of one purpose. Each part of the world has a stream of its own, split from the seed by a name, so
// that a change in one part does not shift the draws of the others.
#pragma once

#include <chrono>
#include <string_view>

#include "runtime/entropy/entropy.hpp"

namespace pawl::sim {

// FNV-1a over the name, mixed into the seed.
constexpr std::uint64_t split(std::uint64_t seed, std::string_view purpose,
                              std::uint64_t number = 0) {
    std::uint64_t hash = 0xcbf29ce484222325ULL ^ seed;
    for (const char c : purpose) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    hash ^= number + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdULL;
    return hash ^ (hash >> 33);
}

class Chance {
  public:
    Chance(std::uint64_t seed, std::string_view purpose) : entropy_(split(seed, purpose)) {}

    std::uint64_t below(std::uint64_t bound) { return entropy_.below(bound); }
    // Both ends included.
    std::uint64_t between(std::uint64_t low, std::uint64_t high) {
        return low + entropy_.below(high - low + 1);
    }
    bool hit(std::uint32_t per_mille) { return per_mille > 0 && entropy_.below(1000) < per_mille; }
    std::chrono::nanoseconds between(std::chrono::nanoseconds low, std::chrono::nanoseconds high) {
        if (high <= low) return low;
        return low + std::chrono::nanoseconds{
                         entropy_.below(static_cast<std::uint64_t>((high - low).count()) + 1)};
    }

  private:
    SeededEntropy entropy_;
};

}  // namespace pawl::sim
