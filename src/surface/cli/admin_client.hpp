// SPDX-License-Identifier: Apache-2.0
// The admin port of a running server, as a command asks it: one request after the other, each to its end.
#pragma once

#include <chrono>
#include <string>

#include "net/http/upstreams.hpp"
#include "runtime/task/system_loop.hpp"

namespace pawl::cli {

inline constexpr std::chrono::seconds kAnswerTimeout{30};
inline constexpr std::size_t kAnswerBytesMax = 64U << 20;

struct AdminAddress {
    http::Target target;
    std::string token;  // empty: none
};

class AdminClient {
  public:
    explicit AdminClient(AdminAddress address);

    // Errors: unavailable (nobody listens there), unknown (no answer to what was sent).
    Result<http::Response> get(std::string target);
    Result<http::Response> post(std::string target, std::string body);

    // "127.0.0.1:8081".
    std::string place() const;

  private:
    Task<Result<http::Response>> ask(http::Request request);

    AdminAddress address_;
    SystemLoop system_;
    http::Upstreams upstreams_;
};

}  // namespace pawl::cli
