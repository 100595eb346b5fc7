// SPDX-License-Identifier: Apache-2.0
// Figures that the request path counts without a lock. The exporter reads them; nothing here knows of a
// wire format.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace pawl {

class Counter {
  public:
    void add(std::uint64_t n = 1) { value_.fetch_add(n, std::memory_order_relaxed); }
    std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> value_{0};
};

class Gauge {
  public:
    void set(std::int64_t value) { value_.store(value, std::memory_order_relaxed); }
    void add(std::int64_t n) { value_.fetch_add(n, std::memory_order_relaxed); }
    std::int64_t value() const { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::int64_t> value_{0};
};

// Latency in fixed buckets; the last one takes everything longer.
class LatencyHistogram {
  public:
    static constexpr std::array<double, 15> kBoundsSeconds{0.0001, 0.00025, 0.0005, 0.001, 0.0025,
                                                           0.005,  0.01,    0.025,  0.05,  0.1,
                                                           0.25,   0.5,     1.0,    2.5,   10.0};
    void add(std::chrono::nanoseconds duration);
    std::uint64_t bucket(std::size_t i) const {
        return buckets_[i].load(std::memory_order_relaxed);
    }
    double sum_seconds() const {
        return static_cast<double>(sum_ns_.load(std::memory_order_relaxed)) / 1e9;
    }

  private:
    std::array<std::atomic<std::uint64_t>, kBoundsSeconds.size() + 1> buckets_{};
    std::atomic<std::uint64_t> sum_ns_{0};
};

}  // namespace pawl
