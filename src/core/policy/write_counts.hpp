// SPDX-License-Identifier: Apache-2.0
// Writes that take no record, counted by method and by the shape of their path: /orders/17/pay and /orders/18/pay
// are both /orders/{id}/pay. Bounded: what comes beyond is counted together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pawl::policy {

inline constexpr std::size_t kWriteTemplatesMax = 500;
inline constexpr std::size_t kWriteTemplateLengthMax = 200;

// The pattern of a route that this target and its like fit: segments that look like names of single things
// (numbers, UUIDs, long or mixed identifiers) as {id}, {id2}, … nullopt: no pattern can be written for it.
std::optional<std::string> path_template(std::string_view target);

struct WriteCount {
    std::string method;
    std::string path;   // as path_template gives it
    std::string route;  // the unprotected route that they went by; empty: default_upstream
    std::uint64_t count = 0;
    std::uint64_t with_key = 0;  // with an Idempotency-Key
};

class WriteCounts {
  public:
    void add(std::string_view method, std::string_view target, bool with_key,
             std::string_view route);
    void add(const WriteCounts& others);
    // Most frequent first, then by name.
    std::vector<WriteCount> list() const;
    std::uint64_t not_listed() const { return not_listed_; }
    std::uint64_t total() const;

  private:
    WriteCount* place(const std::string& method, const std::string& path, std::string_view route);

    std::unordered_map<std::string, WriteCount> counts_;
    std::uint64_t not_listed_ = 0;
};

}  // namespace pawl::policy
