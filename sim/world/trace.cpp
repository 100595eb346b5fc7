// SPDX-License-Identifier: Apache-2.0
#include "sim/world/trace.hpp"

#include <cstdio>

namespace pawl::sim {

void Trace::mix(std::string_view what, std::uint64_t a, std::uint64_t b) {
    ++events_;
    std::uint64_t hash =
        hash_ ^ static_cast<std::uint64_t>(clock_.monotonic().time_since_epoch().count());
    for (const char c : what) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    hash = (hash ^ a ^ (hash >> 29)) * 0xbf58476d1ce4e5b9ULL;
    hash = (hash ^ b ^ (hash >> 32)) * 0x94d049bb133111ebULL;
    hash_ = hash ^ (hash >> 31);
}

void Trace::mark(std::string_view what, std::uint64_t a, std::uint64_t b) {
    mix(what, a, b);
    if (printing_) print(what, fmt::format("{} {}", a, b));
}

void Trace::print(std::string_view what, std::string_view text) const {
    const double seconds = static_cast<double>(clock_.monotonic().time_since_epoch().count()) / 1e9;
    fmt::print("{:12.6f} {:<10} {}\n", seconds, what, text);
}

}  // namespace pawl::sim
