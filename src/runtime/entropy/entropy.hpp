// SPDX-License-Identifier: Apache-2.0
// Randomness as something one is given. SystemEntropy is fit for claim ids and secrets; SeededEntropy
// replays a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pawl {

class Entropy {
  public:
    virtual ~Entropy() = default;
    virtual void fill(std::span<std::byte> out) = 0;

    std::uint64_t number();
    // Uniform in [0, bound). bound > 0.
    std::uint64_t below(std::uint64_t bound);
};

// The operating system's generator, drawn in blocks. Not shared between threads.
class SystemEntropy final : public Entropy {
  public:
    void fill(std::span<std::byte> out) override;

  private:
    std::array<std::byte, 1024> pool_{};
    std::size_t used_ = 1024;
};

// SplitMix64 (Steele, Lea, Flood 2014). Same seed, same bytes, on every build.
class SeededEntropy final : public Entropy {
  public:
    explicit SeededEntropy(std::uint64_t seed) : state_(seed) {}
    void fill(std::span<std::byte> out) override;

  private:
    std::uint64_t next();
    std::uint64_t state_;
};

}  // namespace pawl
